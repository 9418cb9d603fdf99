"""The page beside campaigns: opt-outs added, uploaded and taken off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_A_PHONE, settled
from journey_steps import ROW_HEIGHT, figure, leave_draft, write
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser
SELECT_X = 18


@ON_A_PHONE
def test_opt_outs_are_added_uploaded_and_taken_off(
    go: Callable[[str, str], Page],
    dashboard: str,
    dashboard_folder: Path,
    tmp_path: Path,
) -> None:
    one, two, three = (f"07400 30000{place}" for place in range(3))
    page = go("/opt-outs", "Opt-outs")
    add_opt_outs(page, lambda dialog: write(page, "Phone numbers", f"{one}\nnope"))
    expect(page.get_by_text("1 number is now on the list (1 new).")).to_be_visible()
    expect(page.get_by_text("No valid number in 1 line: 2")).to_be_visible()
    sheet = tmp_path / "unsubscribed.csv"
    sheet.write_text(f"Mobile,Unsubscribed\n{one},yes\n{two},yes\n{three},no\n")
    add_opt_outs(page, lambda dialog: dialog.locator("input[type=file]").set_input_files(sheet))
    expect(page.get_by_text("2 numbers are now on the list (1 new).")).to_be_visible()
    expect(
        page.get_by_text("1 row skipped: the sheet does not say that this person refused (Unsubscribed).")
    ).to_be_visible()

    page.goto(dashboard + leave_draft(dashboard_folder, "\n".join(["Mobile", one, two, three]), step=3))
    expect(figure(page, "Opted out")).to_have_text("2")
    expect(figure(page, "Ready to send")).to_have_text("1")

    page = go("/opt-outs", "Opt-outs")
    find(page, two, "1 number found.")
    select_first_row(page)
    page.get_by_role("button", name="Take it off the list…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Take it off")).to_be_disabled()
    write(page, "Why", "Opted in again on the website", "Enter")
    dialog.get_by_role("button", name="Take it off").click()
    expect(page.get_by_text("The number can be texted again.")).to_be_visible()
    find(page, two, "0 numbers found.")
    page.get_by_role("radio", name="Taken off").click()
    settled(page)
    expect(page.get_by_test_id("stDataFrame").locator("table")).to_contain_text(two[-9:].replace(" ", ""))


def add_opt_outs(page: Page, fill: Callable[[Locator], None]) -> None:
    """Add numbers in the dialog, however they are put into it."""
    page.get_by_role("button", name="Add numbers").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Add", exact=True)).to_be_disabled()
    fill(dialog)
    assert_accessible(page)
    expect(dialog.get_by_role("button", name="Add", exact=True)).to_be_enabled()
    settled(page)
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog).to_have_count(0)
    settled(page)


def find(page: Page, phone: str, found: str) -> None:
    write(page, "Find a number", phone, "Enter")
    expect(page.get_by_text(found)).to_be_visible()


def select_first_row(page: Page) -> None:
    """The table is drawn on a canvas."""
    page.get_by_test_id("stDataFrame").click(position={"x": SELECT_X, "y": 1.5 * ROW_HEIGHT})
