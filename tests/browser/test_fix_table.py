"""The table of rows to put right, typed into as people do: quickly, several cells at once, and anywhere."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from dashboard_server import ON_A_PHONE, settled
from journey_steps import PHONE_X, ROW_HEIGHT, figure
from playwright.sync_api import Locator, Page, Position, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import Columns

pytestmark = pytest.mark.browser
Go = Callable[[str, str], Page]
ROW_X = 30
TRIES, CELL_OPENS_MS, A_MOMENT_MS = 10, 10_000, 2_000
SHEET = "Mobile,First name\n07400183645,Ann\n" + "".join(f"nope {n},Person {n}\n" for n in range(1, 5))


FRENCH = "".join(f"06 12 34 5{n} 78,Person {n}\n" for n in range(6))
HOME = "".join(f"07400 18{n * 37 + 100}6,Person {n}\n" for n in range(8))
AGREED = f"{FRENCH}{HOME}".replace("\n", ",yes\n")
UNSURE = f"Mobile,First name,SMS consent\n07400183655,Zoe,perhaps\n{AGREED}"


@pytest.fixture
def fix_table(go: Go, dashboard_folder: Path) -> Callable[..., tuple[Page, str]]:
    """Opens the rows of a draft; unless another sheet is given, four of five have no phone."""

    def open_(sheet: str = SHEET, ready: int = 1, **more: str) -> tuple[Page, str]:
        drafts = Drafts(dashboard_folder / "data" / "drafts")
        draft = drafts.begin("local", "people.csv", io.BytesIO(sheet.encode()))
        consents = ("SMS consent",) if "consent" in sheet else ()
        columns = Columns(phones=("Mobile",), consents=consents)
        decided = {"country": "GB", "columns": columns, "step": 3, **more}
        drafts.save(draft.model_copy(update=decided))
        page = go(f"/new?draft={draft.id}", "New campaign")
        expect(figure(page, "Ready to send")).to_have_text(str(ready))
        settled(page)
        return page, draft.id

    return open_


@ON_A_PHONE
def test_consent_is_asked_first_then_a_country_is_put_right_and_the_ready_are_read(
    fix_table: Callable[..., tuple[Page, str]],
) -> None:
    page, _draft = fix_table(UNSURE, 8, name="Spring", template="Hi {{ First name }}!")
    tabs = page.get_by_role("radiogroup", name="Row by row").get_by_role("radio")
    expect(tabs).to_have_text(["To look at (1)", "To fix (6)", "Ready (8)"])
    expect(
        page.get_by_text("Whether somebody may be texted is answered above, or approved row by row.")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Approve all")).to_have_count(0)
    tabs.nth(1).click()
    page.get_by_role("button", name="6 of these are valid in France: use them").click()
    expect(figure(page, "Ready to send")).to_have_text("14")
    settled(page)  # the tab that was open is gone, and another is being chosen
    page.get_by_text("Ready (14)").click()
    expect(page.get_by_role("region", name="People who can be texted, with the message")).to_be_visible()
    expect(page.get_by_test_id("stDataFrame").filter(has_text="Hi Person 0!")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(figure(page, "Ready to send")).to_have_text("8")


def test_edits_made_while_the_page_is_busy_are_kept(fix_table: Callable[[], tuple[Page, str]]) -> None:
    page, _draft = fix_table()
    type_over(page, 1, "07400 183646")
    expect(check(page)).to_be_enabled()
    check(page).click(no_wait_after=True)
    type_over(page, 2, "07400 183647")  # the answer to the click is not there yet
    expect(figure(page, "Ready to send")).to_have_text("2")
    settled(page)
    unchecked = page.get_by_text(re.compile(r"corrections? (is|are) not checked yet\."))
    page.wait_for_timeout(A_MOMENT_MS)
    if (
        not unchecked.is_visible()
    ):  # the table was replaced under the fingers, and shows that it lacks the text
        type_over(page, 1, "07400 183647")
    expect(unchecked).to_be_visible()
    page.reload()
    settled(page)
    expect(unchecked).to_be_visible()
    check(page).click()
    expect(figure(page, "Ready to send")).to_have_text("3")
    expect(page.get_by_text(re.compile("[23] phones corrected here."))).to_be_visible()


@ON_A_PHONE
def test_an_edit_that_the_click_itself_ends_is_checked_with_the_others(
    fix_table: Callable[[], tuple[Page, str]],
) -> None:
    page, _draft = fix_table()
    type_over(page, 1, "07400 183646")
    expect(check(page)).to_be_enabled()
    settled(page)
    open_cell(page, 2, PHONE_X)
    page.locator(".gdg-input").fill("07400 183647")
    check(page).click()  # the cell is still open
    settled(page)
    expect(page.get_by_text(re.compile("2 phones corrected here|1 correction is not"))).to_be_visible()
    with suppress(PlaywrightTimeoutError):  # where the click took the open cell along, nothing is left
        check(page).click(timeout=A_MOMENT_MS)
    expect(figure(page, "Ready to send")).to_have_text("3")


def test_a_rows_number_is_not_typed_over(fix_table: Callable[[], tuple[Page, str]]) -> None:
    page, _draft = fix_table()
    open_cell(page, 1, ROW_X)
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(check(page)).to_be_disabled()


def test_cells_that_are_pasted_change_phones_only(fix_table: Callable[[], tuple[Page, str]]) -> None:
    page, _draft = fix_table()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", "07400 183646\tEve\n07400 183647\tEve")
    table(page).click(position=place(1, PHONE_X))
    page.keyboard.press("Control+v")
    expect(check(page)).to_be_enabled()
    settled(page)
    check(page).click()
    expect(figure(page, "Ready to send")).to_have_text("3")
    expect(page.get_by_text("2 phones corrected here.")).to_be_visible()


def table(page: Page) -> Locator:
    return page.get_by_test_id("stDataFrame").last


def check(page: Page) -> Locator:
    return page.get_by_role("button", name="Check these again")


def place(row: int, x: float) -> Position:
    """A cell of the canvas; rows count from 1."""
    return {"x": x, "y": (row + 0.5) * ROW_HEIGHT}


def open_cell(page: Page, row: int, x: float) -> None:
    table(page).dblclick(position=place(row, x))


def type_over(page: Page, row: int, text: str) -> None:
    """Type into a cell; once more where the table was replaced before the cell was open."""
    for _ in range(TRIES):
        open_cell(page, row, PHONE_X)
        with suppress(PlaywrightTimeoutError):
            page.locator(".gdg-input").fill(text, timeout=CELL_OPENS_MS)
            page.keyboard.press("Enter")
            return
    pytest.fail("no cell of the table opens")
