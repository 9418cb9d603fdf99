"""Notes on cells are heard as if they stood in a column, whatever the program that wrote them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape

import pytest
from each import each
from openpyxl import Workbook
from openpyxl.comments import Comment
from workbooks import Marks, Rows, bend, ods, rewritten, xls_of, xlsb, xlsx_of, xlsx_sheets

from dashboard.contacts import Sheet, clean_contacts, read_sheet
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")

ROWS: list[list[str | int]] = [["Name", "Mobile"], *([f"Ann {n}", f"074001{n}3{7 - n}52"] for n in range(6))]
Writer = Callable[[Rows, Marks], bytes]


def by_openpyxl(rows: Rows, marks: Marks) -> bytes:
    """As Excel does it, with the author in front."""
    workbook, content = Workbook(), io.BytesIO()
    sheet = workbook.worksheets[0]
    for cells in rows:
        sheet.append(cells)
    for cell, text in marks.notes.items():
        sheet[cell].comment = Comment(f"Eve Ex:\n{text}", "Eve Ex")
    workbook.save(content)
    return content.getvalue()


def as_conversations(rows: Rows, marks: Marks) -> bytes:
    """As Excel 365 does it: a note that stands in for each conversation, in words of its own."""
    stand_in = dict.fromkeys(marks.notes, "[Threaded comment]\n\nDo not text: your version of Excel …")
    said = "".join(
        f'<threadedComment ref="{cell}" dT="2026-05-03T10:00:00" personId="{{0}}" id="{{1}}">'
        f"<text>{escape(text)}</text></threadedComment>"
        for cell, text in marks.notes.items()
    )
    kinds = "http://schemas.microsoft.com/office"
    relation = (
        f'<Relationship Id="rIdT" Type="{kinds}/2017/10/relationships/threadedComment"'
        ' Target="../threadedComments/threadedComment1.xml"/></Relationships>'
    )
    with_relation = bend(
        xlsx_of(rows, Marks(notes=stand_in)),
        "xl/worksheets/_rels/sheet1.xml.rels",
        lambda xml: xml.replace(b"</Relationships>", relation.encode()),
    )
    content = io.BytesIO(with_relation)
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(
            "xl/threadedComments/threadedComment1.xml",
            f'<ThreadedComments xmlns="{kinds}/spreadsheetml/2018/threadedcomments">'
            f"{said}</ThreadedComments>",
        )
    return content.getvalue()


WRITERS = [xlsx_of, by_openpyxl, as_conversations, ods, xls_of]
NOTES = {
    "A2": "Do not text",
    "B3": "No SMS please\n& no calls\nat night",
    "B4": "Prefers mornings",
    "A6": "Keine SMS mehr, zł",
    "B6": "since May",
    "B7": "wants\tno more texts",
}


def read(write: Writer, notes: Mapping[str, str]) -> Sheet:
    sheet = read_sheet(write(ROWS, Marks(notes=notes)))
    assert sheet.frame[["Name", "Mobile"]].to_numpy().tolist() == ROWS[1:]
    return sheet


@each("write", WRITERS)
def test_what_a_note_says_is_heard_as_if_it_stood_in_a_column(write: Writer) -> None:
    sheet = read(write, NOTES)
    said = [NOTES["A2"], NOTES["B3"], NOTES["B4"], "", f"{NOTES['A6']}\n{NOTES['B6']}", NOTES["B7"]]
    assert sheet.frame["Notes on cells"].tolist() == said
    assert any("row 2, 3, 4, 6, 7" in note for note in sheet.notes)
    as_typed = read_sheet(sheet.frame.rename(columns={"Notes on cells": "Remarks"}))
    rows, typed = [clean_contacts(one, country="GB").rows for one in (sheet, as_typed)]
    assert rows["status"].tolist() == typed["status"].tolist()
    assert rows["status"].tolist()[:4] == ["opted_out", "opted_out", "ok", "ok"]


@each("write", WRITERS)
def test_a_note_on_the_header_is_heard_for_all_and_none_changes_nothing(
    write: Writer,
) -> None:
    sheet = read(write, {"A1": "Opted out of SMS"})
    assert clean_contacts(sheet, country="GB").count("opted_out") == len(ROWS) - 1
    assert any("no contact’s: 1 row (row 1)" in note for note in sheet.notes)
    assert [*sheet.frame] == ["Name", "Mobile"]
    assert not any("otes on cells" in note for note in read(write, {}).notes)


def test_a_note_that_is_only_an_answer_is_heard_as_one_in_its_column() -> None:
    notes = {
        "C4": "no",
        "C5": "No.",
        "C6": "nein",
        "C7": "N",
        "C8": "yes",
        "D9": "yes",
        "D10": "no",
        "B11": "first",
    }
    people = [["", f"07400 {123_456 + 7_919 * row}", "yes", "no"] for row in range(len(notes))]
    rows = [[], [], ["", "Mobile", "SMS consent", "Opted out"], *people]
    sheet = read_sheet(xlsx_of(rows, Marks(notes=notes)))
    assert sheet.frame["Notes on cells"].tolist()[:2] == ["SMS consent: no", "SMS consent: No."]
    statuses = clean_contacts(sheet, country="GB").rows["status"]
    assert statuses.tolist() == [*["opted_out"] * 4, "ok", "review", "ok", "ok"]


def test_only_the_notes_of_the_worksheet_that_is_read_are() -> None:
    people = [["Mobile"], ["07400 123456"]]
    whole = xlsx_of(people, Marks(notes={"A2": "Do not text"}))
    two = xlsx_sheets({"One": people, "Two": people}, Marks(notes={"A2": "Do not text"}))
    assert read_sheet(whole).frame["Notes on cells"].tolist() == ["Do not text"]
    damaged = bend(two, "xl/comments1.xml", lambda xml: xml[:-20])
    assert [*read_sheet(damaged).frame] == ["Mobile"]
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(damaged, worksheet="Two")


def test_the_parts_of_a_workbook_are_found_in_whatever_case_they_are_written() -> None:
    rows = [
        ["Mobile", "Share"],
        ["07400 123456", 0.5],
        [[("07400 ", True), ("235671", True)], 0.25],
        ["07400 981234", 1],
    ]
    percents = dict.fromkeys(["B2", "B3", "B4"], "0%")
    whole = xlsx_of(rows, Marks(notes={"A4": "Do not text"}, formats=percents, hidden=[2]))
    expected = read_sheet(whole)
    assert len(expected.notes) == 3, "struck out, with a note, hidden"
    for part in ["worksheets/sheet1", "worksheets/_rels/sheet1", "comments1", "sharedStrings", "styles"]:
        read = read_sheet(rewritten(whole, lambda name, text, part=part: (named_anew(name, part), text)))  # type: ignore[misc]
        assert (part, read.notes, read.frame.to_dict()) == (part, expected.notes, expected.frame.to_dict())


def named_anew(name: str, part: str) -> str:
    folder, _slash, file = name.rpartition("/")
    return f"{folder}/{file.capitalize()}" if name.startswith(f"xl/{part}.xml") else name


def test_a_conversation_that_only_its_stand_in_kept_is_heard() -> None:
    kept = "[Threaded comment]\n\nYour version of Excel …\n\nComment:\n    Do not text"
    sheet = read(xlsx_of, {"A3": kept})
    assert clean_contacts(sheet, country="GB").rows["status"].tolist()[1] != "ok"


def test_that_the_notes_of_a_binary_workbook_are_not_read_is_said() -> None:
    content = io.BytesIO(xlsb([["Name", "Mobile"], ["Ann", "07400123456"]]))
    assert not any("otes on cells" in note for note in read_sheet(content).notes)
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("xl/comments1.bin", b"")
    assert any("Notes on cells are not read" in note for note in read_sheet(content.getvalue()).notes)


def test_a_note_on_a_merged_cell_holds_for_all_its_rows() -> None:
    people = [[household, f"0740012345{n}", "own"] for n, household in enumerate(["Lee", "", ""], start=1)]
    rows = [["Household", "Mobile", "Notes on cells"], *people]
    sheet = read_sheet(xlsx_of(rows, Marks(notes={"A2": "Do not text"}, merged=["A2:A3"])))
    assert sheet.frame["Notes on cells#2"].tolist() == ["Do not text", "Do not text", ""]
    assert clean_contacts(sheet, country="GB").rows["status"].tolist() == ["opted_out", "opted_out", "ok"]
