"""Batches that nobody can tell about: what rides on them, and each of the three decisions."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from accessibility import assert_accessible, assert_tools_cover_nothing
from dashboard_server import ON_A_PHONE, Server, settled
from journey_steps import ROW_HEIGHT, head, numbers, send, stages, write
from playwright.sync_api import Locator, Page, expect
from sandbox_books import SLOW, SandboxBooks

pytestmark = pytest.mark.browser

PEOPLE, BATCH = 15, 5
SELECT_X = 18
DECISIONS = {"accepted": "They were sent", "ready": "Send them again", "abandoned": "Leave them"}
BROKEN = ({"kind": "dropped_before", "next": 2}, {"kind": "dropped_after", "next": 1})
"""The connection breaks three times; the third batch was taken all the same."""


@ON_A_PHONE
def test_each_unknown_batch_is_decided_with_a_reason(page: Page, small_batches: Server) -> None:
    name, books = "Unknown", SandboxBooks(small_batches.folder)
    send_into_the_unknown(page, small_batches, books, name)
    page.goto(small_batches.address)
    concern = page.locator(".st-key-attention")
    expect(concern).to_contain_text("15 messages may or may not have been sent. Decide what to do.")
    concern.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=f"{PEOPLE} messages with an unknown outcome")).to_be_visible()
    settled(page)
    assert_accessible(page)
    assert_tools_cover_nothing(page)
    expect(cells(page, "€0.23")).to_have_count(3)
    arrived, lost, other = in_order(page, books, name)
    expect(about(page, "All 3 batches")).to_contain_text("15 messages, €0.68 at risk")

    choose(page, lost)
    expect(about(page, "1 chosen batch").get_by_role("button", name=DECISIONS["ready"])).to_be_disabled()
    expect(page.get_by_text("The request may still be on its way.").first).to_be_visible()
    five_minutes_pass(small_batches.folder)
    page.reload()
    settled(page)
    decide(page, lost, "ready", "Their list does not show them")
    expect(about(page, "All 2 batches")).to_contain_text("10 messages, €0.45 at risk")
    expect(stages(page)).to_contain_text(f"On their way {BATCH}")
    expect(head(page)).to_contain_text("Done")
    settled(page)
    decide(page, arrived, "accepted", "Their list shows them")
    expect(about(page, "1 batch")).to_contain_text("5 messages, €0.23 at risk")
    settled(page)
    answer(page, about(page, "1 batch"), "abandoned", "Too late for these")
    expect(page.get_by_text("with an unknown outcome")).to_have_count(0)
    expect(head(page)).to_contain_text("Done")
    expect(stages(page)).to_have_text(re.compile(r"On their way 10\s*Abandoned 5"))
    assert len(books.messages(name)) == PEOPLE - BATCH
    assert other not in batches(page)


def send_into_the_unknown(page: Page, server: Server, books: SandboxBooks, name: str) -> None:
    """Send a campaign whose connection breaks at each batch; ends on its page."""
    books.simulate(SLOW)
    with books.spoiled(faults=BROKEN):
        send(page, server.folder, server.address, name, PEOPLE)
        expect(stages(page)).to_contain_text(f"Unknown {PEOPLE}")
    expect(page.get_by_text("with an unknown outcome")).to_be_visible()


def cells(page: Page, text: str) -> Locator:
    """Cells of the table of unknown batches with this text."""
    return page.get_by_test_id("stDataFrame").first.locator("td").filter(has_text=text)


def batches(page: Page) -> list[str]:
    """The batches in the table, from the top."""
    rows = page.get_by_test_id("stDataFrame").first.locator("table tbody tr")
    return rows.locator("td:first-child").all_text_contents()


def about(page: Page, lead: str) -> Locator:
    """The place with the three buttons that speaks of these batches."""
    return page.locator("[class*=st-key-stake-]").filter(has_text=lead)


def in_order(page: Page, books: SandboxBooks, name: str) -> list[str]:
    """The numbers of the batches on the page: the one that the service took first."""
    taken = books.messages(name)
    assert len(taken) == BATCH
    arrived = numbers(PEOPLE).index(taken[0]["to"]) // BATCH
    oldest_first = batches(page)[::-1]
    return [oldest_first.pop(arrived), *oldest_first]


def choose(page: Page, batch: str) -> None:
    """Choose a row of the table, which is drawn on a canvas."""
    table = page.get_by_test_id("stDataFrame").first
    expect(table.locator("td:first-child").filter(has_text=re.compile(rf"^{batch}$"))).to_be_attached()
    place = batches(page).index(batch)
    touches = page.evaluate("matchMedia('(hover: none)').matches")
    press = table.tap if touches else table.click
    press(position={"x": SELECT_X, "y": (place + 1.5) * ROW_HEIGHT})
    expect(about(page, "1 chosen batch")).to_be_visible()
    settled(page)


def decide(page: Page, batch: str, decision: str, why: str) -> None:
    """Decide one batch of several."""
    choose(page, batch)
    answer(page, about(page, "1 chosen batch"), decision, why)


def answer(page: Page, stake: Locator, decision: str, why: str) -> None:
    """Take a decision; ends with the last question answered."""
    label = DECISIONS[decision]
    stake.get_by_role("button", name=label).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name=label)).to_be_disabled()
    write(page, "How do you know?", why, "Enter")
    expect(dialog.get_by_role("button", name=label)).to_be_enabled()
    dialog.get_by_role("button", name=label).click()


def five_minutes_pass(folder: Path) -> None:
    """After which a request that was cut off cannot be on its way any more."""
    with closing(sqlite3.connect(folder / "data" / "ledger.sqlite", timeout=30)) as ledger, ledger:
        ledger.execute("UPDATE batch SET claimed_at = claimed_at - 300000000 WHERE state = 'unknown'")
