"""After a campaign: its people followed up, the rejected tried again, a time moved, campaigns compared."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_BOTH, Server, settled
from journey_steps import ROW_HEIGHT, ask_to_send, figure, head, message_box, numbers, send, stages
from patience import wait_until
from playwright.sync_api import Page, expect
from sandbox_books import QUICK, SandboxBooks

from dashboard.campaigns import write_messages
from dashboard.contacts import clean_contacts, read_sheet
from dashboard.ledger import Ledger

pytestmark = [
    pytest.mark.browser,
    ON_BOTH,
]
DAY = timedelta(days=1)
SELECT_X = 18
SOME_OF_SEVEN = 6
"""Refusals that leave some of seven rejected and some not: at most five split a batch."""


def test_those_who_were_not_reached_are_followed_up(
    page: Page, look: tuple[str, str], small_batches: Server
) -> None:
    name, books = f"Lost on a {look[0]}", SandboxBooks(small_batches.folder)
    books.simulate({**QUICK, "delivered_share": 0})
    send(page, small_batches.folder, small_batches.address, name, 3)
    expect(stages(page)).to_contain_text("Failed 3")
    books.simulate(QUICK)
    taken = len(books.messages(name))
    page.get_by_role("button", name="Follow up…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("the service does not report clicks")
    dialog.get_by_text("Failed (3)").click()
    expect(dialog.get_by_text("Not delivered for how many days")).to_have_count(0)
    settled(page)
    assert_accessible(page)
    dialog.get_by_role("button", name="Begin the follow-up").click()
    expect(figure(page, "Ready to send")).to_have_text("3")
    expect(page).to_have_url(re.compile(r"/new\?draft=[0-9a-f]{32}&step=rows"))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("textbox", name="Campaign name")).to_have_value(f"{name} – follow-up")
    assert len(books.messages(name)) == taken  # nothing is sent by itself


def test_the_refused_are_tried_again_and_only_they_get_it(
    page: Page, look: tuple[str, str], small_batches: Server
) -> None:
    name, books = f"Refused on a {look[0]}", SandboxBooks(small_batches.folder)
    books.simulate(QUICK)
    with books.spoiled(faults=[{"kind": "error_before", "next": SOME_OF_SEVEN, "status": 422}]):
        send(page, small_batches.folder, small_batches.address, name, 7)
        expect(stages(page)).to_contain_text("Rejected")
        expect(head(page)).to_contain_text("Done")
    page.reload()
    first = {message["to"] for message in books.messages(name)}
    refused = set(numbers(7)) - first
    page.get_by_role("button", name=f"Try {len(refused)} rejected again").click()
    expect(figure(page, "Ready to send")).to_have_text(str(len(refused)))
    settled(page)
    assert_accessible(page)
    page.get_by_role("button", name="Continue").click()
    expect(message_box(page)).to_have_value("Doors open at ten. Reply STOP to opt out.")
    page.get_by_role("button", name="Continue").click()
    ask_to_send(page, len(refused))
    assert {message["to"] for message in books.messages(name)} == first  # nothing is sent by itself
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(stages(page)).to_contain_text(f"Delivered {len(refused)}")
    assert sorted(message["to"] for message in books.messages(name)) == sorted(numbers(7))


def test_a_time_is_moved_and_then_not_waited_for(
    page: Page, look: tuple[str, str], small_batches: Server
) -> None:
    name, books = f"Later on a {look[0]}", SandboxBooks(small_batches.folder)
    books.simulate(QUICK)
    page.goto(f"{small_batches.address}/campaign?id={scheduled(small_batches.folder, name)}")
    expect(head(page)).to_contain_text("Scheduled")
    settled(page)
    page.get_by_role("button", name="Change the time…").click()
    dialog = page.get_by_role("dialog")
    settled(page)
    assert_accessible(page)
    dialog.get_by_role("spinbutton", name=re.compile("^year")).press("ArrowUp")
    page.keyboard.press("Enter")
    settled(page)
    dialog.get_by_role("button", name="Move it").click()
    expect(dialog).to_have_count(0)
    moved = f"Starts .* {(datetime.now(UTC) + 3 * DAY).year + 1}, .*Europe/Berlin"
    expect(page.get_by_text(re.compile(moved))).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Send now…").click()
    page.get_by_role("dialog").get_by_role("button", name="Send it now").click()
    expect(stages(page)).to_contain_text("Delivered 2")
    assert len(books.messages(name)) == 2


def test_a_person_is_followed_from_a_row_through_all_campaigns(
    page: Page, look: tuple[str, str], small_batches: Server
) -> None:
    name = f"Named on a {look[0]}"
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


def test_campaigns_are_compared_side_by_side(
    page: Page, look: tuple[str, str], small_batches: Server
) -> None:
    names = [f"{which} *of* <b>two</b> on a {look[0]}" for which in ("First", "Second")]
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
