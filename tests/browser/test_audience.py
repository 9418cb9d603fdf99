"""Choosing whom to text: several lists, a list to leave out, conditions, a sample, one person's row."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from accessibility import assert_accessible
from dashboard_server import ON_BOTH, pick, settled
from journey_steps import ROW_HEIGHT, ask_to_send, figure, numbers, onward
from playwright.sync_api import Page, expect

from dashboard.app.audience import DraftAudience
from dashboard.app.drafts import Drafts

pytestmark = [pytest.mark.browser, ON_BOTH]
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


def test_several_lists_are_checked_as_one_and_a_list_is_left_out(
    go: Callable[[str, str], Page], sheets: Path
) -> None:
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
    onward(page, "What is in the columns")
    page.get_by_role("radio", name="fair.csv").click()
    settled(page)
    expect(page.get_by_test_id("stMultiSelect").first).to_contain_text("Handy")
    onward(page, "Who gets it")
    expect(figure(page, "Ready to send")).to_have_text("6")
    expect(figure(page, "Duplicates")).to_have_text("1")
    expect(page.get_by_text("6 people will be texted; 1 is not chosen.")).to_be_visible()
    page.get_by_role("radio", name="Duplicates (1)").click()
    settled(page)
    table = page.get_by_test_id("stDataFrame").locator("table")
    for cell in ("fair.csv", "6 of shop.csv"):
        expect(table).to_contain_text(cell)
    page.get_by_role("button", name="Back").click()
    settled(page)
    page.get_by_role("button", name="Back").click()
    expect(page.get_by_text("1 row to leave out")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Remove").last.click()
    expect(page.get_by_text("1 row to leave out")).to_have_count(0)


def test_people_are_chosen_by_conditions_and_a_sample_with_a_count_that_follows(
    page: Page, dashboard: str, dashboard_folder: Path
) -> None:
    page.goto(dashboard + at_rows(dashboard_folder))
    expect(page.get_by_text("5 people will be texted: everybody who is ready.")).to_be_visible()
    settled(page)
    page.get_by_text("Choose among them").click()
    page.get_by_role("button", name="Add a condition").click()
    settled(page)
    expect(page.get_by_role("button", name="Continue")).to_be_disabled()
    pick(page, "Value", "York (2)")
    expect(page.get_by_text("2 people will be texted; 3 are not chosen.")).to_be_visible()
    pick(page, "Test", "is not")
    expect(page.get_by_text("3 people will be texted; 2 are not chosen.")).to_be_visible()
    settled(page)
    assert_accessible(page)
    fill(page, "At most … people, at random", "1")
    expect(page.get_by_text("1 person will be texted; 4 are not chosen.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("1 person will be texted; 4 are not chosen.")).to_be_visible()
    settled(page)
    fill(page, "At most … people, at random", "")
    expect(page.get_by_text("3 people will be texted; 2 are not chosen.")).to_be_visible()
    page.get_by_role("button", name="Remove this condition").click()
    expect(page.get_by_text("5 people will be texted: everybody who is ready.")).to_be_visible()
    settled(page)


def test_those_texted_lately_are_left_out(
    page: Page, dashboard: str, dashboard_folder: Path, campaign: str
) -> None:
    del campaign  # to the people of data/contacts_clean.csv
    page.goto(dashboard + at_rows(dashboard_folder, f"{SHOP}\nGareth,+447200108000,Hull\n"))
    expect(page.get_by_text("6 people will be texted: everybody who is ready.")).to_be_visible()
    settled(page)
    page.get_by_text("Choose among them").click()
    fill(page, "Not texted in the last … days", "30")
    expect(page.get_by_text("5 people will be texted; 1 is not chosen.")).to_be_visible()
    fill(page, "Not texted in the last … days", "")
    expect(page.get_by_text("6 people will be texted: everybody who is ready.")).to_be_visible()
    pick(page, "Leave out people who got", re.compile("^Clean list"))
    expect(page.get_by_text("5 people will be texted; 1 is not chosen.")).to_be_visible()
    settled(page)


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


def test_the_choice_is_kept_with_the_campaign_and_made_again(
    page: Page, dashboard: str, dashboard_folder: Path
) -> None:
    in_york = DraftAudience.model_validate({"conditions": [{"column": "City", "values": ["York"]}]})
    choices = {"name": "York only", "template": "Doors open at ten. Reply STOP to opt out."}
    page.goto(dashboard + at_rows(dashboard_folder, audience=in_york, **choices))
    expect(page.get_by_text("2 people will be texted; 3 are not chosen.")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Save the list").click()
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The list is saved.")).to_be_visible()
    settled(page)
    onward(page, "Preview")
    onward(page, "The first message")
    ask_to_send(page, 2)
    page.get_by_role("dialog").get_by_role("button", name="Send now").click()
    expect(page.get_by_role("heading", name="York only", exact=True)).to_be_visible()
    made_for = page.locator(".st-key-made-for")
    expect(made_for).to_contain_text("City is York")
    expect(made_for).to_contain_text("York only")
    settled(page)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Use again").click()
    page.get_by_role("button", name="Use the same lists: York only").click()
    onward(page, "Who gets it")
    expect(page.get_by_text("2 people will be texted; 3 are not chosen.")).to_be_visible()
    settled(page)
    expect(page.get_by_role("combobox", name="Value")).to_have_value("York (2)")
    fill(page, "Not texted in the last … days", "1")
    expect(page.get_by_text("Nobody is chosen. Change the conditions above.")).to_be_visible()
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


def fill(page: Page, label: str, number: str) -> None:
    box = page.get_by_role("spinbutton", name=label)
    box.fill(number)
    box.press("Enter")
    settled(page)


def open_row(page: Page, place: int) -> None:
    """Click into a row's first cell. The table is drawn on a canvas, with rows of three lines."""
    table = page.get_by_test_id("stDataFrame").last
    table.click(position={"x": 100, "y": ROW_HEIGHT + 76 * (place - 0.5)})
