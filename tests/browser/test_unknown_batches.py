"""Batches that nobody can tell about: what rides on them, and each of the three decisions."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import LOOKS, Server, settled
from journey_steps import head, numbers, send, stages, write
from playwright.sync_api import Page, expect
from sandbox_books import SLOW, SandboxBooks

pytestmark = [
    pytest.mark.browser,
    pytest.mark.parametrize("look", LOOKS, indirect=True, ids="-".join),
]

PEOPLE, BATCH = 15, 5
DECISIONS = {"accepted": "It was sent", "ready": "Send it again", "abandoned": "Leave it"}
BROKEN = ({"kind": "dropped_before", "next": 2}, {"kind": "dropped_after", "next": 1})
"""The connection breaks three times; the third batch was taken all the same."""


def test_each_unknown_batch_is_decided_with_a_reason(
    page: Page, look: tuple[str, str], small_batches: Server
) -> None:
    name, books = f"Unknown on a {look[0]}", SandboxBooks(small_batches.folder)
    books.simulate(SLOW)
    with books.spoiled(faults=BROKEN):
        send(page, small_batches.folder, small_batches.address, name, PEOPLE)
        expect(stages(page)).to_contain_text(f"Unknown {PEOPLE}")
    page.goto(small_batches.address)
    concern = page.locator(".st-key-attention")
    expect(concern).to_contain_text("15 messages may or may not have been sent. Decide what to do.")
    concern.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=f"{PEOPLE} messages nobody can tell about")).to_be_visible()
    settled(page)
    assert_accessible(page)
    arrived, lost, other = in_order(page, books, name)
    expect(page.get_by_text("5 messages, €0.22 at risk")).to_have_count(3)

    expect(page.locator(f".st-key-ready-{lost}").get_by_role("button")).to_be_disabled()
    expect(page.get_by_text("The request may still be on its way.")).to_have_count(3)
    five_minutes_pass(small_batches.folder)
    page.reload()
    settled(page)
    decide(page, lost, "ready", "Their list does not show them")
    expect(page.get_by_text("5 messages, €0.22 at risk")).to_have_count(2)
    expect(stages(page)).to_contain_text(f"On their way {BATCH}")
    expect(head(page)).to_contain_text("Done")
    settled(page)
    decide(page, arrived, "accepted", "Their list shows them")
    expect(page.get_by_text("5 messages, €0.22 at risk")).to_have_count(1)
    settled(page)
    decide(page, other, "abandoned", "Too late for these")
    expect(page.get_by_text("nobody can tell about")).to_have_count(0)
    expect(head(page)).to_contain_text("Done")
    expect(stages(page)).to_have_text(re.compile(r"On their way 10 66\.7%\s*Stopped before sending 5 33\.3%"))
    assert len(books.messages(name)) == PEOPLE - BATCH


def in_order(page: Page, books: SandboxBooks, name: str) -> list[str]:
    """The numbers of the batches on the page: the one that the service took first."""
    taken = books.messages(name)
    assert len(taken) == BATCH
    arrived = numbers(PEOPLE).index(taken[0]["to"]) // BATCH
    named = page.get_by_text(re.compile(r"^Batch \d+ ·")).all_inner_texts()
    batches = [text.split()[1] for text in named]
    return [batches.pop(arrived), *batches]


def decide(page: Page, batch: str, decision: str, why: str) -> None:
    """Decide a batch; ends with the last question answered."""
    label = DECISIONS[decision]
    page.locator(f".st-key-{decision}-{batch}").get_by_role("button", name=label).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name=label)).to_be_disabled()
    write(page, "How do you know?", why, "Enter")
    expect(dialog.get_by_role("button", name=label)).to_be_enabled()
    dialog.get_by_role("button", name=label).click()


def five_minutes_pass(folder: Path) -> None:
    """After which a request that was cut off cannot be on its way any more."""
    with closing(sqlite3.connect(folder / "data" / "ledger.sqlite", timeout=30)) as ledger, ledger:
        ledger.execute("UPDATE batch SET claimed_at = claimed_at - 300000000 WHERE state = 'unknown'")
