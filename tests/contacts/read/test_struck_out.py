"""What is struck out in a workbook is said by row, and whoever that is about is asked about."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
import xlsxwriter
from each import each
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from workbooks import GONE, STRUCK, Marks, Runs, bend, name_of, ods, rewritten, xls_of, xlsx, xlsx_of

from dashboard.contacts import clean_contacts, clean_csv_stream, correct_phones, join_contacts, read_sheet

pytestmark = pytest.mark.usefixtures("read_here")
HEADER = ["", "Name", "Mobile", "Old"]
PEOPLE = [  # struck out is what ends with ~
    ("Ann", "07400 123456", "", "", "ok"),
    ("Bob~", "07400 235671~", "~", "whole row", "review"),  # all that is filled
    ("Cy", "07400 981234~", "", "Mobile", "review"),
    ("Di~", "07400 456123", "Leeds", "Name", "ok"),
    ("", "7400765321~", "", "whole row", "review"),
    ("Fay", "07400 318264", "~", "", "ok"),  # nothing is struck out
    ("Gil", "07400 318265~", "", "Mobile", "review"),
    ("Hal", "", "", "Mobile", "duplicate"),  # in the merged cell of Gil's number
]
SAID, STATUSES = [[row[column] for row in PEOPLE] for column in (3, 4)]
TEXTS = [["", *(cell.rstrip("~") for cell in row[:3])] for row in PEOPLE]
ROWS = [HEADER, *([int(text) if text.isdecimal() else text for text in row] for row in TEXTS)]
MARKS = Marks(
    struck=[
        name_of(row, column)
        for row, person in enumerate(PEOPLE, start=1)
        for column, cell in enumerate(person[:3], start=1)
        if cell.endswith("~")
    ],
    merged=["C8:C9"],
)


def with_renamed_styles(rows: list[list[str]], marks: Marks) -> bytes:
    """With styles called otherwise than by Excel, which the relation's type tells."""

    def renamed(text: str) -> str:
        return text.replace("styles.xml", "looks.xml")

    return rewritten(xlsx_of(rows, marks), lambda name, xml: (renamed(name), renamed(xml.decode()).encode()))


def opendocument(rows: list[list[str | Runs]], marks: Marks) -> bytes:
    return ods(rows, marks, styles=STRUCK)


@each("write", [xlsx_of, xls_of, opendocument, with_renamed_styles])
def test_a_struck_out_row_or_phone_is_asked_about_and_other_cells_are_said(
    write: Callable[..., bytes],
) -> None:
    sheet = read_sheet(write(ROWS, MARKS))
    assert sheet.frame["Struck out"].tolist() == SAID
    assert [note for note in sheet.notes if "Struck out" in note and "(row 3, 4, 5, 6, 8, …)" in note]
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.rows["status"].tolist() == STATUSES
    asked = contacts.rows[contacts.rows["status"] == "review"]
    assert set(asked["problem"]) == {"struck_out"}


def test_a_struck_out_consent_is_asked_about() -> None:
    rows = [
        ["Mobile", "SMS consent", "Opted out", "Name"],
        *([f"07400 12345{n}", "yes", "no", "Ann"] for n in "1234"),
    ]
    rows[3][2] = "yes"
    sheet = read_sheet(xlsx_of(rows, Marks(struck=["B3", "C4", "D5"])))
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.rows["status"].tolist() == ["ok", "review", "opted_out", "ok"]
    assert contacts.rows["problem"].tolist()[1] == "struck_out"


RUNS: list[tuple[Runs, bool]] = [
    ([("07400 ", True), ("123456", True)], True),
    ([("07400 123456", True), (" 07400 235671", False)], True),  # an old number beside a new one
    ([("07400 235671 / ", False), ("07400 123456", True)], True),
    ([("tel. ", False), ("07400 123456", True)], True),
    ([("07400 12", False), ("3456", True)], True),
    ([("07", True), ("400 1234 ", False), ("56", True)], True),
    ([("٠٧٤٠٠", True), (" 07400 235671", False)], True),
    ([("07400", True), (" ", False), ("318265", True)], True),  # a blank is no letter
    ([("07400 123", False), ("456", True)], False),
    ([("0", True), ("7400 123456", False)], False),
    ([("home ", True), ("07400 123456", False)], False),
    ([("07400 ", False), ("123456", False)], False),
]
NAMES = [f"Ann {place} {'ł' * (place % 3)}{'x' * 3_000}" for place in range(len(RUNS))]
"""So long that the texts of an old workbook are in several pieces."""


def in_cells(rows: list[list[str | Runs]], marks: Marks) -> bytes:
    """With the texts in the cells themselves."""
    book, content = openpyxl.Workbook(), io.BytesIO()
    for runs, name in rows:
        parts = [TextBlock(InlineFont(strike=gone), text) for text, gone in runs] if name != "Name" else []
        book.worksheets[0].append([CellRichText(*parts) if parts else runs, name])
    book.save(content)
    return content.getvalue()


@each("write", [xlsx_of, in_cells, xls_of, opendocument])
def test_a_text_is_struck_out_if_all_its_letters_are_or_a_number_in_it(write: Callable[..., bytes]) -> None:
    cells = [[runs, name] for (runs, _said), name in zip(RUNS, NAMES, strict=True)]
    notes = {"A3": "left 2026"} if write is opendocument else {}
    sheet = read_sheet(write([["Mobile", "Name"], *cells], Marks(notes=notes)))
    phones = sheet.frame["Mobile"].str.replace(" ", "")  # of which a writer leaves out some
    read = zip(phones, sheet.frame["Name"], sheet.frame["Struck out"], strict=True)
    assert list(read) == [
        ("".join(text for text, _gone in runs).replace(" ", ""), name, "Mobile" if said else "")
        for (runs, said), name in zip(RUNS, NAMES, strict=True)
    ]
    statuses = clean_contacts(sheet, country="GB").rows["status"]
    assert not (statuses[sheet.frame["Struck out"] != ""] == "ok").any()


WITH_PARENTS = [
    # styles, each with its name, the one it goes back to and its line; what is said of a cell in ce1, and of
    # one in the default style, which has no name
    ("ce1 gone -, gone - solid", "whole row", ""),
    ("ce1 next -, next gone -, gone - solid", "whole row", ""),
    ("ce1 gone none, gone - solid, - - dotted", "", "whole row"),
    ("ce1 - -, - - solid", "whole row", "whole row"),
    ("- - solid, ce1 next -, next - none", "", "whole row"),
    ("ce1 unknown solid", "whole row", ""),
    ("gone - solid, ce1 next -, next ce1 -", "", ""),  # then there is no such column
]


def style(name: str, parent: str = "", line: str = "", family: str = "table-cell", rule: str = "") -> str:
    kind = "style" if name else "default-style"
    look = f'<style:text-properties style:text-line-through-style="{line}"/>' * bool(line)
    return (
        f'<style:{kind} style:name="{name}" style:family="{family}" style:parent-style-name="{parent}">'
        f"{look}{rule}</style:{kind}>"
    )


@each("styles, first, second", WITH_PARENTS)
def test_a_style_of_an_opendocument_sheet_strikes_as_those_it_goes_back_to(
    styles: str, first: str, second: str
) -> None:
    written = [style(*one.replace("-", "").split(" ")) for one in styles.split(", ")]
    people = [["Mobile"], ["07400 123456"], ["07400 235671"]]
    sheet = read_sheet(ods(people, Marks(struck=["A2"]), styles="".join(written)))
    said = [first, second]
    assert ([*sheet.frame.get("Struck out", ["", ""])], len(sheet.notes)) == (said, int(any(said)))


@each("strikes", [True, False])
def test_that_a_rule_can_strike_cells_out_is_said(*, strikes: bool) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["Mobile", "07400 123456"])
        for look in ({"bold": 1}, GONE if strikes else {"bold": 1}):
            sheet.conditional_format("A1:A9", {"type": "no_blanks", "format": workbook.add_format(look)})

    people = [["Mobile"], ["07400 123456"]]
    line, name = ("strike", "ce1") if strikes else ("b", "ce2")
    font = f'<x:ext xmlns:x="x"><x:dxf><font><{line}/></font></x:dxf></x:ext></worksheet>'
    elsewhere = bend(
        xlsx_of(people),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"</worksheet>", font.encode()),
    )
    kinds = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
    rule = f'<c:condition xmlns:c="{kinds}" c:apply-style-name="{name}"/>'
    map_ = f'<style:map style:condition="value()>1" style:apply-style-name="{name}"/>'
    shown_so = style("co1", rule=map_)
    by_rule = ods(people, styles=STRUCK, after=rule)
    by_map, by_later = (ods(people, styles=styles) for styles in (STRUCK + shown_so, shown_so + STRUCK))
    for workbook in (xlsx(fill), elsewhere, by_rule, by_map, by_later):
        assert any("conditional format" in note for note in read_sheet(workbook).notes) is strikes


def test_the_question_goes_wherever_the_sheet_goes(tmp_path: Path) -> None:
    """Into a CSV that is read as a stream, a joined list, a corrected one; and an approval answers it."""
    sheet = read_sheet(xlsx_of(ROWS, MARKS))
    contacts = clean_contacts(sheet, country="GB")
    sheet.frame.to_csv(tmp_path / "sheet.csv", index=False)
    streamed = clean_csv_stream(tmp_path / "sheet.csv", tmp_path / "cleaned.parquet", country="GB")
    assert pd.read_parquet(streamed.path)["status"].tolist() == STATUSES
    fair = clean_contacts(pd.DataFrame({"Phone": ["07400 235671", "07400 123459"]}), country="GB")
    joined = join_contacts({"Fair": fair, "Shop": contacts})
    assert joined.rows["status"].tolist() == ["review", "ok", "ok", "duplicate", *STATUSES[2:]]  # of Bob
    corrected = correct_phones(contacts, {4: "07400 123458"})
    assert corrected.rows["status"].tolist() == STATUSES
    assert contacts.approve([3]).rows["status"].tolist() == ["ok", "ok", *STATUSES[2:]]


@each("column", ["Struck out", "struck"])
def test_a_sheet_s_own_column_stays(column: str) -> None:
    people = [["Mobile", column], ["07400 123450", "yes"]]
    sheet = read_sheet(xlsx_of(people, Marks(struck=["A2", "B2"])))
    assert sheet.frame[column].tolist() == ["yes"]
    assert sheet.frame.iloc[:, -1].tolist() == ["whole row"]
    assert clean_contacts(sheet, country="GB").rows["problem"].tolist() == ["struck_out"]
