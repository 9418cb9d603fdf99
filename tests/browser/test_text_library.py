"""A text saved from the editor, changed on its own page, and begun with in another campaign."""

from __future__ import annotations

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_BOTH, Server, settled
from journey_steps import draft_at_message, message_box
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
FIRST, SECOND = "Doors open at ten. Reply STOP to opt out.", "Doors open at nine. Reply STOP to opt out."


def save(page: Page, name: str, said: str) -> None:
    page.get_by_role("button", name="Save to library").click()
    box = page.get_by_role("textbox", name="Name of the text", exact=True)
    box.fill(name)
    box.press("Enter")
    page.get_by_role("button", name="Save the text").click()
    expect(page.get_by_text(said)).to_be_visible()
    expect(box).to_have_count(0)


@ON_BOTH
def test_a_text_is_saved_changed_restored_and_begun_with(
    small_batches: Server, page: Page, look: tuple[str, str]
) -> None:
    name = f"Opening {look[0]}"
    page.goto(small_batches.address + draft_at_message(small_batches.folder))
    message_box(page).fill(FIRST)
    save(page, name, f"Saved as version 1 of “{name}”.")
    message_box(page).fill(SECOND)
    save(page, name, f"Saved as version 2 of “{name}”.")

    page.goto(f"{small_batches.address}/texts")
    card = page.locator("[class*=st-key-text-]").filter(has_text=name)
    expect(card.get_by_text(SECOND)).to_be_visible()
    card.get_by_text("1 earlier version").click()
    settled(page)
    assert_accessible(page)
    card.get_by_role("button", name="Use version 1 again").click()
    expect(card.get_by_text("Version 3, saved")).to_be_visible()
    card.get_by_role("button", name="Rename…").click()
    box = page.get_by_role("dialog").get_by_role("textbox")
    box.fill(f"Doors {look[0]}")
    box.press("Enter")
    page.get_by_role("button", name="Rename it").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text(f"Doors {look[0]}", exact=True)).to_be_visible()

    page.goto(small_batches.address + draft_at_message(small_batches.folder))
    page.get_by_role("combobox", name="Start from a saved text").click()
    page.get_by_role("option", name=f"Doors {look[0]}").click()
    expect(message_box(page)).to_have_value(FIRST)

    page.goto(f"{small_batches.address}/texts")
    card = page.locator("[class*=st-key-text-]").filter(has_text=f"Doors {look[0]}")
    card.get_by_role("button", name="Delete…").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete it").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(card).to_have_count(0)
