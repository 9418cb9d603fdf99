"""After a campaign: a person followed through all campaigns, campaigns compared."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_A_PHONE, Server, settled
from journey_steps import ROW_HEIGHT, head
from patience import wait_until
from playwright.sync_api import Page, expect
from sandbox_books import QUICK, SandboxBooks

from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.ledger import Ledger

pytestmark = [pytest.mark.browser, ON_A_PHONE]
DAY = timedelta(days=1)
SELECT_X = 18


def test_a_person_is_followed_from_a_row_through_all_campaigns(page: Page, small_batches: Server) -> None:
    name = "Named"
    SandboxBooks(small_batches.folder).simulate(QUICK)
    campaign = scheduled(small_batches.folder, name)
    with Ledger.open(small_batches.folder / "data") as ledger:
        ledger.start(campaign)
    page.goto(f"{small_batches.address}/campaign?id={campaign}")
    expect(head(page)).to_contain_text("Done")
    page.reload()
    table = page.get_by_test_id("stDataFrame").last
    expect(table.locator("table")).to_contain_text("Ann")
    settled(page)
    touches = page.evaluate("matchMedia('(hover: none)').matches")
    (table.tap if touches else table.click)(position={"x": SELECT_X, "y": 1.5 * ROW_HEIGHT})
    page.get_by_role("button", name="All messages to this person").click()
    expect(page.get_by_role("heading", name="Find a person")).to_be_visible()
    expect(page.get_by_role("textbox", name="Phone number")).to_have_value("+447400111222")
    expect(page.locator(".bubble").first).to_have_text("Hi Ann")
    expect(page.get_by_role("link", name=name)).to_be_visible()
    assert not re.search(r"7400|111222", page.url)
    settled(page)
    assert_accessible(page)
    page.get_by_role("textbox", name="Phone number").fill("07400 333444")
    page.keyboard.press("Enter")
    expect(page.locator(".bubble").first).to_have_text("Hi Ben")
    assert not re.search(r"7400|333444", page.url)


def test_campaigns_are_compared_side_by_side(page: Page, small_batches: Server) -> None:
    names = [f"{which} *of* <b>two</b>" for which in ("First", "Second")]
    for name in names:
        scheduled(small_batches.folder, name)
    page.goto(f"{small_batches.address}/campaigns")
    settled(page)
    box = page.get_by_role("combobox", name="Compare campaigns")

    def is_open() -> bool:
        """Open the choice; a page that is drawn anew at this moment closes it."""
        if not box.is_visible():
            page.get_by_role("button", name="Compare").click()
            settled(page)
        return box.is_visible()

    wait_until(is_open)
    expect(page.get_by_text("Choose two to four campaigns to see them")).to_be_visible()
    for name in names:
        wait_until(is_open)
        box.click()
        page.get_by_role("option", name=name).click()
        settled(page)
    page.keyboard.press("Escape")
    wait_until(is_open)  # where the list of options had gone by itself, the key closed the choice
    page.get_by_role("link", name="Side by side").click()
    expect(page.get_by_role("heading", name="Compare campaigns")).to_be_visible()
    figures = page.get_by_role("region", name="Figures side by side")
    for _look in ("opened", "opened anew from its address"):
        expect(figures.get_by_role("columnheader")).to_have_text(names)
        expect(figures.get_by_role("row", name="Recipients")).to_have_text("Recipients22")
        expect(page.locator(".bubble")).to_have_text(["Hi {{ Name }}"] * 2)
        settled(page)
        assert_accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        page.reload()
    page.get_by_role("link", name=names[1]).click()
    expect(page.get_by_role("heading", name=names[1])).to_be_visible()


def scheduled(folder: Path, name: str) -> str:
    """A campaign that starts by itself in three days; its id."""
    sheet = read_sheet(b"Name,Mobile\nAnn,07400 111222\nBen,07400 333444\n")
    messages = write_messages(clean_contacts(sheet, country="GB"), "Hi {{ Name }}", campaign=name)
    at = datetime.now(UTC).replace(second=0, microsecond=0) + 3 * DAY
    with Ledger.open(folder / "data") as ledger:
        return ledger.create_campaign(name, messages, batch_size=5, scheduled_at=at, sheet=sheet)
