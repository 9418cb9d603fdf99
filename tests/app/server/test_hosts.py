"""For which hosts requests are answered, over real sockets, and what is said and logged of the others."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from threading import Thread
from typing import Any

import pytest
import uvicorn
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_server import closed_port
from patience import PATIENCE_S
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed
from tiers import draws

from dashboard.app.door.listening import listening, trusted_hosts
from dashboard.app.server.hosts import MOST_LOGGED, Hosts
from dashboard.app.server.options import configure
from dashboard.errors import SettingsError
from dashboard.settings import Settings, load_settings

NAMED = (
    "texts.example.com, *.team.example.org, Bücher.example, Straße.example, 日本。example, "
    "xn--fa-hia.example, 192.0.2.7, [2001:DB8:0::7], 2001:db8::8:0:0"
)
LOCAL = (
    "localhost",
    "LocalHost",
    "127.0.0.1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]",
    "[::ffff:127.0.0.1]",
)
OURS = (
    *("texts.example.com", "TEXTS.example.com", "texts.example.com.", "a.team.example.org"),
    *("a.b.team.example.org", "xn--bcher-kva.example", "xn--strae-oqa.example", "xn--wgv71a.example"),
    *("xn--fa-hia.example", "192.0.2.7", "[2001:db8::7]", "[2001:0DB8:0:0:0:0:0:7]", "[2001:db8::8:0.0.0.0]"),
)
OTHERS = (
    *("example.com", "a.texts.example.com", "texts.example.com.evil.test", "eviltexts.example.com"),
    *("team.example.org", "evilteam.example.org", "192.0.2.8", "[2001:db8::8]", "2130706433", "0x7f.1"),
    *("strasse.example", "fass.example"),
)
NO_NAMES = (
    *("", " ", "texts.example.com evil.test", "texts.example.com/x", "a@texts.example.com", "[::1", "::1"),
    *("texts.example.com:80:80", "<script>", "texts.example.com,localhost", "é.example", "a" * 300, "[x]"),
)


def on(host: str = "127.0.0.1", hosts: str = NAMED) -> Settings:
    return load_settings(host=host, port=closed_port(), hosts=hosts, open_without_sign_in=True)


@contextmanager
def served(ours: Settings) -> Iterator[int]:
    """A server on our own sockets, behind our own door; its port."""
    app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("ok"))])
    app.add_middleware(Hosts, names=trusted_hosts(ours))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
    with listening(ours) as listeners:
        running = Thread(target=server.run, kwargs={"sockets": listeners})
        running.start()
        try:
            yield ours.port
        finally:
            server.should_exit = True
            running.join()


def ask(port: int, host: str, at: str = "127.0.0.1", **headers: str) -> tuple[int, str]:
    """The status and the text of the answer."""
    with closing(HTTPConnection(at, port, timeout=PATIENCE_S)) as connection:
        connection.putrequest("GET", "/", skip_host=True)
        connection.putheader("Host", host.encode("latin-1"))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.headers.get_content_type() == "text/plain"
        return answer.status, answer.read().decode()


def own_address() -> str:
    """Where other machines would reach this one; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.2"
        return str(asking.getsockname()[0])


def test_named_hosts_are_answered_with_any_port_and_all_others_are_told_what_to_set() -> None:
    with served(on()) as port:
        for host in (*LOCAL, *OURS):
            for spelled in (host, f"{host}:{port}", f"{host}:443"):
                assert ask(port, spelled) == (200, "ok"), spelled
        for host in OTHERS:
            status, said = ask(
                port, f"{host}:{port}", X_Forwarded_Host="localhost", Forwarded="host=localhost"
            )
            assert status == 400
            assert f"does not answer at {host}." in said
            assert f"adds {host} to DASHBOARD_HOSTS." in said


def test_what_is_no_host_is_neither_repeated_nor_answered() -> None:
    with served(on()) as port:
        for host in NO_NAMES:
            status, said = ask(port, host)
            assert status == 400, host
            assert not host.strip() or host not in said


@each("host", ["0.0.0.0", "::"])
def test_where_other_machines_are_let_in_its_own_addresses_and_name_are_known(host: str) -> None:
    mine = own_address()
    with served(on(host, hosts="")) as port:
        for name in (*LOCAL, mine, socket.gethostname()):
            assert ask(port, f"{name}:{port}", at=mine) == (200, "ok"), name
        for other in (f"{mine}:{port}", "texts.example.com"):  # it came to another address
            assert ask(port, other)[0] == 400


Said = list[dict[str, Any]]


def asked(door: Hosts, kind: str, *headers: tuple[bytes, bytes]) -> Said:
    """What the door sends back, without a server before it."""
    said: Said = []

    async def hear(message: Any) -> None:
        said.append(message)

    async def nothing() -> dict[str, Any]:
        return {"type": "http.request"}

    answer = door({"type": kind, "path": "/", "headers": headers, "server": None}, nothing, hear)
    with ThreadPoolExecutor(1) as elsewhere:  # a browser's loop may be running here
        elsewhere.submit(asyncio.run, answer).result()
    return said


async def inside(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "answered"})


@settings(max_examples=draws(1000, first=100))
@given(st.binary(max_size=400))
def test_a_refusal_holds_nothing_but_a_name(host: bytes) -> None:
    start, body = asked(Hosts(inside, names=["localhost"]), "http", (b"host", host))
    assert start["status"] == 400
    assert len(body["body"]) < 1000
    assert body["body"].isascii()
    assert not set(body["body"]) & set(b'<>&"\r\n\0')
    assert not any(host in value for _, value in start["headers"] if len(host) > 4)


def test_each_host_is_logged_once_and_not_without_end(caplog: pytest.LogCaptureFixture) -> None:
    door = Hosts(inside, names=["localhost"])
    with caplog.at_level(logging.WARNING):
        for number in (0, 0, *range(3 * MOST_LOGGED)):
            asked(door, "http", (b"host", f"{number}.evil.test:80".encode()))
        asked(door, "http", (b"host", b"a\r\nb"))
        asked(door, "http", (b"host", b"localhost"))
    lines = caplog.messages
    assert len(lines) == len(set(lines)) == MOST_LOGGED
    assert all("add it to DASHBOARD_HOSTS" in line for line in lines)


@each(
    "origin, host, is_served",
    [
        ("https://texts.example.com", "texts.example.com", True),
        ("https://texts.example.com:8443", "texts.example.com", True),  # a proxy that leaves the port out
        ("https://texts.example.com", "127.0.0.1:8501", True),  # one that names itself
        ("http://localhost:8501", "localhost:8501", True),
        ("https://a.team.example.org", "a.team.example.org", True),
        (None, "localhost:8501", True),
        ("https://evil.test", "localhost:8501", False),
        ("https://evil.test", "texts.example.com", False),
        ("https://texts.example.com", "evil.test", False),
        ("https://texts.example.com.evil.test", "texts.example.com", False),
        ("null", "localhost:8501", False),
        ("file://", "localhost:8501", False),
        ("http://[", "localhost:8501", False),
    ],
)
def test_a_websocket_is_only_for_our_own_pages_and_streamlit_agrees(
    origin: str | None, host: str, is_served: bool
) -> None:
    ours = on()
    given_origin = [] if origin is None else [(b"origin", origin.encode())]
    said = asked(
        Hosts(inside, names=trusted_hosts(ours)), "websocket", (b"host", host.encode()), *given_origin
    )
    assert said == ([{"type": "answered"}] if is_served else [{"type": "websocket.close", "code": 1008}])
    if is_served:
        before = {name: config.get_option(name) for name in ("server.corsAllowedOrigins", "server.address")}
        configure(ours)
        try:
            assert _is_origin_allowed(origin, host)
        finally:
            for name, value in before.items():
                config.set_option(name, value)


NOT_NAMES = (
    *("*", "https://t.example", "a.example:8501", "q..b", "*.", "*x.example", "a/b", "a b.example", "[::1"),
    *("::1]", "*.[::1]", "*.::1", "*.10.0.0.5", "*.0.5", "10.0.0", "10.0.0.256", "xn--", "xn--zzzzzz-"),
    *("é..example", "ä_ö.example", "é" * 64),
)


def test_what_is_not_a_name_is_refused_by_its_place() -> None:
    for entry in NOT_NAMES:
        with pytest.raises(SettingsError, match=r"DASHBOARD_HOSTS.*entry 2 is not a name") as refused:
            on(hosts=f"texts.example.com, {entry}")
        assert entry == "*" or entry not in str(refused.value), entry
    with pytest.raises(SettingsError, match="entries 1 and 3 are not names"):
        on(hosts="*, texts.example.com, [::1")


def test_a_name_for_others_needs_sign_in_or_a_word_of_consent() -> None:
    with (
        pytest.raises(SettingsError, match="DASHBOARD_HOSTS lets other machines in"),
        listening(load_settings(host="127.0.0.1", port=closed_port(), hosts="texts.example.com")),
    ):
        pass
