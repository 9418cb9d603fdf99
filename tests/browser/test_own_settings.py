"""What marketers decide themselves, changed on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_A_PHONE, serve, settled
from journey_steps import ROW_HEIGHT
from patience import wait_until
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser
LINE = "Reply STOP to opt out"
COUNTRY_X, PRICE_X = 100, 320
_BY_ME = re.compile("^local, .+")


@pytest.fixture
def own_server(tmp_path: Path, chromium: Browser) -> Iterator[str]:
    """A dashboard whose environment decides only how many credits a day may use."""
    del chromium
    nothing = {"DASHBOARD_COUNTRY": "", "DASHBOARD_PRICE_PER_CREDIT": ""}
    with serve(tmp_path, **nothing, DASHBOARD_CREDITS_PER_DAY="5000") as address:
        yield address


@ON_A_PHONE
def test_settings_are_changed_and_everybody_sees_by_whom(page: Page, own_server: str) -> None:
    page.goto(own_server + "/settings")
    settled(page)
    expect(page.get_by_text("Nobody has changed a setting yet.")).to_be_visible()
    expect(page.get_by_text("Set by whoever runs this dashboard: Credits per day.")).to_be_visible()
    expect(page.get_by_label("Credits per day", exact=True)).to_be_disabled()

    price = page.get_by_role("textbox", name="Price per credit", exact=True)
    price.fill("0,0375")
    save(page, form(page, "Currency"))
    expect(page.get_by_text("Price per credit: write a price from 0 to 1,000,000")).to_be_visible()
    price.fill("0.0375")
    type_price(page, "United Kingdom", "0.05")
    save(page, form(page, "Currency"))
    expect(page.get_by_text("Saved: Price per credit, Prices by country.")).to_be_visible()
    expect(page.get_by_text("Price per credit: write a price from 0 to 1,000,000")).to_be_hidden()

    texts = form(page, "Saved senders")
    senders = texts.get_by_role("combobox", name="Saved senders", exact=True)
    senders.click()  # on a phone, what is filled in before that is lost
    senders.fill("ACME")
    expect(page.get_by_role("option", name="Add: ACME")).to_be_visible()
    senders.press("Enter")
    expect(texts.get_by_test_id("stMultiSelect")).to_contain_text("ACME")
    senders.press("Escape")
    texts.get_by_role("textbox", name="Line for opting out", exact=True).fill(LINE)
    save(page, texts)
    hours = form(page, "New campaigns keep quiet hours")
    hours.get_by_text("New campaigns keep quiet hours", exact=True).click()
    hours.get_by_role("button", name="Sun", exact=True).click()
    save(page, hours)
    caps = form(page, "Credits per campaign")
    most = caps.get_by_label("Credits per campaign", exact=True)
    changes = page.get_by_role("table", name="Who changed which setting")
    for typed, said in (("900", "900"), ("", "Not set")):
        settled(page)  # the form was drawn anew, and the old one may still be there
        most.fill(typed)
        save(page, caps)
        expect(changes.get_by_role("row").nth(1)).to_contain_text(f"Credits per campaign{said}")
    for cells in (
        ["Texting hours", "09:00–20:00 Mon, Tue, Wed, Thu, Fri, and Sat"],
        ["Prices by country", "United Kingdom 0.05"],
        ["Saved senders", "ACME"],
    ):
        row = changes.get_by_role("row").filter(has_text=cells[0])
        expect(row.get_by_role("cell")).to_have_text([*cells, _BY_ME])
    assert_accessible(page)


def form(page: Page, field: str) -> Locator:
    """The form that has this field."""
    return page.get_by_test_id("stForm").filter(has_text=field)


def save(page: Page, around: Locator) -> None:
    around.get_by_role("button", name="Save", exact=True).click()
    settled(page)


def type_price(page: Page, country: str, price: str) -> None:
    """Fill the row that is still blank. The table is drawn on a canvas, which moves when its row is there."""
    table = page.get_by_test_id("stDataFrame").first
    editor = page.locator("#portal input, #portal textarea").first
    table.scroll_into_view_if_needed()

    def is_typed(x: float, text: str) -> bool:
        box = table.bounding_box()
        assert box is not None
        table.click(position={"x": min(x, box["width"] - 30), "y": 1.5 * ROW_HEIGHT})
        page.wait_for_timeout(300)  # a finger opens the blank row at once, a mouse does not
        if not editor.is_visible():
            page.keyboard.press("Enter")
        expect(editor).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(editor).to_have_count(0)
        page.wait_for_timeout(300)  # a redrawn table would take the text along
        return text in str(table.locator("table").text_content())  # as read out

    wait_until(lambda: is_typed(COUNTRY_X, country))
    wait_until(lambda: is_typed(PRICE_X, price))
