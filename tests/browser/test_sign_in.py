"""A real OpenID Connect round trip with a provider on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dashboard_server import free_port, serve, settled, visitor
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, expect

from dashboard.app.widgets.plain import JOINER

# The provider runs in this process and uses what its own libraries call deprecated.
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


CLAIMS: dict[str, dict[str, object]] = {
    "ann@example.com": {"email_verified": True},
    "eve@example.com": {"email_verified": True},  # not in DASHBOARD_PEOPLE
    "una@example.com": {"email_verified": False},
    "mia@example.com": {},  # her provider does not say
    "tom@example.com": {"email_verified": "true"},
}


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    users = [User(sub=email, claims={"email": email, **claims}) for email, claims in CLAIMS.items()]
    with run_server_in_thread(port=0, user_claims=users) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory, chromium: Browser, provider: str) -> Iterator[str]:
    del chromium  # without a browser there is no need to start
    port = free_port()
    variables = {
        "DASHBOARD_PORT": str(port),
        "DASHBOARD_OIDC_ISSUER": provider,
        "DASHBOARD_OIDC_CLIENT_ID": "dashboard",
        "DASHBOARD_OIDC_CLIENT_SECRET": "fictional",
        "DASHBOARD_OIDC_COOKIE_SECRET": "Vq3ZkW8xTb1MnR6yHs2LpD5gJf9CuA7e",
        "DASHBOARD_OIDC_PUBLIC_URL": f"http://localhost:{port}",
        "DASHBOARD_PEOPLE": "ann@example.com=sender,una@example.com=admin,"
        "mia@example.com=admin,tom@example.com=admin",
    }
    with serve(tmp_path_factory.mktemp("locked"), **variables) as address:
        yield address


@pytest.fixture
def page(chromium: Browser, provider: str) -> Iterator[Page]:
    with visitor(chromium, elsewhere=provider) as opened:
        yield opened


def sign_in(page: Page, address: str, email: str) -> None:
    page.goto(address + "/settings")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.locator("input[name=sub]").fill(email)
    page.locator("button[type=submit], input[type=submit]").first.click()


@pytest.mark.first
def test_a_listed_person_gets_in(page: Page, locked: str) -> None:
    sign_in(page, locked, "ann@example.com")
    expect(page.get_by_text(f"Signed in as ann@{JOINER}example.com (sender)")).to_be_visible()
    cookie = next(one for one in page.context.cookies() if one["name"] == "_streamlit_user")
    assert cookie["httpOnly"]
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="End session").click()  # at the provider
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(
    "email", ["eve@example.com", "una@example.com", "mia@example.com", "tom@example.com"]
)
def test_nobody_else_sees_a_page(page: Page, locked: str, email: str) -> None:
    sign_in(page, locked, email)
    expect(page.get_by_role("heading", name="No access")).to_be_visible()
    settled(page)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)


@pytest.mark.parametrize("path", ["/", "/new", "/campaigns", "/settings"])
def test_signed_out_no_page_answers(page: Page, locked: str, path: str) -> None:
    page.context.add_cookies([{"name": "_streamlit_user", "value": "forged", "url": locked}])
    page.goto(locked + path)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
