"""Every route and every message, asked for by people who may not, and by a viewer for what is another's.

Sessions are made and ended in the ledger, beside the server, as another process would; test_sign_in.py signs
in for real.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
import streamlit as st
from dashboard_server import ROOT, environment
from forked import Forked
from odd_server import closed_port
from page_socket import PageSocket
from patience import PATIENCE_S, wait_until
from signed_in_place import HOUR, Place, open_place
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from websockets.exceptions import InvalidStatus

from dashboard.app.server.asgi import MAIN
from dashboard.app.server.options import configure
from dashboard.ledger.team.sign_ins import id_of
from dashboard.settings import load_settings

pytestmark = pytest.mark.first

STRANGERS = ("unsigned", "forged", "expired", "signed out", "barred", "unlisted")
PROBES = ("/livez", "/readyz", "/healthz")
FOR_ANYBODY = {"/webhooks/delivery-reports", "/_stcore/health", "/_stcore/host-config"}
SIGN_IN = {"/sign-in", "/sign-in/start", "/oauth2callback", "/sign-out"}
FOR_NOBODY = ("/_stcore/metrics", "/_stcore/agent/", "/_stcore/script-health-check", "/auth/", "/_stcore/new")
ABSENT = {"/_stcore/metrics"}
OF_ANOTHER = ("/media/", "/_stcore/upload_file/")
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND")
MORE_PATHS = (
    *("/", "/campaigns", "/settings", "/nowhere", "/index.html", "/static/js/x.js", "/favicon.png"),
    *(
        "/_stcore/script-health-check",
        "/_stcore/new",
        "//media/x",
        "/_stcore/../settings",
        "/%5fstcore/stream",
    ),
    *("/healthz/", "/healthz/x", "/sign-in/", "/sign-in/x", "/_stcore/health/", "/campaigns/_stcore/health"),
)


def tell_routes(_words: list[str]) -> None:
    """Print the paths of Streamlit as it is configured here: for the whole process."""
    configure(load_settings())
    print(*(route.path for route in st.App(MAIN)._build_starlette_app().routes), sep="\n")  # noqa: T201


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_place(tmp_path_factory.mktemp("admission"), DASHBOARD_STRANGERS="10000") as place:
        phones = [f"+4479111234{number}" for number in range(50, 60)]
        place.ledger.add_opt_outs(phones, reason="STOP", source="test")
        yield place


@pytest.fixture
def stranger(place: Place, request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    yield place.stranger(request.param)
    place.ledger.sign_ins.admit("bea@example.com")


@pytest.fixture
def vic(place: Place) -> dict[str, str]:
    return place.known("vic@example.com")


@pytest.fixture
def ann(place: Place) -> dict[str, str]:
    return place.known("ann@example.com")


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every route of Streamlit's as it is configured here, filled in, and of ours."""
    folder = tmp_path_factory.mktemp("routes")
    out, given = folder / "routes", environment(folder, closed_port())
    assert Forked(tell_routes, [], folder=ROOT, environment=given, out=out).wait(PATIENCE_S) == 0
    routes = out.read_text().split()
    assert {"/media/{file_id:path}", "/_stcore/stream", "/_stcore/upload_file/{session_id}/{file_id}"} <= {
        *routes
    }
    filled = [re.sub(r"\{[^}]*\}", "x", path) for path in routes]
    return sorted({*filled, *FOR_ANYBODY, *SIGN_IN, *MORE_PATHS})


@pytest.mark.parametrize(
    ("stranger", "methods"),
    [("unsigned", METHODS), *((who, ("GET", "POST")) for who in STRANGERS[1:])],
    indirect=["stranger"],
)
def test_to_strangers_every_route_is_closed_whatever_the_method(
    place: Place, stranger: dict[str, str], paths: list[str], methods: tuple[str, ...]
) -> None:
    opened = [
        (method, path, status)
        for path in paths
        if path not in FOR_ANYBODY | SIGN_IN
        for method in methods
        if (status := place.ask(method, path, stranger)[0]) != (404 if path in ABSENT else 401)
    ]
    assert opened == []
    for path in ("/", "/campaigns?x=1", "/nowhere"):
        status, headers, body = place.ask("GET", path, stranger, Accept="text/html")
        assert (status, body) == (303, b"")
        assert headers["location"].startswith(f"{place.address}/sign-in?next=/")
        assert headers["cache-control"] == "no-store"
    wait_until(lambda: place.ask("GET", "/readyz", stranger)[0] == 200)
    assert {place.ask("GET", path, stranger)[0] for path in ("/_stcore/health", *PROBES)} == {200}
    assert json.loads(place.ask("GET", "/readyz", stranger)[2])["checks"]["sign-in"] == "ok"


def test_to_a_viewer_what_is_nobodys_or_anothers_is_not_there(
    place: Place, vic: dict[str, str], paths: list[str]
) -> None:
    closed = [path for path in paths if path.startswith((*FOR_NOBODY, *OF_ANOTHER))]
    assert len(closed) > 7
    for path in closed:
        assert {place.ask(method, path, vic)[0] for method in METHODS} == {404}, path
    for path in ("/", "/campaigns", "/app/static/icon.png"):
        assert place.ask("GET", path, vic)[0] == 200


KINDS = [kind.name for kind in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]
OPERATIONS = [kind.name for kind in BackendOperationRequest.DESCRIPTOR.oneofs_by_name["payload"].fields]


def message(kind: str) -> BackMsg:
    """A message of a kind, or a request of a kind."""
    said = BackMsg()
    part = getattr(said.backend_operation_request, kind) if kind in OPERATIONS else None
    if part is not None:
        said.backend_operation_request.request_id = "1"
        part.SetInParent()
    elif BackMsg.DESCRIPTOR.fields_by_name[kind].message_type is not None:
        getattr(said, kind).SetInParent()
    else:
        setattr(said, kind, True)
    return said


@pytest.mark.deep
@pytest.mark.parametrize("stranger", STRANGERS, indirect=True)
def test_strangers_websockets_say_nothing_but_where_to_sign_in(
    place: Place, stranger: dict[str, str]
) -> None:
    for kind in (*KINDS, *OPERATIONS):
        with PageSocket(place.address, stranger) as page:
            page.say(message(kind))
            assert page.rest() == ["auth_redirect"]
            assert page.closed_with == 4401
            assert page.told[0].auth_redirect.url == "/sign-in?why=ended"


@pytest.mark.deep
@pytest.mark.parametrize("end", ["signed out", "barred", "expired"])
def test_a_page_that_is_open_hears_no_more_once_the_sign_in_is_over(place: Place, end: str) -> None:
    lasting = timedelta(seconds=15) if end == "expired" else HOUR
    place.ledger.sign_ins.admit("bea@example.com")
    held = place.cookie("bea@example.com", lasting)
    wait_until(lambda: place.ask("GET", "/settings", held)[0] == 200)
    kinds = [*KINDS, *OPERATIONS]
    pages = [PageSocket(place.address, held) for _ in kinds]
    if end == "signed out":
        place.ledger.sign_ins.end(id_of(next(iter(held.values()))))
    elif end == "barred":
        place.ledger.sign_ins.bar("bea@example.com")
    wait_until(lambda: place.ask("GET", "/settings", held)[0] == 401)
    for page, kind in zip(pages, kinds, strict=True):
        with page:
            page.say(message(kind))
            assert page.rest() == ["auth_redirect"]
            assert page.closed_with == 4401
    place.ledger.sign_ins.admit("bea@example.com")


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://localhost", "http://localhost"]
)
def test_no_other_sites_page_opens_a_websocket(place: Place, vic: dict[str, str], origin: str | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        PageSocket(place.address, vic, origin=origin)
    assert refused.value.response.status_code == 403


def test_what_belongs_to_one_person_is_nobody_elses(
    place: Place, ann: dict[str, str], vic: dict[str, str]
) -> None:
    with PageSocket(place.address, ann) as anns, PageSocket(place.address, vic) as vics:
        anns.open_page("opt-outs")
        vics.open_page("settings")
        button = anns.deferred[-1]
        wanted = message("deferred_file")
        wanted.backend_operation_request.deferred_file.file_id = button
        for asks in (vics, anns):
            wanted.backend_operation_request.session_id = asks.session
            asks.say(wanted)
        file = anns.wait_for("backend_operation_response").backend_operation_response
        address = re.findall(r"/media/[^\"\s]+", str(file))[0]
        status, headers, body = place.ask("GET", address, ann)
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert b"+44791112345" in body
        assert place.ask("GET", address, vic)[0] == 404
        assert place.ask("GET", address, {})[0] == 401
        upload = f"/_stcore/upload_file/{anns.session}/file"
        assert place.ask("PUT", upload, vic)[0] == 404
        assert place.ask("PUT", upload, {})[0] == 401
        assert place.ask("PUT", upload, ann)[0] not in {401, 404}
        vics.open_page("settings")  # it has heard the request, and says nothing to it
        assert "backend_operation_response" not in {told.WhichOneof("type") for told in vics.told}
        sessions = anns.session
    with PageSocket(place.address, vic, going_on_with=sessions) as other:
        other.open_page("settings")
        assert other.session != sessions
    with PageSocket(place.address, ann, going_on_with=sessions) as again:
        again.open_page("opt-outs")
        assert again.session == sessions
    second = place.known("ann@example.com")
    assert place.ask("GET", address, second)[0] == 404  # another browser of hers was not shown it


def test_a_forged_seat_is_not_taken(place: Place, vic: dict[str, str]) -> None:
    for header in ("X-Dashboard-Seat", "x-dashboard-seat"):
        assert place.ask("GET", "/settings", {}, **{header: "0" * 32})[0] == 401
        with PageSocket(place.address, vic, headers={header: "0" * 32}) as page:
            page.open_page("settings")
            assert b"Signed in as vic" in b"".join(page.frames)


def test_signing_out_takes_a_post_from_a_page_of_ours(place: Place) -> None:
    vic = place.known("vic@example.com")
    assert place.ask("GET", "/sign-out", vic)[0] == 405
    for origin in ("", "null", "http://evil.example", "http://localhost"):
        assert place.ask("POST", "/sign-out", vic, Origin=origin)[0] == 403
    assert place.ask("GET", "/settings", vic)[0] == 200
    status, headers, _ = place.ask("POST", "/sign-out", vic, Origin=place.address)
    assert (status, headers["location"]) == (303, "/sign-in?why=out")
    assert "Max-Age=0" in headers["set-cookie"]
    assert place.ask("GET", "/settings", vic)[0] == 401


@pytest.mark.parametrize("state", ["", "state=x", "code=x", "code=x&state=x", "error=access_denied&state=x"])
def test_an_answer_that_nobody_asked_for_signs_nobody_in(place: Place, state: str) -> None:
    status, headers, _ = place.ask("GET", f"/oauth2callback?{state}", {})
    assert (status, headers["location"]) == (303, "/sign-in?why=failed")
    assert "dashboard-" + str(urlsplit(place.address).port) + "=" not in headers.get("set-cookie", "")


def test_a_provider_that_does_not_answer_is_a_sentence(place: Place) -> None:
    status, _, body = place.ask("GET", "/sign-in/start", {})
    assert status == 503
    assert b"cannot reach what it needs" in body
