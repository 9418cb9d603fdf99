"""What one person, or a stranger, cannot take from the others: requests, pages and memory."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest
from page_socket import PageSocket
from patience import PATIENCE_S, wait_until
from signed_in_place import Place, open_place

from dashboard.app.server.connections import REQUEST_S
from dashboard.app.server.webhook import MAX_BODY_BYTES, MOST_AT_ONCE

MEGABYTE = 2**20
PAGES = 30
ROOM = "Your open pages hold many files. Until you close some, no file larger than 445 KB can be uploaded."


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    variables = {
        "DASHBOARD_UPLOAD_MB": "1",
        "DASHBOARD_STRANGERS": "1",
        "DASHBOARD_WEBHOOK_SECRET": "dGhpcyBpcyBmaWN0aW9uYWwsIG5vIHNlY3JldA",
    }
    with open_place(tmp_path_factory.mktemp("budgets"), **variables) as place:
        yield place


def test_a_stranger_who_asks_too_often_waits_and_nobody_else_does(place: Place) -> None:
    ann = place.known("ann@example.com")
    answers = [place.ask("GET", "/settings", {}) for _ in range(60)]
    refused = [headers for status, headers, _ in answers if status == 429]
    assert len(refused) > 20
    assert all(int(headers["retry-after"]) >= 1 for headers in refused)
    assert {status for status, *_ in answers} == {401, 429}
    assert place.ask("GET", "/settings", ann)[0] == 200
    assert place.ask("POST", "/webhooks/delivery-reports", {})[0] == 401  # a service is never told to wait


def upload(place: Place, page: PageSocket, cookies: dict[str, str], name: str, size: int) -> int:
    """Upload a file as Streamlit's page does; the answer's status."""
    _, headers, _ = place.ask("GET", "/_stcore/health", cookies)
    token = headers["set-cookie"].partition("_streamlit_xsrf=")[2].partition(";")[0]
    held = "; ".join(f"{key}={value}" for key, value in {**cookies, "_streamlit_xsrf": token}.items())
    head = (
        '--cut\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    body = head.encode() + b"x" * size + b"\r\n--cut--\r\n"
    request = (
        f"PUT /_stcore/upload_file/{page.session}/{name} HTTP/1.1\r\nHost: localhost\r\n"
        f"Cookie: {held}\r\nX-Xsrftoken: {token}\r\nConnection: close\r\n"
        f"Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("localhost", urlsplit(place.address).port or 0), PATIENCE_S) as wire:
        wire.sendall(request.encode())
        with suppress(OSError):  # answered and closed before all of it was there
            wire.sendall(body)
        return int(wire.recv(65536).split()[1])


def test_files_of_one_person_leave_room_for_those_of_others(place: Place) -> None:
    ann, bea = place.known("ann@example.com"), place.known("bea@example.com")
    with PageSocket(place.address, ann) as anns, PageSocket(place.address, bea) as beas:
        anns.open_page("new")
        beas.open_page("new")
        sizes = [upload(place, anns, ann, f"file-{number}", 900_000) for number in range(6)]
        assert sizes == [204, 204, 204, 413, 413, 413]
        assert upload(place, beas, bea, "file", 900_000) == 204
        # Her pages say so before she tries, and say how large a file may still be; those of others do not.
        for cookies, said in ((ann, True), (bea, False)):
            for name in ("new", "delivery-reports"):
                with PageSocket(place.address, cookies) as page:
                    page.open_page(name)
                    assert (ROOM in drawn(page)) is said
        room = 3 * MEGABYTE - 3 * 900_000 - 1000
        assert upload(place, anns, ann, "small", room) == 204
    second = place.known("ann@example.com")
    with PageSocket(place.address, second) as again:
        again.open_page("new")
        assert upload(place, again, second, "file", 900_000) == 413  # of another browser of hers, too


def drawn(page: PageSocket) -> str:
    """All that a page has drawn, as it came."""
    return "\n".join(str(told.delta) for told in page.told)


def test_a_file_of_unknown_length_is_not_begun(place: Place) -> None:
    ann = place.known("ann@example.com")
    with PageSocket(place.address, ann) as page:
        page.open_page("settings")
        address = f"/_stcore/upload_file/{page.session}/file"
        status, _, body = place.ask("PUT", address, ann, **{"Transfer-Encoding": "chunked"})
        assert (status, body) == (411, b"Say how long the file is")


def test_one_person_opens_so_many_pages_and_others_open_theirs(place: Place) -> None:
    ann, vic = place.known("ann@example.com"), place.known("vic@example.com")
    with ExitStack() as opened:
        for _ in range(PAGES):
            opened.enter_context(PageSocket(place.address, ann))
        with PageSocket(place.address, ann) as one_more:
            assert one_more.rest() == ["auth_redirect"]
            assert one_more.told[0].auth_redirect.url == "/sign-in?why=pages"
        with PageSocket(place.address, vic) as other:
            other.open_page("settings")
        body = place.ask("GET", "/sign-in?why=pages", ann)[2]
        assert b"too many pages" in body
    wait_until(lambda: opens(place, ann))


def opens(place: Place, cookies: dict[str, str]) -> bool:
    with PageSocket(place.address, cookies) as page:
        page.open_page("settings")
        return True


def test_strangers_hold_few_reports_in_memory_and_not_for_long(place: Place) -> None:
    """Those whose headers may be the service's: without such no body is read."""
    signed = {"webhook-id": "x", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,x"}
    head = (
        "POST /webhooks/delivery-reports HTTP/1.1\r\nHost: localhost\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in signed.items())
        + f"Content-Length: {MAX_BODY_BYTES}\r\n\r\n"
    )
    port = urlsplit(place.address).port or 0
    with ExitStack() as opened:
        slow = []
        for _ in range(MOST_AT_ONCE):
            wire = opened.enter_context(socket.create_connection(("localhost", port), PATIENCE_S))
            wire.sendall(head.encode() + b"[")
            slow.append(wire)
        wait_until(lambda: place.ask("POST", "/webhooks/delivery-reports", {}, **signed)[0] == 503)
        assert place.ask("POST", "/webhooks/delivery-reports", {}, **signed)[1]["retry-after"] == "1"
        assert place.ask("POST", "/webhooks/delivery-reports", {})[0] == 401
        assert {wire.recv(65536).split()[1] for wire in slow} == {b"408"}
    assert place.ask("POST", "/webhooks/delivery-reports", {})[0] == 401


HELD = 40
NOTHING, HALF = b"", b"GET /livez HTTP/1.1\r\nHost: localhost\r\nX-A: "
ANSWERED = b"POST /settings HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nx"


@pytest.mark.parametrize("said", [NOTHING, HALF, ANSWERED], ids=["nothing", "half a request", "a body"])
def test_a_connection_of_which_no_request_comes_ends(place: Place, said: bytes) -> None:
    """Also if it trickles: each would be kept for ever, and then there is room for nobody else."""
    with ExitStack() as opened:
        port = urlsplit(place.address).port or 0
        wires = [
            opened.enter_context(socket.create_connection(("localhost", port), PATIENCE_S))
            for _ in range(HELD)
        ]
        for wire in wires:
            wire.sendall(said)

        def has_ended(wire: socket.socket) -> bool:
            """Whether the other side has closed it; what it still says is thrown away."""
            wire.settimeout(0.01)
            try:
                if said:
                    wire.sendall(b"x")
                return wire.recv(65536) == b""
            except TimeoutError:
                return False
            except OSError:
                return True

        wait_until(lambda: all(has_ended(wire) for wire in wires))
    assert place.ask("GET", "/livez", {})[0] == 200


def test_who_stays_on_a_page_is_not_cut_off(place: Place) -> None:
    """Longer than a connection may say nothing: the limit is for requests, not for what they became."""
    with PageSocket(place.address, place.known("ann@example.com")) as page:
        page.open_page("")
        enough = time.monotonic() + REQUEST_S + 2
        wait_until(lambda: time.monotonic() > enough)
        page.open_page("settings")
        assert page.closed_with is None
