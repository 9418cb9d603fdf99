"""A refusal in a merged cell holds for every row and every column that the cell covers, in all workbooks."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

import pytest
import xlsxwriter
import xlwt
from hypothesis import given
from hypothesis import strategies as st
from tiers import only_deep
from workbooks import bend, ods, xlsb, xlsx

from dashboard.contacts import Limits, clean_contacts, read_sheet
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.xls_check import look_into_xls
from dashboard.contacts.read.workbook.xlsb_check import look_into_xlsb

HEADER = ["Mobile", "Email opt out", "SMS opt out", "Name"]
ROWS = [["07400 123456", "yes", "", "Ann"], ["07400 223457", "", "", "Bob"], ["07400 323458", "no", "", "Cy"]]
SHEET = [HEADER, *ROWS]
DOWN = MergedCell(3, 2, 3, 3)
ACROSS = MergedCell(2, 2, 2, 3)
BLOCK = MergedCell(2, 2, 3, 3)
REFUSED = {DOWN: [True, True, False], ACROSS: [True, False, False], BLOCK: [True, True, False]}


def cells_of(merged: MergedCell) -> list[list[str]]:
    cells = [list(row) for row in SHEET]
    cells[1][1] = ""
    cells[merged.first_row - 1][merged.column - 1] = "yes"
    return cells


def as_xlsx(merged: MergedCell, hidden: int = 0) -> bytes:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        for row, cells in enumerate(cells_of(merged)):
            sheet.write_row(row, 0, cells)
        if hidden:
            sheet.set_row(hidden - 1, None, None, {"hidden": True})
        sheet.merge_range(
            merged.first_row - 1, merged.column - 1, merged.last_row - 1, merged.last_column - 1, "yes"
        )

    return xlsx(fill)


def as_xls(merged: MergedCell, hidden: int = 0) -> bytes:
    workbook = xlwt.Workbook()
    sheet = workbook.add_sheet("Kunden – ж")
    for row, cells in enumerate(cells_of(merged)):
        for place, cell in enumerate(cells):
            inside = merged.first_row <= row + 1 <= merged.last_row
            if cell and not (inside and merged.column <= place + 1 <= merged.last_column):
                sheet.write(row, place, cell)
    sheet.write_merge(
        merged.first_row - 1, merged.last_row - 1, merged.column - 1, merged.last_column - 1, "yes"
    )
    if hidden:
        sheet.row(hidden - 1).hidden = True
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def as_xlsb(merged: MergedCell, hidden: int = 0) -> bytes:
    where = struct.pack(
        "<4I", merged.first_row - 1, merged.last_row - 1, merged.column - 1, merged.last_column - 1
    )
    records = b"\xb1\x01\x04" + struct.pack("<I", 1) + b"\xb0\x01\x10" + where + b"\xb2\x01\x00"
    end = b"\x82\x01\x00"  # of the worksheet, record 130
    return bend(
        xlsb(cells_of(merged), {hidden}),
        "xl/worksheets/sheet1.bin",
        lambda part: part[: -len(end)] + records + end,
    )


def as_ods(merged: MergedCell, hidden: int = 0) -> bytes:
    rows, columns = merged.last_row - merged.first_row + 1, merged.last_column - merged.column + 1
    spans = f'table:number-rows-spanned="{rows}" table:number-columns-spanned="{columns}" '.encode()
    before = b'office:value-type="string"><text:p>yes<'
    content = ods(cells_of(merged), row_attributes={hidden - 1: 'table:visibility="collapse"'})
    return bend(content, "content.xml", lambda xml: xml.replace(before, spans + before))


@pytest.mark.parametrize("write", [as_xlsx, as_xls, as_xlsb, as_ods])
@pytest.mark.parametrize("merged", [BLOCK, *only_deep(DOWN, ACROSS)])
def test_an_answer_holds_wherever_its_cell_reaches(
    write: Callable[[MergedCell], bytes], merged: MergedCell
) -> None:
    contacts = clean_contacts(read_sheet(write(merged)), country="GB")
    assert (contacts.rows["status"] == "opted_out").tolist() == REFUSED[merged]
    assert (contacts.rows["status"] == "ok").tolist() == [not refused for refused in REFUSED[merged]]


@pytest.mark.parametrize("write", [as_xlsx, as_xls, as_xlsb, as_ods])
def test_hidden_rows_are_said(write: Callable[..., bytes]) -> None:
    sheet = read_sheet(write(DOWN, hidden=3))
    assert sheet.hidden_rows == {3}
    assert any(note.startswith("Hidden in the workbook: 1 row ") for note in sheet.notes)
    assert sheet.without_hidden_rows().rows.tolist() == [2, 4]


@given(st.data())
def test_the_hidden_rows_of_a_binary_workbook_are_those_that_are_hidden(data: st.DataObject) -> None:
    cell = st.text(max_size=20) | st.floats()
    rows = data.draw(st.lists(st.lists(cell, max_size=4), min_size=1, max_size=40))
    hidden = data.draw(st.sets(st.integers(1, len(rows))))
    seen = look_into_xlsb(xlsb([["phone"], *rows], hidden), Limits())
    assert seen["Customers"].hidden_rows == hidden


@pytest.mark.parametrize("write", [as_xlsx, as_xls, as_xlsb, as_ods])
def test_a_title_across_columns_stays_in_its_first(write: Callable[[MergedCell], bytes]) -> None:
    sheet = read_sheet(write(ACROSS))
    assert list(sheet.frame) == HEADER
    assert sheet.frame["Name"].tolist() == ["Ann", "Bob", "Cy"]


@pytest.mark.parametrize("cut", [600, 1500, 3000])
def test_a_damaged_old_workbook_is_refused_by_a_sentence_or_read(cut: int) -> None:
    whole = as_xls(DOWN)
    for content in (whole[:cut], whole[:512] + b"\xff" * cut, whole[:cut] + bytes(cut)):
        assert isinstance(look_into_xls(content), dict)


def test_a_damaged_binary_workbook_tells_nothing() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/workbook.bin", b"\x9c\x01\x50\xff\xff")
        archive.writestr("xl/_rels/workbook.bin.rels", b"<Relationship Id=1/>")
    assert look_into_xlsb(content.getvalue(), Limits()) == {}
