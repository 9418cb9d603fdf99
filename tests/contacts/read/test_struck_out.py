"""What is struck out in a workbook is said by row, and whoever that is about is asked about."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import xlsxwriter
import xlwt
from each import each
from workbooks import bend, ods, xlsx

from dashboard.contacts import clean_contacts, clean_csv_stream, correct_phones, join_contacts, read_sheet

HERE = pytest.mark.usefixtures("read_here")
Cells = list[tuple[str | float, bool]]
TITLES = ["Name", "Mobile", "Old"]
ROWS: list[Cells] = [
    [("Ann", False), ("07400 123456", False), ("", False)],
    [("Bob", True), ("07400 235671", True), ("", True)],  # all that is filled
    [("Cy", False), ("07400 981234", True), ("", False)],
    [("Di", True), ("07400 456123", False), ("x", False)],
    [("", False), (7400765321, True), ("", False)],
    [("Flo", False), ("07400 318264", False), ("", True)],  # nothing is struck out
]
SAID = ["", "whole row", "Mobile", "Name", "whole row", ""]
STATUSES = ["ok", "review", "review", "ok", "review", "ok"]


def of_xlsx() -> bytes:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        plain, gone = workbook.add_format({"bold": True}), workbook.add_format({"font_strikeout": True})
        sheet.write_row(0, 1, TITLES)
        for row, cells in enumerate(ROWS, start=1):
            for column, (cell, is_struck) in enumerate(cells, start=1):
                sheet.write(row, column, cell, gone if is_struck else plain)

    return xlsx(fill)


def of_xls() -> bytes:
    book, content = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("People")
    plain, gone = xlwt.easyxf("font: bold on"), xlwt.easyxf("font: struck_out on")
    for column, title in enumerate(TITLES, start=1):
        sheet.write(0, column, title)
    for row, cells in enumerate(ROWS, start=1):
        for column, (cell, is_struck) in enumerate(cells, start=1):
            sheet.write(row, column, cell, gone if is_struck else plain)
    book.save(content)
    return content.getvalue()


STYLES = (
    '<style:style style:name="gone" style:family="table-cell"><style:text-properties'
    ' style:text-line-through-style="solid"/></style:style>'
    '<style:style style:name="ce1" style:family="table-cell" style:parent-style-name="gone"/>'
    '<style:style style:name="ce2" style:family="table-cell" style:parent-style-name="gone">'
    '<style:text-properties style:text-line-through-type="none"/></style:style>'
    '<style:style style:name="ce1" style:family="table-row"/>'
)


def of_ods() -> bytes:
    rows = [[f"{cell}{'~' * (is_struck and cell != '')}" for cell, is_struck in cells] for cells in ROWS]

    def strike(xml: bytes) -> bytes:
        text = xml.decode().replace("</office:automatic-styles>", STYLES + "</office:automatic-styles>")
        text = re.sub(
            r"<table:table-cell( [^>]*><text:p>[^<]*)~<", r'<table:table-cell table:style-name="ce1"\1<', text
        )
        return text.replace(
            "<table:table-cell office", '<table:table-cell table:style-name="ce2" office'
        ).encode()

    return bend(ods([["", *TITLES], *(["", *cells] for cells in rows)]), "content.xml", strike)


@HERE
@each("workbook", [of_xlsx, of_xls, of_ods])
def test_a_struck_out_row_or_phone_is_asked_about_and_other_cells_are_said(
    workbook: Callable[[], bytes],
) -> None:
    sheet = read_sheet(workbook())
    assert sheet.frame["Struck out"].tolist() == SAID
    assert [note for note in sheet.notes if "Struck out" in note and "(row 3, 4, 5, 6)" in note]
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.rows["status"].tolist() == STATUSES
    asked = contacts.rows[contacts.rows["status"] == "review"]
    assert set(asked["problem"]) == {"struck_out"}


@HERE
def test_texts_that_are_struck_out_letter_by_letter_are_struck_out() -> None:
    """Whole texts are; those of which only some letters are, are not."""

    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        gone, bold = workbook.add_format({"font_strikeout": True}), workbook.add_format({"bold": True})
        sheet.write_row(0, 0, ["Mobile", "Name"])
        for row, (runs, name) in enumerate(
            [
                ([gone, "07400 ", gone, "123456"], "Ann"),
                ([bold, "07400 ", gone, "235671"], "Bob"),
                ([bold, "07400 ", bold, "981234"], "Cy"),
            ],
            start=1,
        ):
            sheet.write_rich_string(row, 0, *runs)
            sheet.write(row, 1, name, bold)

    assert read_sheet(xlsx(fill)).frame["Struck out"].tolist() == ["Mobile", "", ""]
    cells = ["~07400 ~~123456~", "07400 ~235671~", "07400 981234"]
    whole = ods([["Mobile", "Name"], *([cell, "Ann"] for cell in cells)])
    gone = STYLES.replace("table-cell", "text")

    def strike(xml: bytes) -> bytes:
        text = xml.decode().replace("</office:automatic-styles>", gone + "</office:automatic-styles>")
        text = re.sub("~([^~]*)~", r'<text:span text:style-name="gone">\1</text:span>', text)
        comment = "<office:annotation><text:p>left</text:p></office:annotation><text:p>"
        return text.replace("<text:p><text:span", comment + "<text:span").encode()

    sheet = read_sheet(bend(whole, "content.xml", strike))
    assert sheet.frame["Struck out"].tolist() == ["Mobile", "", ""]


@HERE
def test_the_question_goes_wherever_the_sheet_goes(tmp_path: Path) -> None:
    """Into a CSV that is read as a stream, a joined list, a corrected one; and an approval answers it."""
    sheet = read_sheet(of_xlsx())
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


@HERE
@each("column", ["Struck out", "struck"])
def test_a_sheet_s_own_column_stays(column: str) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["Mobile", column])
        sheet.write_row(1, 0, ["07400 123450", "yes"], workbook.add_format({"font_strikeout": True}))

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame[column].tolist() == ["yes"]
    assert sheet.frame.iloc[:, -1].tolist() == ["whole row"]
    assert clean_contacts(sheet, country="GB").rows["problem"].tolist() == ["struck_out"]


@HERE
def test_a_sheet_without_anything_struck_out_has_no_such_column() -> None:
    assert list(read_sheet(ods([["Mobile"], ["07400 123450"]])).frame) == ["Mobile"]
