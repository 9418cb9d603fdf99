"""A refusal in a merged cell holds for every row and every column that the cell covers, in all workbooks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from workbooks import Marks, ods, place_of, xls_of, xlsb, xlsx_of

from dashboard.contacts import Limits, read_sheet
from dashboard.contacts.read.workbook.xls_check import look_into_xls
from dashboard.contacts.read.workbook.xlsb_check import look_into_xlsb

SHEET = [
    ["Mobile", "Email opt out", "SMS opt out", "Name"],
    ["07400 123456", "", "", "Ann"],
    ["07400 223457", "", "", "Bob"],
    ["07400 323458", "no", "", "Cy"],
]
DOWN, ACROSS, BLOCK = "C2:C3", "B2:C2", "B2:C3"


def answered(merged: str) -> tuple[list[list[str]], list[list[str]]]:
    """The sheet with a yes in the first of these cells, and with one in each."""
    (top, left), (bottom, right) = map(place_of, merged.split(":"))
    first, every = ([[*row] for row in SHEET] for _ in "12")
    first[top][left] = "yes"
    for row in every[top : bottom + 1]:
        row[left : right + 1] = ["yes"] * (right + 1 - left)
    return first, every


@pytest.mark.usefixtures("read_here")
@each("write", [xlsx_of, xls_of, xlsb, ods])
@each("merged", [DOWN, ACROSS, BLOCK])
def test_an_answer_holds_wherever_its_cell_reaches_and_hidden_rows_are_said(  # case 88
    write: Callable[..., bytes], merged: str
) -> None:
    first, every = answered(merged)
    sheet = read_sheet(write(first, Marks(merged=[merged], hidden=[3])))
    assert [[*sheet.frame], *sheet.frame.to_numpy().tolist()] == every
    assert sheet.hidden_rows == {3}
    assert any(note.startswith("Hidden in the workbook: 1 row ") for note in sheet.notes)
    assert sheet.without_hidden_rows().rows.tolist() == [2, 4]


@given(st.data())
def test_the_hidden_rows_of_a_binary_workbook_are_those_that_are_hidden(data: st.DataObject) -> None:
    cell = st.text(max_size=20) | st.floats()
    rows = data.draw(st.lists(st.lists(cell, max_size=4), min_size=1, max_size=40))
    hidden = data.draw(st.sets(st.integers(1, len(rows))))
    seen = look_into_xlsb(xlsb([["phone"], *rows], Marks(hidden=hidden)), Limits())
    assert seen["Customers"].hidden_rows == hidden


@each("cut", [600, 1500, 3000])
def test_a_damaged_old_workbook_is_refused_by_a_sentence_or_read(cut: int) -> None:
    whole = xls_of(answered(DOWN)[0], Marks(merged=[DOWN]))
    for content in (whole[:cut], whole[:512] + b"\xff" * cut, whole[:cut] + bytes(cut)):
        assert isinstance(look_into_xls(content), dict)


def test_a_damaged_binary_workbook_tells_nothing() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("xl/workbook.bin", b"\x9c\x01\x50\xff\xff")
        archive.writestr("xl/_rels/workbook.bin.rels", b"<Relationship Id=1/>")
    assert look_into_xlsb(content.getvalue(), Limits()) == {}
