"""Two clicks in a row that the server hears of at once, as from anybody who is quicker than a busy server."""

from __future__ import annotations

import pytest
from dashboard_server import Server, settled
from journey_steps import chosen, figure, leave_draft, type_over_first_phone
from playwright.sync_api import Page, expect

from dashboard.app.drafts import Columns

pytestmark = pytest.mark.browser
SHEET = "First name,Mobile,Landline,Work\nAnn,+447400183645,,\nBen,0740018364,,\nCleo,+447400183647,,\n"
PHONES = ("Mobile", "Landline", "Work")


def test_a_correction_is_checked_although_another_tab_was_opened_meanwhile(
    small_batches: Server, page: Page
) -> None:
    at_step(small_batches, page, 3)
    expect(figure(page, "Ready to send")).to_have_text("2")
    type_over_first_phone(page, "07400 183646")
    settled(page)
    with small_batches.standing_still():
        page.get_by_role("button", name="Check these again").click()
        page.get_by_text("Ready (2)").click()
    expect(figure(page, "Ready to send")).to_have_text("3")


def test_both_of_two_columns_are_removed(small_batches: Server, page: Page) -> None:
    at_step(small_batches, page, 2)
    expect(chosen(page, "Phone columns")).to_have_text([*PHONES])
    with small_batches.standing_still():
        page.get_by_role("button", name="Remove Work").click()
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("What was found")).to_be_visible()
    page.go_back()
    expect(chosen(page, "Phone columns")).to_have_text([*PHONES[:2]])


def at_step(server: Server, page: Page, step: int) -> None:
    """Open a draft of three people at one of its steps."""
    decided = {"columns": Columns(phones=PHONES), "step": step, "reached": step}
    page.goto(server.address + leave_draft(server.folder, SHEET, **decided))
    settled(page)
