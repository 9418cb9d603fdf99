"""A refusal in a merged cell holds for every row and every column that the cell covers, in all workbooks."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

import pytest
import xlsxwriter
import xlwt
from each import each
from hypothesis import given
from hypothesis import strategies as st
from workbooks import bend, ods, xlsb, xlsx

from dashboard.contacts import Limits, read_sheet
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.xls_check import look_into_xls
from dashboard.contacts.read.workbook.xlsb_check import look_into_xlsb

HEADER = ["Mobile", "Email opt out", "SMS opt out", "Name"]
ROWS = [["07400 123456", "yes", "", "Ann"], ["07400 223457", "", "", "Bob"], ["07400 323458", "no", "", "Cy"]]
SHEET = [HEADER, *ROWS]
DOWN = MergedCell(3, 2, 3, 3)
ACROSS = MergedCell(2, 2, 2, 3)
BLOCK = MergedCell(2, 2, 3, 3)


def cells_of(merged: MergedCell) -> list[list[str]]:
    cells = [list(row) for row in SHEET]
    cells[1][1] = ""
    cells[merged.first_row - 1][merged.column - 1] = "yes"
    return cells


def places(merged: MergedCell) -> tuple[tuple[int, int], tuple[int, int]]:
    """Its first and last row and its first and last column, numbered from 0."""
    return (merged.first_row - 1, merged.last_row - 1), (merged.column - 1, merged.last_column - 1)


def as_xlsx(merged: MergedCell, hidden: int = 0) -> bytes:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        for row, cells in enumerate(cells_of(merged)):
            sheet.write_row(row, 0, cells)
        if hidden:
            sheet.set_row(hidden - 1, None, None, {"hidden": True})
        rows, columns = places(merged)
        sheet.merge_range(rows[0], columns[0], rows[1], columns[1], "yes")

    return xlsx(fill)


def as_xls(merged: MergedCell, hidden: int = 0) -> bytes:
    workbook = xlwt.Workbook()
    sheet = workbook.add_sheet("Kunden – ж")
    rows, columns = places(merged)
    sheet.write_merge(*rows, *columns, "yes")
    for row, cells in enumerate(cells_of(merged)):
        for place, cell in enumerate(cells):
            if cell and not (rows[0] <= row <= rows[1] and columns[0] <= place <= columns[1]):
                sheet.write(row, place, cell)
    if hidden:
        sheet.row(hidden - 1).hidden = True
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def as_xlsb(merged: MergedCell, hidden: int = 0) -> bytes:
    rows, columns = places(merged)
    where = struct.pack("<4I", *rows, *columns)
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


@pytest.mark.usefixtures("read_here")
@each("write", [as_xlsx, as_xls, as_xlsb, as_ods])
@each("merged", [DOWN, ACROSS, BLOCK])
def test_an_answer_holds_wherever_its_cell_reaches_and_hidden_rows_are_said(  # case 88
    write: Callable[..., bytes], merged: MergedCell
) -> None:
    sheet = read_sheet(write(merged, hidden=3))
    expected = cells_of(merged)
    for row in expected[merged.first_row - 1 : merged.last_row]:
        covered = slice(merged.column - 1, merged.last_column)
        row[covered] = ["yes"] * len(row[covered])
    assert [[*sheet.frame], *sheet.frame.to_numpy().tolist()] == expected
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


@each("cut", [600, 1500, 3000])
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
