"""A real OpenID Connect round trip with a provider on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from dashboard_server import serve, settled, visitor
from journey_steps import onward, write
from odd_server import closed_port
from oidc_provider_mock import User, run_server_in_thread
from playwright.sync_api import Browser, Page, expect
from sign_in_settings import SIGN_IN

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
    port = closed_port()
    variables = {
        "DASHBOARD_PORT": str(port),
        **SIGN_IN,
        "DASHBOARD_OIDC_ISSUER": provider,
        "DASHBOARD_OIDC_PUBLIC_URL": f"http://localhost:{port}",
        "DASHBOARD_COUNTRY": "GB",
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
    page.get_by_role("link", name="Sign in").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.locator("input[name=sub]").fill(email)
    page.locator("button[type=submit], input[type=submit]").first.click()


@pytest.mark.first
def test_a_listed_person_gets_in_to_the_page_they_asked_for_and_out_again(page: Page, locked: str) -> None:
    sign_in(page, locked, "ann@example.com")
    expect(page.get_by_text(f"Signed in as ann@{JOINER}example.com (Campaign sender)")).to_be_visible()
    expect(page).to_have_url(f"{locked}/settings")
    cookie = next(one for one in page.context.cookies() if one["name"].startswith("dashboard-"))
    assert cookie["httpOnly"]
    assert (cookie["sameSite"], cookie["expires"]) == ("Lax", -1)
    other = page.context.new_page()
    other.goto(locked + "/campaigns")
    expect(other.get_by_role("heading", name="Campaigns")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    for tab in (page, other):
        expect(tab.get_by_role("link", name="Sign in")).to_be_visible()
    page.goto(locked)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_whoever_is_signed_in_uploads_writes_and_downloads(page: Page, locked: str, tmp_path: Path) -> None:
    """Files, uploads and the editor's own parts come through doors of their own."""
    sheet = tmp_path / "people.csv"
    sheet.write_text("Name,Mobile\nAnn,07911 123456\nBen,nope\n")
    sign_in(page, locked, "ann@example.com")
    settled(page)
    page.goto(locked + "/new")
    page.locator("input[type=file]").set_input_files(sheet)
    expect(page.get_by_text("2 rows and 2 columns")).to_be_visible()
    settled(page)
    onward(page, "What is in the columns")
    onward(page, "What was found")
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as coming:
        page.get_by_test_id("stPopoverBody").get_by_test_id("stDownloadButton").filter(
            has_text="CSV"
        ).first.click()
    assert "nope" in coming.value.path().read_text("utf-8-sig")
    page.keyboard.press("Escape")
    onward(page, "Preview")
    write(page, "Campaign name", "Spring", "Tab")
    write(page, "Message", "Hi {{Name}}, doors open at ten.")
    expect(page.locator(".bubble")).to_contain_text("Hi Ann, doors open")


def test_without_a_page_one_signs_out_all_the_same(page: Page, locked: str) -> None:
    sign_in(page, locked, "ann@example.com")
    settled(page)
    page.goto(locked + "/sign-in")
    expect(page.get_by_text("You are signed in as ann@example.com.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    assert not [one for one in page.context.cookies() if one["name"].startswith("dashboard-")]


@pytest.mark.parametrize(
    "email", ["eve@example.com", "una@example.com", "mia@example.com", "tom@example.com"]
)
def test_nobody_else_sees_a_page(page: Page, locked: str, email: str) -> None:
    sign_in(page, locked, email)
    expect(page.get_by_role("heading", name="No access")).to_be_visible()
    expect(page.get_by_role("link", name="Use another account")).to_be_visible()
    page.goto(locked)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/new", "/campaigns", "/settings"])
def test_signed_out_no_page_answers(page: Page, locked: str, path: str) -> None:
    for name in ("_streamlit_user", f"dashboard-{urlsplit(locked).port}"):
        page.context.add_cookies([{"name": name, "value": "forged", "url": locked}])
    page.goto(locked + path)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_count(0)
