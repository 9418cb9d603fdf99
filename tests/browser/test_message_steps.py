"""Steps 4 and 5: two texts compared, one tried on one's own phone, and each recipient texted at ten."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from dashboard_server import ON_A_PHONE, settled
from journey_steps import onward, write
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, ON_A_PHONE]

SHEET = """First name,Mobile,Has account
Ann,+447400183645,yes
Ben,+12125836417,no
Cleo,+16026294713,
"""
TEXT = (
    "Hi {{ First name | there }}, come at ten. Reply STOP to opt out"
    "{{#Has account}}, dear member{{/Has account}}."
)


@pytest.fixture
def message(go: Callable[[str, str], Page], tmp_path: Path) -> Page:
    """A page at step 4, with a name and a text."""
    sheet = tmp_path / "people.csv"
    sheet.write_text(SHEET)
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(sheet)
    expect(page.get_by_text("3 rows and 3 columns")).to_be_visible()
    for landmark in ("What is in the columns", "Ready to send", "Preview"):
        onward(page, landmark)
    write(page, "Campaign name", "Doors", "Tab")
    write(page, "Message", TEXT)
    return page


def test_two_texts_one_test_and_ten_oclock_for_everybody(message: Page) -> None:
    page = message
    expect(page.locator(".bubble")).to_have_text("Hi Ann, come at ten. Reply STOP to opt out, dear member.")
    page.get_by_text("Compare texts (A/B)").click()
    expect(page.get_by_role("textbox", name="Message A", exact=True)).to_be_visible()
    settled(page)
    page.get_by_role("radio", name="B", exact=True).click()
    settled(page)
    write(page, "Message B", "{{ First name | You }}, doors open! Reply STOP to opt out.")
    expect(page.locator(".bubble")).to_have_text(re.compile(r"^\w+, doors open!"))
    expect(rows_of(page, "What each text costs")).to_have_count(2)
    send_test(page, "+447400183646")
    onward(page, "The first message with text A")
    page.get_by_role("radio", name="Recipient's local time").click()
    settled(page)
    page.get_by_text("Quiet hours").click()
    settled(page)
    times = rows_of(page, "When messages are sent, on your clock and the recipients'")
    expect(times).to_have_count(3)
    for place in ("London", "New York", "Phoenix"):
        expect(times.filter(has_text=place)).to_contain_text("10:00")
    page.get_by_role("button", name="Schedule 3 messages").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Everything not yet handed over can be cancelled")
    dialog.get_by_role("button", name="Schedule it").click()
    expect(page.get_by_role("heading", name="Doors", exact=True)).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Cancel").first.click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Cancel")).click()
    expect(page.locator(".st-key-page-head")).to_contain_text("Cancelled")


def rows_of(page: Page, table: str) -> Locator:
    return page.get_by_role("table", name=table).locator("tbody tr")


def send_test(page: Page, phone: str) -> None:
    page.get_by_role("button", name="Send a test").click()
    numbers = page.get_by_role("textbox", name="Your numbers")
    numbers.fill(phone)
    numbers.press("Enter")
    settled(page)
    page.get_by_role("button", name="Send the test").click()
    expect(page.get_by_text("The test is on its way")).to_be_visible()
    page.keyboard.press("Escape")
    settled(page)
