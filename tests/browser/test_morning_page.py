"""The overview in the morning."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from accessibility import assert_accessible
from dashboard_server import ON_BOTH, Server, settled
from journey_steps import draft_to_send, numbers
from playwright.sync_api import Page, expect
from test_every_page import is_phone

from dashboard.campaigns import Handover, write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.ledger import Ledger

pytestmark = pytest.mark.browser


def test_the_morning_page_leads_to_what_is_coming_to_drafts_and_to_a_new_campaign(
    server: Server, page: Page
) -> None:
    address = draft_to_send(server.folder, "Christmas card", 4)
    with Ledger.open(server.folder / "data") as ledger:
        contacts = clean_contacts(read_sheet("\n".join(["Mobile", *numbers(3)]).encode()), country="GB")
        messages = write_messages(contacts, "Doors open at ten.", campaign="New year")
        at = datetime.now(UTC) + timedelta(days=3)
        coming = ledger.create_campaign("New year", messages, batch_size=10, scheduled_at=at)
    begin = page.get_by_test_id("stMain").get_by_role("link", name="New campaign")
    for name, leads_to in (
        ("New year", f"/campaign?id={coming}"),
        ("Christmas card", f"{address}&step=review"),
    ):
        page.goto(server.address)
        expect(begin).to_be_visible()
        settled(page)
        assert_accessible(page)
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(server.address + leads_to)
    page.goto(server.address)
    begin.click()
    expect(page).to_have_url(f"{server.address}/new")
    expect(page.get_by_text("Nothing is sent before the last step", exact=False)).to_be_visible()


@ON_BOTH
def test_the_next_days_are_a_calendar_on_a_desk_and_a_list_on_a_phone(server: Server, page: Page) -> None:
    here = ZoneInfo("Europe/Berlin")
    morning = datetime.combine(datetime.now(here).date() + timedelta(days=3), time(9), here)
    long_name = "Donaudampfschifffahrtsgesellschaft-Sonderangebot"
    with Ledger.open(server.folder / "data") as ledger:
        contacts = clean_contacts(read_sheet("\n".join(["Mobile", *numbers(3)]).encode()), country="GB")
        messages = write_messages(contacts, "Doors open at ten.", campaign=long_name)
        at = [morning, morning + timedelta(hours=6), morning + timedelta(days=1)]
        messages = messages.assign(
            scheduled_at=pd.Series(at, dtype="datetime64[us, UTC]"), handover=Handover.HOLD.value
        )
        campaign = ledger.create_campaign(long_name, messages, batch_size=10)
        ledger.start(campaign)
    page.goto(server.address)
    busy, free = (page.locator(f"[class*=st-key-{kind}-day-]") for kind in ("busy", "free"))
    expect(busy).to_have_count(2)
    settled(page)
    assert_accessible(page)
    expect(busy.first).to_contain_text("09:00 to 15:00 · 2 messages")
    expect(busy.last).to_contain_text("09:00 · 1 message")
    first, second = (box for one in busy.all() if (box := one.bounding_box()))
    if is_phone(page):
        expect(free.filter(visible=True)).to_have_count(0)
        assert first["y"] < second["y"]
    else:
        expect(free.filter(visible=True)).to_have_count(5)
        assert (first["y"], first["x"] < second["x"]) == (second["y"], True)
    link = busy.first.get_by_role("link", name=long_name)
    assert link.evaluate("(one) => one.scrollWidth <= one.clientWidth")  # wrapped, not cut off
    link.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.address}/campaign?id={campaign}")
