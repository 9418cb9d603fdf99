"""What is struck out in a workbook is said by row, and whoever that is about is asked about."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
import xlsxwriter
import xlwt
from each import each
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from workbooks import bend, ods, rewritten, xlsx, xlsx_of

from dashboard.contacts import clean_contacts, clean_csv_stream, correct_phones, join_contacts, read_sheet

HERE = pytest.mark.usefixtures("read_here")
Cells = list[tuple[str | float, bool]]
TITLES = ["Name", "Mobile", "Old"]
MERGED = ("07400 318265", True)
"""Over the last two rows."""
ROWS: list[Cells] = [
    [("Ann", False), ("07400 123456", False), ("", False)],
    [("Bob", True), ("07400 235671", True), ("", True)],  # all that is filled
    [("Cy", False), ("07400 981234", True), ("", False)],
    [("Di", True), ("07400 456123", False), ("Leeds", False)],
    [("", False), (7400765321, True), ("", False)],
    [("Flo", False), ("07400 318264", False), ("", True)],  # nothing is struck out
    [("Gil", False), MERGED, ("", False)],
    [("Hal", False)],
]
SAID = ["", "whole row", "Mobile", "Name", "whole row", "", "Mobile", "Mobile"]
STATUSES = ["ok", "review", "review", "ok", "review", "ok", "review", "duplicate"]


def of_xlsx() -> bytes:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        plain, gone = workbook.add_format({"bold": True}), workbook.add_format({"font_strikeout": True})
        sheet.write_row(0, 1, TITLES)
        for row, cells in enumerate(ROWS, start=1):
            for column, (cell, is_struck) in enumerate(cells, start=1):
                sheet.write(row, column, cell, gone if is_struck else plain)
        sheet.merge_range(len(ROWS) - 1, 2, len(ROWS), 2, MERGED[0], gone)

    return xlsx(fill)


def of_looks() -> bytes:
    """With styles called otherwise than by Excel, which the relation's type tells."""

    def renamed(text: str) -> str:
        return text.replace("styles.xml", "looks.xml")

    return rewritten(of_xlsx(), lambda name, xml: (renamed(name), renamed(xml.decode()).encode()))


def of_xls() -> bytes:
    book, content = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("People", cell_overwrite_ok=True)
    plain, gone = xlwt.easyxf("font: bold on"), xlwt.easyxf("font: struck_out on")
    for column, title in enumerate(TITLES, start=1):
        sheet.write(0, column, title)
    for row, cells in enumerate(ROWS, start=1):
        for column, (cell, is_struck) in enumerate(cells, start=1):
            sheet.write(row, column, cell, gone if is_struck else plain)
    sheet.write_merge(len(ROWS) - 1, len(ROWS), 2, 2, MERGED[0], gone)
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
    whole = with_styles([["", *TITLES], *(["", *cells] for cells in rows)], STYLES)

    def change(xml: bytes) -> bytes:
        plain, own = b"<table:table-cell office", b'<table:table-cell table:style-name="ce2" office'
        last = xml.rindex(b' table:style-name="ce1"')
        return (xml[:last] + b' table:number-rows-spanned="2"' + xml[last:]).replace(plain, own)

    return bend(whole, "content.xml", change)


@HERE
@each("workbook", [of_xlsx, of_xls, of_ods, of_looks])
def test_a_struck_out_row_or_phone_is_asked_about_and_other_cells_are_said(
    workbook: Callable[[], bytes],
) -> None:
    sheet = read_sheet(workbook())
    assert sheet.frame["Struck out"].tolist() == SAID
    assert [note for note in sheet.notes if "Struck out" in note and "(row 3, 4, 5, 6, 8, …)" in note]
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.rows["status"].tolist() == STATUSES
    asked = contacts.rows[contacts.rows["status"] == "review"]
    assert set(asked["problem"]) == {"struck_out"}


@HERE
def test_a_struck_out_consent_is_asked_about() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet, gone = workbook.add_worksheet(), workbook.add_format({"font_strikeout": True})
        titles = ["Mobile", "SMS consent", "Opted out", "Name"]
        sheet.write_row(0, 0, titles)
        for row, struck in enumerate(["", *titles[1:]], start=1):
            cells = [f"07400 12345{row}", "yes", "yes" if struck == "Opted out" else "no", "Ann"]
            for column, cell in enumerate(cells):
                sheet.write(row, column, cell, gone if titles[column] == struck else None)

    contacts = clean_contacts(read_sheet(xlsx(fill)), country="GB")
    assert contacts.rows["status"].tolist() == ["ok", "review", "opted_out", "ok"]
    assert contacts.rows["problem"].tolist()[1] == "struck_out"


Runs = list[tuple[str, bool]]
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


def rich_of_xlsx() -> bytes:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        formats = workbook.add_format({"bold": True}), workbook.add_format({"font_strikeout": True})
        sheet.write_row(0, 0, ["Mobile", "Name"])
        for row, ((runs, _said), name) in enumerate(zip(RUNS, NAMES, strict=True), start=1):
            sheet.write_rich_string(row, 0, *(part for text, gone in runs for part in (formats[gone], text)))
            sheet.write(row, 1, name)

    return xlsx(fill)


def rich_in_cells() -> bytes:
    book, content = openpyxl.Workbook(), io.BytesIO()
    book.worksheets[0].append(["Mobile", "Name"])
    for (runs, _said), name in zip(RUNS, NAMES, strict=True):
        parts = [TextBlock(InlineFont(strike=gone), text) for text, gone in runs]
        book.worksheets[0].append([CellRichText(*parts), name])
    book.save(content)
    return content.getvalue()


def rich_of_xls() -> bytes:
    book, content = xlwt.Workbook(), io.BytesIO()
    sheet = book.add_sheet("People")
    fonts = xlwt.easyfont("bold on"), xlwt.easyfont("struck_out on")
    for row, (runs, name) in enumerate(
        [([("Mobile", False)], "Name"), *zip([one for one, _ in RUNS], NAMES, strict=True)]
    ):
        sheet.write_rich_text(row, 0, [(text, fonts[gone]) for text, gone in runs])
        sheet.write(row, 1, name)
    book.save(content)
    return content.getvalue()


def rich_of_ods() -> bytes:
    texts = ["".join(f"~{text}~" if gone else text for text, gone in runs) for runs, _said in RUNS]
    comment = "<office:annotation><text:p>left 2026</text:p></office:annotation><text:p>"

    def strike(xml: bytes) -> bytes:
        styles = STYLES.replace("table-cell", "text") + "</office:automatic-styles>"
        text = xml.decode().replace("</office:automatic-styles>", styles)
        text = re.sub("~([^~]*)~", r'<text:span text:style-name="gone">\1</text:span>', text)
        return text.replace("<text:p><text:span", comment + "<text:span").encode()

    rows = [["Mobile", "Name"], *([*cells] for cells in zip(texts, NAMES, strict=True))]
    return bend(ods(rows), "content.xml", strike)


@HERE
@each("workbook", [rich_of_xlsx, rich_in_cells, rich_of_xls, rich_of_ods])
def test_a_text_is_struck_out_if_all_its_letters_are_or_a_number_in_it(workbook: Callable[[], bytes]) -> None:
    sheet = read_sheet(workbook())
    phones = sheet.frame["Mobile"].str.replace(" ", "")  # of which a writer leaves out some
    read = zip(phones, sheet.frame["Name"], sheet.frame["Struck out"], strict=True)
    assert list(read) == [
        ("".join(text for text, _gone in runs).replace(" ", ""), name, "Mobile" if said else "")
        for (runs, said), name in zip(RUNS, NAMES, strict=True)
    ]
    statuses = clean_contacts(sheet, country="GB").rows["status"]
    assert not (statuses[sheet.frame["Struck out"] != ""] == "ok").any()


Style = tuple[str, str, str]
"""Name, "" for the default one, the style that it goes back to, and its line."""
WITH_PARENTS: list[tuple[list[Style], list[str]]] = [
    ([("ce1", "gone", ""), ("gone", "", "solid")], ["whole row", ""]),
    ([("ce1", "next", ""), ("next", "gone", ""), ("gone", "", "solid")], ["whole row", ""]),
    ([("ce1", "gone", "none"), ("gone", "", "solid"), ("", "", "dotted")], ["", "whole row"]),
    ([("ce1", "", ""), ("", "", "solid")], ["whole row", "whole row"]),
    ([("", "", "solid"), ("ce1", "next", ""), ("next", "", "none")], ["", "whole row"]),
    ([("ce1", "unknown", "solid")], ["whole row", ""]),
    ([("gone", "", "solid"), ("ce1", "next", ""), ("next", "ce1", "")], ["", ""]),
    ([("ce1", "", "solid"), ("ce1", "", "")], ["", ""]),  # of another part
]


@HERE
@each("styles, said", WITH_PARENTS)
def test_a_style_of_an_opendocument_sheet_strikes_as_those_it_goes_back_to(
    styles: list[Style], said: list[str]
) -> None:
    written = "".join(
        f'<style:{"" if name else "default-"}style style:name="{name}" style:family="table-cell"'
        f' style:parent-style-name="{parent}">'
        + f'<style:text-properties style:text-line-through-style="{line}"/>' * bool(line)
        + f"</style:{'' if name else 'default-'}style>"
        for name, parent, line in styles
    )
    whole = with_styles([["Mobile"], ["07400 123456~"], ["07400 235671"]], written)
    sheet = read_sheet(whole)
    assert ([*sheet.frame.get("Struck out", ["", ""])], len(sheet.notes)) == (said, int(any(said)))


def with_styles(rows: list[list[str | int]], styles: str, after: str = "") -> bytes:
    """A sheet with styles, of which cells that end with ~ have ce1, and with something after its rows."""

    def change(xml: bytes) -> bytes:
        text = xml.decode().replace("</office:automatic-styles>", styles + "</office:automatic-styles>")
        text = re.sub(
            r"<table:table-cell( [^>]*><text:p>[^<]*)~<", r'<table:table-cell table:style-name="ce1"\1<', text
        )
        return text.replace("</table:table>", f"{after}</table:table>").encode()

    return bend(ods(rows), "content.xml", change)


@HERE
@each("strikes", [True, False])
def test_that_a_rule_can_strike_cells_out_is_said(*, strikes: bool) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["Mobile", "07400 123456"])
        for name, gone in (("bold", False), ("font_strikeout", strikes)):
            rule = {"type": "no_blanks", "format": workbook.add_format({name: gone or name == "bold"})}
            sheet.conditional_format("A1:A9", rule)

    kinds = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
    rule = f'<c:condition xmlns:c="{kinds}" c:apply-style-name="{"ce1" if strikes else "ce2"}"/>'
    line = "strike" if strikes else "b"
    font = f'<x:ext xmlns:x="x"><x:dxf><font><{line}/></font></x:dxf></x:ext></worksheet>'
    elsewhere = bend(
        xlsx_of([["Mobile"], ["07400 123456"]]),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"</worksheet>", font.encode()),
    )
    shown_so = (
        '<style:style style:name="co1" style:family="table-cell">'
        f'<style:map style:condition="value()>1" style:apply-style-name="{"ce1" if strikes else "ce2"}"/>'
        "</style:style>"
    )
    by_rule, by_map, by_later = (
        with_styles([["Mobile"], ["07400 123456"]], *written)
        for written in ((STYLES, rule), (STYLES + shown_so,), (shown_so + STYLES,))
    )
    for workbook in (xlsx(fill), elsewhere, by_rule, by_map, by_later):
        assert any("conditional format" in note for note in read_sheet(workbook).notes) is strikes


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
