"""Notes on cells are heard as if they stood in a column, whatever the program that wrote them."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape

import pytest
import xlwt
from each import each
from openpyxl import Workbook
from openpyxl.comments import Comment
from workbooks import bend, ods, rewritten, xlsb, xlsx

from dashboard.contacts import Sheet, clean_contacts, read_sheet
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")

ROWS: list[list[str | int]] = [["Name", "Mobile"], *([f"Ann {n}", f"074001{n}3{7 - n}52"] for n in range(6))]
Notes = Mapping[str, str]
"""What stands in the note on a cell, such as B2."""


def by_xlsxwriter(notes: Notes) -> bytes:
    def fill(workbook: object) -> None:
        sheet = workbook.add_worksheet()  # type: ignore[attr-defined]
        for place, cells in enumerate(ROWS):
            sheet.write_row(place, 0, cells)
        for cell, text in notes.items():
            sheet.write_comment(cell, text, {"author": "Eve"})

    return xlsx(fill)


def by_openpyxl(notes: Notes) -> bytes:
    """As Excel does it, with the author in front."""
    workbook = Workbook()
    sheet = workbook.worksheets[0]
    for cells in ROWS:
        sheet.append(cells)
    for cell, text in notes.items():
        sheet[cell].comment = Comment(f"Eve Ex:\n{text}", "Eve Ex")
    workbook.save(content := io.BytesIO())
    return content.getvalue()


def as_conversations(notes: Notes) -> bytes:
    """As Excel 365 does it: a note that stands in for each conversation, in words of its own."""
    stand_in = dict.fromkeys(notes, "[Threaded comment]\n\nDo not text: your version of Excel …")
    said = "".join(
        f'<threadedComment ref="{cell}" dT="2026-05-03T10:00:00" personId="{{0}}" id="{{1}}">'
        f"<text>{escape(text)}</text></threadedComment>"
        for cell, text in notes.items()
    )
    kind = "http://schemas.microsoft.com/office/2017/10/relationships/threadedComment"
    relation = f'<Relationship Id="rIdT" Type="{kind}" Target="../threadedComments/threadedComment1.xml"/>'
    with_relation = bend(
        by_xlsxwriter(stand_in),
        "xl/worksheets/_rels/sheet1.xml.rels",
        lambda xml: xml.replace(b"</Relationships>", f"{relation}</Relationships>".encode()),
    )
    content = io.BytesIO(with_relation)
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(
            "xl/threadedComments/threadedComment1.xml",
            '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments">'
            f"{said}</ThreadedComments>",
        )
    return content.getvalue()


def in_opendocument(notes: Notes) -> bytes:
    marked = [
        [f"{cell}@{chr(65 + column)}{row}@" for column, cell in enumerate(cells)]
        for row, cells in enumerate(ROWS, start=1)
    ]

    def annotated(xml: bytes) -> bytes:
        text = xml.decode()
        for row, cells in enumerate(ROWS, start=1):
            for column, cell in enumerate(cells):
                name = f"{chr(65 + column)}{row}"
                first, *others = (
                    escape(line).replace("\t", "<text:tab/>") for line in notes.get(name, "").split("\n")
                )
                note = f"<text:p><text:span>{first}</text:span></text:p>"
                note += f"<text:p>{'<text:line-break/>'.join(others)}</text:p>"
                annotation = (
                    '<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">STOP Eve'
                    f"</dc:creator>{note}</office:annotation>"
                    if name in notes
                    else ""
                )
                text = text.replace(
                    f"<text:p>{cell}@{name}@</text:p>", f"{annotation}<text:p>{cell}</text:p>"
                )
        return text.encode()

    return bend(ods(marked), "content.xml", annotated)  # type: ignore[arg-type]


def before_2007(notes: Notes) -> bytes:
    """[MS-XLS] 2.4.181 Obj, 2.4.329 TxO with the text in Continue records, 2.4.179 NoteSh."""
    workbook = xlwt.Workbook()
    sheet = workbook.add_sheet("Customers")
    for place, cells in enumerate(ROWS):
        for column, cell in enumerate(cells):
            sheet.write(place, column, cell)
    records = b""
    for shape, (cell, text) in enumerate(notes.items(), start=1):
        said = f"Eve:\n{text}"
        records += record(0x5D, struct.pack("<HHHHH12xHH", 0x15, 0x12, 0x19, shape, 0, 0, 0))
        records += record(0x1B6, struct.pack("<HH6xHHI", 0x212, 0, len(said), 16, 0))
        for piece in (said[:5], said[5:]):
            records += record(0x3C, b"\x01" + piece.encode("utf-16-le"))
        records += record(0x3C, struct.pack("<HHI", 0, 0, 0) * 2)
        records += record(
            0x1C, struct.pack("<5H", int(cell[1:]) - 1, ord(cell[0]) - 65, 0, shape, 3) + b"\0Eve\0"
        )
    written = sheet.get_biff_data
    sheet.get_biff_data = lambda: written()[:-4] + records + record(0x0A, b"")
    workbook.save(content := io.BytesIO())
    return content.getvalue()


def record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


WRITERS: list[Callable[[Notes], bytes]] = [
    by_xlsxwriter,
    by_openpyxl,
    as_conversations,
    in_opendocument,
    before_2007,
]
NOTES = {
    "A2": "Do not text",
    "B3": "No SMS please\n& no calls\nat night",
    "B4": "Prefers mornings",
    "A6": "Keine SMS mehr, zł",
    "B6": "since May",
    "B7": "wants\tno more texts",
}


def read(content: bytes) -> Sheet:
    sheet = read_sheet(content)
    assert sheet.frame[["Name", "Mobile"]].to_numpy().tolist() == ROWS[1:]
    return sheet


@each("write", WRITERS)
def test_what_a_note_says_is_heard_as_if_it_stood_in_a_column(write: Callable[[Notes], bytes]) -> None:
    sheet = read(write(NOTES))
    column = sheet.frame["Notes on cells"].tolist()
    assert column == [
        *(NOTES[cell] for cell in ("A2", "B3", "B4")),
        "",
        f"{NOTES['A6']}\n{NOTES['B6']}",
        NOTES["B7"],
    ]
    assert any("row 2, 3, 4, 6, 7" in note for note in sheet.notes)
    as_typed = read_sheet(sheet.frame.rename(columns={"Notes on cells": "Remarks"}))
    for country in ("DE", "GB"):
        rows, typed = [clean_contacts(one, country=country).rows for one in (sheet, as_typed)]
        assert rows["status"].tolist() == typed["status"].tolist()
    assert rows["status"].tolist()[:4] == ["opted_out", "opted_out", "ok", "ok"]


@each("write", WRITERS)
def test_a_note_on_the_header_is_heard_for_all_and_none_changes_nothing(
    write: Callable[[Notes], bytes],
) -> None:
    sheet = read(write({"A1": "Opted out of SMS"}))
    assert clean_contacts(sheet, country="GB").count("opted_out") == len(ROWS) - 1
    assert any("no contact’s: 1 row (row 1)" in note for note in sheet.notes)
    assert [*sheet.frame] == ["Name", "Mobile"]
    assert not any("otes on cells" in note for note in read(write({})).notes)


@each("write", WRITERS)
def test_a_note_that_is_only_an_answer_says_of_which_column(write: Callable[[Notes], bytes]) -> None:
    notes = read(write({"A2": "no", "B3": "No.", "B4": "yes"})).frame["Notes on cells"]
    assert notes.tolist()[:3] == ["Name: no", "Mobile: No.", "yes"]


def test_a_note_that_is_only_an_answer_is_heard_as_one_in_its_column() -> None:
    answers = [
        *((2, text) for text in ("no", "No.", "nein", "N", "yes")),
        (3, "yes"),
        (3, "no"),
        (1, "first"),
    ]

    def fill(workbook: object) -> None:
        sheet = workbook.add_worksheet()  # type: ignore[attr-defined]
        sheet.write_row(2, 1, ["Mobile", "SMS consent", "Opted out"])
        for row, (column, text) in enumerate(answers, start=3):
            sheet.write_row(row, 1, [f"07400 {123_456 + 7_919 * row}", "yes", "no"])
            sheet.write_comment(row, column, text)

    statuses = clean_contacts(read_sheet(xlsx(fill)), country="GB").rows["status"]
    assert statuses.tolist() == [*["opted_out"] * 4, "ok", "review", "ok", "ok"]


def test_only_the_notes_of_the_worksheet_that_is_read_are() -> None:
    def fill(workbook: object) -> None:
        for _ in range(2):
            sheet = workbook.add_worksheet()  # type: ignore[attr-defined]
            sheet.write_column(0, 0, ["Mobile", "07400 123456"])
            sheet.write_comment("A2", "Do not text")

    damaged = bend(xlsx(fill), "xl/comments2.xml", lambda xml: xml[:-20])
    assert read_sheet(damaged).frame["Notes on cells"].tolist() == ["Do not text"]
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(damaged, worksheet="Sheet2")


def test_the_parts_of_a_workbook_are_found_in_whatever_case_they_are_written() -> None:
    def fill(workbook: object) -> None:
        sheet = workbook.add_worksheet("People")  # type: ignore[attr-defined]
        sheet.write_column(0, 0, ["Mobile", "07400 123456", "07400 235671", "07400 981234"])
        gone = workbook.add_format({"font_strikeout": True})  # type: ignore[attr-defined]
        sheet.write_rich_string("A3", gone, "07400 ", gone, "235671")
        share = workbook.add_format({"num_format": "0%"})  # type: ignore[attr-defined]
        sheet.write_column(0, 1, ["Share", 0.5, 0.25, 1], share)
        sheet.write_comment("A4", "Do not text")
        sheet.set_row(1, options={"hidden": True})

    whole = xlsx(fill)
    expected = read_sheet(whole)
    assert len(expected.notes) == 3, "struck out, with a note, hidden"
    parts = ["worksheets/sheet1", "worksheets/_rels/sheet1", "comments1", "sharedStrings", "styles"]
    for part in parts:
        bent = rewritten(whole, lambda name, text, part=part: (named_anew(name, part), text))  # type: ignore[misc]
        read = read_sheet(bent)
        assert (part, read.notes, *read.frame.to_numpy().tolist()) == (
            part,
            expected.notes,
            *expected.frame.to_numpy().tolist(),
        )


def named_anew(name: str, part: str) -> str:
    folder, _slash, file = name.rpartition("/")
    return f"{folder}/{file.capitalize()}" if name.startswith(f"xl/{part}.xml") else name


def test_a_conversation_that_only_its_stand_in_kept_is_heard() -> None:
    kept = "[Threaded comment]\n\nYour version of Excel …\n\nComment:\n    Do not text"
    sheet = read(by_xlsxwriter({"A3": kept}))
    assert clean_contacts(sheet, country="GB").rows["status"].tolist()[1] != "ok"


def test_that_the_notes_of_a_binary_workbook_are_not_read_is_said() -> None:
    content = io.BytesIO(xlsb([["Name", "Mobile"], ["Ann", "07400123456"]]))
    assert not any("otes on cells" in note for note in read_sheet(content).notes)
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("xl/comments1.bin", b"")
    assert any("Notes on cells are not read" in note for note in read_sheet(content.getvalue()).notes)


def test_a_note_on_a_merged_cell_holds_for_all_its_rows() -> None:
    def fill(workbook: object) -> None:
        sheet = workbook.add_worksheet()  # type: ignore[attr-defined]
        sheet.write_row(0, 0, ["Household", "Mobile", "Notes on cells"])
        sheet.merge_range("A2:A3", "Lee")
        for row in range(1, 4):
            sheet.write(row, 1, f"0740012345{row}")
            sheet.write(row, 2, "own")
        sheet.write_comment("A2", "Do not text")

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame["Notes on cells#2"].tolist() == ["Do not text", "Do not text", ""]
    assert clean_contacts(sheet, country="GB").rows["status"].tolist() == ["opted_out", "opted_out", "ok"]
