"""The way through the identity provider and back, behind https as it is on a server, with a real provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from each import each
from hypothesis import given
from hypothesis import strategies as st
from oidc_provider_mock import User, run_server_in_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from test_people import LOCKED

from dashboard.app.door.budgets import Budgets
from dashboard.app.door.desk import Desk
from dashboard.app.door.listening import public_origin
from dashboard.app.server.admission import Admission
from dashboard.app.server.headers import SecurityHeaders
from dashboard.app.server.sign_in import LONGEST_PATH, SignIn, local_path
from dashboard.ledger import Ledger
from dashboard.settings import Settings, load_settings

# The provider runs in this process and uses what its own libraries call deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

KEPT_BY_BROWSERS = 4096
"""Bytes of a cookie, with its name and attributes (RFC 6265, section 6.1)."""

LONGER_PROVIDER = 500
"""What the addresses of other providers may add."""

HOME = "https://texts.example.com"
USERS = [
    User(sub="sub-1", claims={"email": "Ann@example.com", "email_verified": True}),
    User(sub="sub-2", claims={"email": "ann@example.com", "email_verified": True}),
    User(sub="sub-3", claims={"email": "una@example.com"}),
]


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with run_server_in_thread(port=0, user_claims=USERS) as server:
        yield f"http://localhost:{server.server_port}"


@dataclass
class Browser:
    """A browser's memory, in front of our doors with one page behind them."""

    ask: Callable[..., httpx.Response]

    def sign_in(self, subject: str, wanted: str = "/settings") -> httpx.Response:
        """Go to the provider and back; the answer is the one to the way back."""
        return self.ask("GET", self.way_back(subject, wanted))

    def way_back(self, subject: str, wanted: str = "/settings") -> str:
        start = self.ask("GET", f"/sign-in/start?next={wanted}")
        assert start.status_code == 302
        there = start.headers["location"]
        asked = parse_qs(urlsplit(there).query)
        assert asked["redirect_uri"] == [f"{HOME}/oauth2callback"]
        assert {"state", "nonce", "code_challenge"} <= asked.keys()
        return httpx.post(there, data={"sub": subject}).headers["location"]


def settings_of(provider: str, **others: Any) -> Settings:
    listed = "ann@example.com=admin,una@example.com=admin"
    return load_settings(
        **LOCKED | {"oidc_issuer": provider, "people": listed}, oidc_public_url=HOME, **others
    )


@pytest.fixture
def open_browser(provider: str, sqlite_url: str) -> Iterator[Callable[..., Browser]]:
    with Ledger.open(sqlite_url) as ledger, start_blocking_portal() as portal:
        clients = []

        def open_(**others: Any) -> Browser:
            settings = settings_of(provider, **others)
            desk = Desk(ledger, settings)
            app = Starlette(
                routes=[Route("/settings", lambda _: PlainTextResponse("the page"))],
                middleware=[
                    Middleware(SecurityHeaders, is_https=public_origin(settings).startswith("https://")),
                    Middleware(
                        Admission, desk=desk, sign_in=SignIn(settings, desk), budgets=Budgets.of(settings)
                    ),
                ],
            )
            client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOME)
            clients.append(client)

            async def ask(method: str, path: str, **headers: str) -> httpx.Response:
                return await client.request(method, path, headers=headers)

            return Browser(lambda method, path, **headers: portal.call(lambda: ask(method, path, **headers)))

        yield open_
        for client in clients:
            portal.call(client.aclose)


def test_the_way_there_and_back_ends_at_the_page_that_was_asked_for(
    open_browser: Callable[..., Browser],
) -> None:
    browser = open_browser()
    assert browser.ask("GET", "/settings").status_code == 401
    back = browser.sign_in("sub-1")
    assert (back.status_code, back.headers["location"]) == (303, "/settings")
    cookies = [one for one in back.headers.get_list("set-cookie") if one.startswith("__Host-dashboard=")]
    (attributes,) = ({part.strip().lower() for part in one.split(";")[1:]} for one in cookies)
    assert attributes == {"secure", "httponly", "samesite=lax", "path=/"}, "it belongs to this host alone"
    assert back.headers["strict-transport-security"] == "max-age=31536000"
    assert back.headers["cache-control"] == "no-store"
    assert browser.ask("GET", "/settings").text == "the page"
    browser.sign_in("sub-1")
    first, _, _ = cookies[0].partition(";")
    assert open_browser().ask("GET", "/settings", Cookie=first).status_code == 401, (
        "the second takes its place"
    )
    out = browser.ask("POST", "/sign-out", Origin=HOME)
    assert out.headers["location"] == "/sign-in?why=out"
    assert browser.ask("GET", "/settings").status_code == 401
    assert browser.sign_in("sub-1", "//evil.example").headers["location"] == "/"


def test_another_account_with_the_address_does_not_get_in(open_browser: Callable[..., Browser]) -> None:
    assert open_browser().sign_in("sub-1").status_code == 303
    browser = open_browser()
    assert browser.sign_in("sub-2").headers["location"] == "/sign-in"
    assert "belongs to another account" in browser.ask("GET", "/sign-in").text
    assert "Sign in with your company account" in browser.ask("GET", "/sign-in").text  # it is said once
    assert browser.ask("GET", "/settings").status_code == 401


def test_an_address_nobody_vouches_for_opens_nothing(open_browser: Callable[..., Browser]) -> None:
    browser = open_browser()
    browser.sign_in("sub-3")
    assert "send email_verified" in browser.ask("GET", "/sign-in").text
    assert browser.ask("GET", "/settings").status_code == 401
    assert open_browser(oidc_addresses_are_verified=True).sign_in("sub-3").status_code == 303


def test_the_way_back_leads_in_once_and_only_the_browser_that_left(
    open_browser: Callable[..., Browser],
) -> None:
    browser, other = open_browser(), open_browser()
    way = browser.way_back("sub-1")
    assert other.ask("GET", way).headers["location"] == "/sign-in?why=failed"
    way = browser.way_back("sub-1")
    assert browser.ask("GET", way).headers["location"] == "/settings"
    assert browser.ask("GET", way).headers["location"] == "/sign-in?why=failed"


@each(
    "wanted",
    [
        *("//evil.example", "/\\evil.example", "https://evil.example", "\\\\evil.example", "evil.example"),
        *("/\t/evil.example", "/\r\nSet-Cookie:x", "/sign-out", "/oauth2callback", "/sign-in", "", None),
    ],
)
def test_nobody_is_led_elsewhere_or_round_in_circles(wanted: str | None) -> None:
    assert local_path(wanted) == "/"


@given(st.text(max_size=20) | st.text("/\\:.ab\t\n%@?#", max_size=12))
def test_wherever_one_wants_to_go_it_is_here(wanted: str) -> None:
    found = httpx.URL(HOME).join(local_path(wanted))
    assert str(found).startswith(f"{HOME}/")


def test_strangers_are_spoken_to_in_the_language_that_everybody_has(
    open_browser: Callable[..., Browser], sqlite_url: str
) -> None:
    with Ledger.open(sqlite_url) as ledger:
        ledger.settings.change({"language": "de"}, who="ann@example.com", given=load_settings())
    told = open_browser().ask("GET", "/sign-in").text
    assert '<html lang="de">' in told
    assert "Melden Sie sich" in told
    assert '<html lang="en">' in open_browser(language="en").ask("GET", "/sign-in").text


def test_however_long_the_address_is_a_browser_keeps_the_cookie_of_the_way(
    open_browser: Callable[..., Browser],
) -> None:
    """The longest that is kept of each letter, and one that is not."""
    browser = open_browser()
    for letter in ("a", "é", "日", "😀", '"'):
        for length in ((LONGEST_PATH - 20) // len(quote(letter)), LONGEST_PATH):
            start = browser.ask("GET", f"/sign-in/start?next=/settings?q={quote(letter * length)}")
            assert len(start.headers["set-cookie"]) < KEPT_BY_BROWSERS - LONGER_PROVIDER
