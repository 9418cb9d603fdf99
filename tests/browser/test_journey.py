"""The whole job as a marketer does it: from the messy workbook to delivered messages and a bill that fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from dashboard_server import ROOT, get, settled
from journey_steps import figure, onward, stages, write
from patience import wait_until
from playwright.sync_api import Page, expect
from sandbox_books import SandboxBooks

pytestmark = pytest.mark.browser

WORKBOOK = ROOT / "data" / "contacts.xlsx"
SOON = {"send_delay_s": [0, 0.1], "delivery_delay_s": [0, 0.2]}
TEXT = "Hi {{ First name | there }}, our spring sale starts on Saturday. Your code: {{ Voucher | SPRING }}"


@pytest.mark.first
def test_from_the_messy_workbook_to_delivered_messages(
    go: Callable[[str, str], Page], dashboard: str, dashboard_folder: Path
) -> None:
    name, books = "Spring sale", SandboxBooks(dashboard_folder)
    books.simulate(SOON)
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(WORKBOOK)
    expect(page.get_by_text("These are the first")).to_be_visible()
    onward(page, "What is in the columns")
    onward(page, "What was found")
    expect(figure(page, "Ready to send")).to_have_text("1,900")
    onward(page, "Preview")
    write(page, "Campaign name", name, "Tab")
    write(page, "Message", TEXT)
    expect(page.locator(".bubble")).to_contain_text("our spring sale starts on Saturday")
    onward(page, "The first message")
    page.reload()
    settled(page)
    page.get_by_role("button", name="Send 1,900 messages").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1,900 people")
    expect(dialog).to_contain_text("cannot be recalled")
    dialog.get_by_role("button", name="Send now").dblclick()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/campaign\?id=\w+"))
    expect(page.locator(".st-key-page-head")).to_contain_text("Done")
    expect(stages(page)).not_to_contain_text("On their way")
    _agrees_with_the_sandbox(page, books, name)
    wait_until(lambda: get(f"{dashboard}/healthz") == (200, b'{"ok":true}'))


def _agrees_with_the_sandbox(page: Page, books: SandboxBooks, name: str) -> None:
    """Compare what the page says with the sandbox's own books."""
    ours = books.messages(name)
    assert len(ours) == 1900
    billed = sum(int(message["credits_used"]) for message in ours)
    delivered = sum(message["delivered_at"] is not None for message in ours)
    failed = sum(message["failure_reason"] is not None for message in ours)
    assert delivered + failed == 1900
    expect(page.locator(".facts").filter(has_text="Billed")).to_contain_text(f"{billed:,} credits")
    expect(stages(page)).to_contain_text(f"Delivered {delivered:,}")
    expect(stages(page)).to_contain_text(f"Failed {failed:,}")
