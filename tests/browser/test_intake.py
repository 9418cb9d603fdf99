"""From any sheet to a checked list: columns matched, rows put right, verdicts downloaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from accessibility import assert_tools_cover_nothing
from dashboard_server import settled
from journey_steps import chosen, figure, onward, type_over_first_phone
from playwright.sync_api import Page, expect

from dashboard.contacts import read_sheet

pytestmark = pytest.mark.browser

SHEET = """Kundenliste;;;;
Vorname;Ort;Mobil;Festnetz;SMS erlaubt
Ann;Köln;07911 123456;020 7946 0000;ja
Ben;Zürich;0791112345;07911 123457;ja
Cleo;Graz;07911 123458;;nein
Dev;Bonn;nope;;ja
Eva;Bonn;07911 123456;;ja
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "Kunden.csv"
    path.write_bytes(SHEET.encode("cp1252"))
    return path


def test_columns_are_matched_rows_put_right_and_verdicts_downloaded(
    go: Callable[[str, str], Page], sheet: Path, tmp_path: Path
) -> None:
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(sheet)
    expect(page.get_by_text("5 rows and 5 columns")).to_be_visible()
    expect(page.get_by_text("The header was found in row 2")).to_be_visible()
    page.get_by_test_id("stDataFrame").hover()
    assert_tools_cover_nothing(page)
    onward(page, "What is in the columns")
    page.get_by_test_id("stDataFrame").hover()
    assert_tools_cover_nothing(page)
    expect(chosen(page, "Phone columns")).to_have_text(["Mobil", "Festnetz"])
    page.get_by_role("button", name="Remove Festnetz").click()
    settled(page)
    expect(chosen(page, "Phone columns")).to_have_text(["Mobil"])
    onward(page, "What was found")
    expect(figure(page, "Ready to send")).to_have_text("1")
    expect(figure(page, "To fix")).to_have_text("2")
    type_over_first_phone(page, "07911 123459")
    page.get_by_role("button", name="Check these again").click()
    settled(page)
    expect(figure(page, "Ready to send")).to_have_text("2")
    expect(figure(page, "To fix")).to_have_text("1")
    rejected = download(page, "rows left out", tmp_path)
    assert rejected.frame["row"].tolist() == ["5", "6", "7"]
    assert rejected.frame["Ort"].tolist() == ["Graz", "Bonn", "Bonn"]
    assert rejected.frame["problem"].tolist() == ["no_consent", "not_a_number", "duplicate"]
    assert rejected.frame["explanation"].str.len().min() > len("Not a number.")


def test_a_sheet_with_other_letters_is_read_as_the_person_says(
    go: Callable[[str, str], Page], tmp_path: Path
) -> None:
    path = tmp_path / "klienci.csv"
    path.write_bytes("imię,telefon\nŁucja,07911 123456\nŻaneta,07911 123457\n".encode("cp1250"))
    page = go("/new", "New campaign")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text("2 rows and 2 columns")).to_be_visible()
    page.get_by_text("Letters or columns look wrong?").click()
    settled(page)
    preview = page.get_by_test_id("stDataFrame").locator("table")
    expect(preview).to_contain_text("Łucja")
    page.get_by_role("combobox", name="Encoding").fill("cp1252")
    page.get_by_role("option", name="cp1252", exact=True).click()
    settled(page)
    expect(preview).to_contain_text("£ucja")


def download(page: Page, what: str, folder: Path):
    page.get_by_role("button", name="Download", exact=True).click()
    section = page.get_by_test_id("stPopoverBody")
    expect(section).to_contain_text(what)
    with page.expect_download() as coming:
        section.get_by_test_id("stDownloadButton").filter(has_text="CSV").first.click()
    target = folder / coming.value.suggested_filename
    coming.value.save_as(target)
    return read_sheet(target)
