"""Choosing whom to text: several lists, a list to leave out, one person's row."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_A_PHONE, settled
from journey_steps import ROW_HEIGHT, numbers
from playwright.sync_api import Page, expect

from dashboard.app.draft_store import Drafts

pytestmark = [pytest.mark.browser, ON_A_PHONE]
PHONES = numbers(8)
CITIES = ["York", "Leeds", "York", "Bath", ""]
SHOP = "\n".join(
    ["First name,Mobile,City"]
    + [f"Ann,{phone},{city}" for phone, city in zip(PHONES[:5], CITIES, strict=True)]
)
FAIR = f"Vorname,Handy,City\nBen,{PHONES[4]},York\nBen,{PHONES[5]},York\nCleo,{PHONES[6]},Leeds\n"
STAFF = f"Phone\n{PHONES[0]}\n"


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    for name, text in (("shop.csv", SHOP), ("fair.csv", FAIR), ("staff.csv", STAFF)):
        tmp_path.joinpath(name).write_text(text)
    return tmp_path


def test_lists_are_added_to_text_and_to_leave_out(go: Callable[[str, str], Page], sheets: Path) -> None:
    """What then becomes of their rows: app/wizard/test_audience_step.py."""
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(sheets / "shop.csv")
    expect(page.get_by_text("More lists")).to_be_visible()
    settled(page)
    page.get_by_text("Add a list").click()
    add(page, sheets / "fair.csv")
    expect(page.get_by_text("3 rows to text")).to_be_visible()
    page.get_by_role("radio", name="Leave them out").click()
    settled(page)
    add(page, sheets / "staff.csv")
    expect(page.get_by_text("1 row to leave out")).to_be_visible()
    settled(page)
    assert_accessible(page)
    page.get_by_role("button", name="Remove").last.click()
    expect(page.get_by_text("1 row to leave out")).to_have_count(0)


def test_a_row_opens_its_person_with_the_message(page: Page, dashboard: str, dashboard_folder: Path) -> None:
    choices = {"name": "Spring", "template": "Hi {{ First name }} from {{ City | afar }}!"}
    page.goto(dashboard + at_rows(dashboard_folder, **choices))
    expect(page.get_by_text("Who gets it")).to_be_visible()
    settled(page)
    for place, text in ((1, "Hi Ann from York!"), (2, "Hi Ann from Leeds!"), (2, "Hi Ann from Leeds!")):
        open_row(page, place)
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(text)
        expect(dialog).to_contain_text(PHONES[place - 1])
        settled(page)
        assert_accessible(page)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        settled(page)


def at_rows(folder: Path, sheet: str = SHOP, **choices: object) -> str:
    """Leave a draft at the step with the rows; returns its address."""
    drafts = Drafts(folder / "data" / "drafts")
    draft = drafts.begin("local", "shop.csv", BytesIO(sheet.encode()), {"country": "GB"})
    drafts.save(draft.model_copy(update={"step": 3} | choices))
    return f"/new?draft={draft.id}"


def add(page: Page, sheet: Path) -> None:
    settled(page)
    page.locator("input[type=file]").last.set_input_files(sheet)


def open_row(page: Page, place: int) -> None:
    """Click into a row's first cell. The table is drawn on a canvas, with rows of three lines."""
    table = page.get_by_test_id("stDataFrame").last
    table.click(position={"x": 100, "y": ROW_HEIGHT + 76 * (place - 0.5)})
