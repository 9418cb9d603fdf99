"""Where the dashboard listens, and that strangers do not get in without sign-in, however it is spelled."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from http.client import HTTPConnection
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from threading import Thread

import pytest
import uvicorn
from commands.command_line import run
from each import each
from hypothesis import given
from hypothesis import strategies as st
from odd_server import closed_port
from page_reading import Open
from patience import PATIENCE_S
from sign_in_settings import AS_FIELDS as SIGN_IN
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import config

from dashboard.app import runtime
from dashboard.app.door.listening import (
    addresses_of,
    listening,
    own_address,
    public_origin,
    refuse_strangers,
    trusted_hosts,
)
from dashboard.app.runtime import Runtime
from dashboard.app.server.hosts import Hosts
from dashboard.errors import SettingsError
from dashboard.settings import Settings, load_settings

ONLY_HERE = ["127.0.0.1", "127.0.0.2", "127.1", "::1", "[::1]", " ::1 ", "::ffff:127.0.0.1", "localhost"]
FOR_OTHERS = [
    *("0.0.0.0", "0", "0x0", "::", "[::]", "::0", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0", "", "  "),
    *("192.168.1.20", "10.0.0.5", "203.0.113.7", "[2001:db8::7]", "fe80::1", "128.0.0.1"),
]
UNKNOWN = ["no-such-host.invalid", "127.0.0.1:8501", "http://127.0.0.1", "a" * 300, "exa mple", "[::1"]


def on(host: str, **others: object) -> Settings:
    return load_settings(host=host, port=closed_port(), **others)


@each("host", ONLY_HERE)
def test_an_address_of_this_machine_only_needs_no_sign_in(host: str) -> None:
    assert refuse_strangers(on(host), host)


@each("host", FOR_OTHERS)
def test_every_other_address_needs_sign_in_or_a_word_of_consent(host: str) -> None:
    with pytest.raises(SettingsError, match="DASHBOARD_OIDC_ISSUER") as refused:
        refuse_strangers(on(host), host)
    for named in ("DASHBOARD_HOST=127.0.0.1", "DASHBOARD_PEOPLE", "DASHBOARD_OPEN_WITHOUT_SIGN_IN=true"):
        assert named in str(refused.value)
    with pytest.raises(SettingsError), listening(on(host)):
        pass
    assert refuse_strangers(on(host, **SIGN_IN), host)
    consented = on(host, open_without_sign_in=True)
    assert refuse_strangers(consented, host)
    assert consented.is_open_to_everyone
    assert not on(host, open_without_sign_in=True, **SIGN_IN).is_open_to_everyone


@each("host", UNKNOWN)
def test_what_is_no_address_here_is_a_sentence(host: str) -> None:
    with pytest.raises(SettingsError, match="DASHBOARD_HOST"):
        addresses_of(host)


@given(st.ip_addresses())
def test_only_loopback_is_let_through(address: IPv4Address | IPv6Address) -> None:
    spelled = str(address)
    octets = address.packed
    here = (
        octets[0] == 127
        if len(octets) == 4
        else octets == bytes(15) + b"\x01" or octets[:13] == bytes(10) + b"\xff\xff\x7f"
    )
    try:
        let_in = refuse_strangers(load_settings(oidc_issuer=None), spelled) == [spelled]
    except SettingsError:
        let_in = False
    assert let_in is here


def test_a_name_is_judged_by_every_address_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even `localhost` is only a name: whoever changes the hosts file changes where it leads."""

    def both(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", 0, 0, 0)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.168.1.20", 0)),
        ]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(SettingsError, match="sign-in"):
        refuse_strangers(load_settings(), "localhost")


@each(
    "host, urls",
    [
        *((host, [None]) for host in ("127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost")),
        *((host, ["http://127.0.0.1", "http://[::1]"]) for host in ("::", "[::]", "::0")),
        ("0.0.0.0", [None]),  # the sandbox posts its reports on this machine only
    ],
)
def test_it_answers_at_the_addresses_that_it_names(host: str, urls: list[str | None]) -> None:
    settings = on(host, open_without_sign_in=host in FOR_OTHERS)
    if host in FOR_OTHERS:
        assert own_address(settings) == f"http://127.0.0.1:{settings.port}"
    for url in urls:
        with listening(settings) as listeners:
            if host not in FOR_OTHERS:
                assert {one.getsockname()[0] for one in listeners} == {addresses_of(host)[0]}
            assert status_at(settings, listeners, url and f"{url}:{settings.port}") == 200


@each(
    "public_url, origin",
    [
        (None, "http://localhost:8601"),
        ("https://texts.example.com/", "https://texts.example.com"),
        ("https://Texts.Example.com:443", "https://texts.example.com"),
        ("http://texts.example.com:80/x", "http://texts.example.com"),
        ("https://texts.example.com:8443", "https://texts.example.com:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://straße.example", "https://xn--strae-oqa.example"),
        ("http://[::1]:8601", "http://[::1]:8601"),
        ("https://[2001:db8::7]:8501", "https://[2001:db8::7]:8501"),
    ],
)
def test_the_public_address_is_what_a_browser_calls_it_and_is_answered_to(
    public_url: str | None, origin: str
) -> None:
    settings = on("127.0.0.1", **SIGN_IN).model_copy(update={"oidc_public_url": public_url, "port": 8601})
    assert public_origin(settings) == origin
    name = re.sub(r"^https?://|:\d+$", "", origin)
    assert name in trusted_hosts(settings)


def status_at(settings: Settings, listeners: list[socket.socket], at: str | None = None) -> int:
    """What a server on these sockets, with our trusted hosts, answers at an address, our own without one."""
    app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("ok"))])
    app.add_middleware(Hosts, names=trusted_hosts(settings))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
    running = Thread(target=server.run, kwargs={"sockets": listeners})
    running.start()
    try:
        connection = HTTPConnection((at or own_address(settings)).removeprefix("http://"), timeout=PATIENCE_S)
        connection.request("GET", "/")
        return connection.getresponse().status
    finally:
        connection.close()
        server.should_exit = True
        running.join()


def test_the_command_refuses_before_anything_is_made(tmp_path: Path) -> None:
    done = run(tmp_path, DASHBOARD_HOST="0.0.0.0", DASHBOARD_PORT=str(closed_port()))
    assert done.returncode == 2
    assert "DASHBOARD_OIDC_ISSUER" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "data").exists()


@each("address", [None, "", "0.0.0.0", "::"])
def test_streamlit_run_is_refused_in_the_same_way(
    address: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`streamlit run dashboard/app/main.py` listens where Streamlit's options say, by default everywhere."""
    monkeypatch.chdir(tmp_path)
    runtime.use(None)
    before = config.get_option("server.address")
    config.set_option("server.address", address)
    try:
        with pytest.raises(SettingsError, match="DASHBOARD_OIDC_ISSUER"):
            runtime.current()
    finally:
        config.set_option("server.address", before)
    assert list(tmp_path.iterdir()) == []


@each("view, is_open", [("overview", True), ("settings", True), ("overview", False)])
def test_open_to_everyone_is_said_on_every_page(
    wired: Runtime, open_page: Open, view: str, is_open: bool
) -> None:
    settings = wired.settings.model_copy(update={"open_without_sign_in": is_open})
    runtime.use(replace(wired, given=settings))
    said = [one.value for one in open_page(view).warning]
    assert len([one for one in said if "Nobody has to sign in here" in one]) == is_open
