"""Every page on a desk in light and on a phone in dark: nothing scrolls sideways, nothing is hard to read.

Nor would it in a language that is written from right to left. No catalogue is in such a language: the
direction alone is set here, by the browser.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from accessibility import GOOD_PRACTICE, assert_accessible
from dashboard_server import AT_EACH, SCREENS, settled, visitor
from patience import wait_until
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

PAGES = (
    *("Overview", "New campaign", "Campaigns", "Contacts", "Texts", "Opt-outs", "Find a person"),
    *("Check a number", "Delivery reports", "Settings", "History"),
)
SIDEWAYS = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.scrollWidth)"""


@pytest.fixture(scope="module", params=AT_EACH, ids="-".join)
def screen(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    size, scheme = request.param
    with visitor(chromium, size, scheme) as opened:
        yield opened


@pytest.mark.first
def test_the_menu_leads_to_every_page_which_fits_and_can_be_read(
    screen: Page, dashboard: str, campaign: str
) -> None:
    for _page in by_menu(screen, dashboard, campaign):
        look_at(screen)
    clock = screen.locator(".xtitle", has_text="Europe/Berlin")
    assert clock.count() == 1, "the clock of all other times here"


def by_menu(page: Page, address: str, campaign: str) -> Iterator[None]:
    """Go to every page of the menu, without a reload, and to a campaign's; gives nothing, at each."""
    page.goto(address)
    settled(page)
    page.evaluate("window.stayed = true")
    for heading in PAGES:
        if is_phone(page):
            page.get_by_test_id("stExpandSidebarButton").click()  # it closes again with each choice
        page.get_by_test_id("stSidebarNav").get_by_role("link", name=heading).click()
        page.get_by_role("heading", name=heading, exact=True).first.wait_for()
        settled(page)
        yield
    assert page.evaluate("window.stayed")
    page.goto(f"{address}/campaign?id={campaign}")
    page.get_by_role("heading", name="Clean list", exact=True).first.wait_for()
    settled(page)
    yield


def is_phone(page: Page) -> bool:
    return page.viewport_size == SCREENS["phone"]["viewport"]


def look_at(page: Page) -> None:
    page.evaluate("document.fonts.ready")
    width = SCREENS["phone" if is_phone(page) else "desktop"]["viewport"]["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_accessible(page, GOOD_PRACTICE)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_test_id("stSkeleton")).to_have_count(0)
    page.evaluate("document.documentElement.dir = 'rtl'")
    wait_until(lambda: page.evaluate(SIDEWAYS) == [])  # what slides to the other side has arrived
    assert main.evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    if page.get_by_test_id("stSidebar").get_attribute("aria-expanded") == "false":
        expect(page.get_by_test_id("stSidebarNav")).to_be_hidden()
    page.evaluate("document.documentElement.removeAttribute('dir')")
