"""A reload in each step loses nothing, up to a campaign that starts tomorrow; axe looks at every step."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_A_PHONE, settled
from journey_steps import chosen, figure, head, onward, type_over_first_phone, write
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, ON_A_PHONE]
SHEET = "First name,Mobile,Landline\nAnn,+447400183645,\nBen,0740018364,\nCleo,+447400183647,020 7946 0000\n"
TEXT = "Hi {{ First name }}, doors open at ten. Reply STOP to opt out."


def test_a_reload_loses_nothing_on_the_way_to_a_scheduled_campaign(
    go: Callable[[str, str], Page], tmp_path: Path
) -> None:
    name, sheet = "Tomorrow", tmp_path / "people.csv"
    sheet.write_text(SHEET)
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(sheet)
    expect(page.get_by_text("3 rows and 3 columns")).to_be_visible()
    draft = page.url
    reload(page)
    expect(page.get_by_text("3 rows and 3 columns")).to_be_visible()

    onward(page, "What is in the columns")
    page.get_by_role("button", name="Remove Landline").click()
    settled(page)
    reload(page)
    expect(chosen(page, "Phone columns")).to_have_text(["Mobile"])

    onward(page, "What was found")
    expect(figure(page, "Ready to send")).to_have_text("2")
    type_over_first_phone(page, "07400 183646")
    page.get_by_role("button", name="Check these again").click()
    expect(figure(page, "Ready to send")).to_have_text("3")
    settled(page)
    reload(page)
    expect(figure(page, "Ready to send")).to_have_text("3")
    expect(page.get_by_text("1 phone corrected here.")).to_be_visible()

    onward(page, "Preview")
    write(page, "Campaign name", name, "Tab")
    write(page, "Message", TEXT)
    reload(page)
    expect(page.get_by_role("textbox", name="Campaign name")).to_have_value(name)
    expect(page.get_by_role("textbox", name="Message", exact=True)).to_have_value(TEXT)
    expect(page.locator(".bubble")).to_contain_text("Hi Ann, doors open")

    onward(page, "The first message")
    page.get_by_role("radio", name="One time").click()
    expect(page.get_by_role("button", name="Schedule 3 messages")).to_be_visible()
    settled(page)
    reload(page)
    expect(page.get_by_role("radio", name="One time")).to_be_checked()
    page.get_by_role("button", name="Schedule 3 messages").click()
    expect(page.get_by_role("dialog")).to_contain_text(tomorrow())
    assert_accessible(page)
    page.get_by_role("dialog").get_by_role("button", name="Schedule it").click()
    expect(head(page)).to_contain_text("Scheduled")
    settled(page)
    reload(page)
    expect(page.get_by_text(f"Starts {tomorrow()}")).to_be_visible()

    campaign = page.url
    page.goto(draft)
    page.get_by_role("link", name="Follow its progress").click()
    expect(page).to_have_url(re.compile(re.escape(campaign)))
    cancel(page)


def cancel(page: Page) -> None:
    settled(page)
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel the campaign").click()
    expect(head(page)).to_contain_text("Cancelled")


def reload(page: Page) -> None:
    page.reload()
    settled(page)
    assert_accessible(page)


def tomorrow() -> str:
    """What the wizard proposes: ten o'clock of the next day on the clock of whoever looks."""
    day = datetime.now(ZoneInfo("Europe/Berlin")) + timedelta(days=1)
    return f"{day.day} {day:%b %Y}, 10:00 (Europe/Berlin)"
