"""Every page on a desk in light and on a phone in dark: nothing scrolls sideways, nothing is hard to read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from accessibility import GOOD_PRACTICE, assert_accessible
from dashboard_server import AT_EACH, SCREENS, settled, visitor
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PAGES = {
    "overview": ("/", "Overview"),
    "new": ("/new", "New campaign"),
    "campaigns": ("/campaigns", "Campaigns"),
    "contacts": ("/contacts", "Contacts"),
    "texts": ("/texts", "Texts"),
    "opt-outs": ("/opt-outs", "Opt-outs"),
    "person": ("/person", "Find a person"),
    "check": ("/check", "Check a number"),
    "delivery-reports": ("/delivery-reports", "Delivery reports"),
    "settings": ("/settings", "Settings"),
    "history": ("/history", "History"),
}


@pytest.fixture(scope="module", params=AT_EACH, ids="-".join)
def screen(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    size, scheme = request.param
    with visitor(chromium, size, scheme) as opened:
        yield opened


@pytest.fixture
def filled(dashboard: str, campaign: str) -> str:
    del campaign
    return dashboard


@pytest.mark.first
def test_the_menu_leads_to_every_page_which_fits_and_can_be_read(
    screen: Page, filled: str, campaign: str
) -> None:
    screen.goto(filled)
    settled(screen)
    screen.evaluate("window.stayed = true")
    for _, heading in PAGES.values():
        if is_phone(screen):
            screen.get_by_test_id("stExpandSidebarButton").click()  # it closes again with each choice
        screen.get_by_test_id("stSidebarNav").get_by_role("link", name=heading).click()
        look_at(screen, heading)
    assert screen.evaluate("window.stayed"), "without a reload"
    screen.goto(f"{filled}/campaign?id={campaign}")
    look_at(screen, "Clean list")
    clock = screen.locator(".xtitle", has_text="Europe/Berlin")
    assert clock.count() == 1, "the clock of all other times here"


def is_phone(page: Page) -> bool:
    return page.viewport_size == SCREENS["phone"]["viewport"]


def look_at(page: Page, heading: str) -> None:
    page.get_by_role("heading", name=heading, exact=True).first.wait_for()
    settled(page)
    page.evaluate("document.fonts.ready")
    width = SCREENS["phone" if is_phone(page) else "desktop"]["viewport"]["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert_accessible(page, GOOD_PRACTICE)
