"""Workbooks: numbers as their digits, the sheet that people see, and no file that takes the program down."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from functools import cache

import pytest
import xlsxwriter
import xlwt
from each import each
from workbooks import Marks, Xml, bend, ods, rewritten, xls, xlsb, xlsx, xlsx_of, xlsx_sheets

from dashboard.contacts import Limits, Sheet, read_sheet
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")
SMALL = xlsx_of([["phone", "name"], ["07911123456", "Ann"]])
SHEET = "xl/worksheets/sheet1.xml"
BILLION_LAUGHS = (
    b'<!DOCTYPE x [<!ENTITY a "lol">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, (b"&%c;" % (97 + n)) * 10) for n in range(9))
    + b"]>"
)
EXTERNAL_ENTITY = b'<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/hostname">]>'
ERROR_TOLD = "1 cell with a spreadsheet error"


def cells(sheet: Sheet) -> list[list[str]]:
    return sheet.frame.to_numpy().tolist()


@each("write", [xls, xlsx_sheets])
def test_the_first_visible_worksheet_is_read(write: Callable[..., bytes]) -> None:  # cases 82 and 87
    customers = [["Handy", "Name"], [447911123456, "Zoë"]]
    content = write(
        {"Lists": [["phone", "x"], ["07911123457", "y"]], "Customers": customers}, hidden={"Lists"}
    )
    sheet = read_sheet(content)
    assert cells(sheet) == [["447911123456", "Zoë"]]
    assert (sheet.worksheet, sheet.worksheets) == ("Customers", ("Lists", "Customers"))
    assert any("2 worksheets" in note for note in sheet.notes)
    assert read_sheet(content, worksheet="Lists").worksheet == "Lists"
    with pytest.raises(SheetError, match="no worksheet with this name"):
        read_sheet(content, worksheet="Staff")


ODS_ERROR = Xml(
    '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"'
    ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">'
    "<text:p>#REF!</text:p></table:table-cell>"
)


def test_an_opendocument_sheet() -> None:  # case 82
    """Below a hidden worksheet and a title; with a filtered row, an error, and blank rows to its end."""
    people = [[447911123456, "Zoë & Co"], ["07911123457", "Bob"], [ODS_ERROR, "Cy"], [""]]
    filtered, to_the_end = 'table:visibility="filter"', 'table:number-rows-repeated="1048570"'
    content = ods(
        [["Customers 2026"], [""], ["phone", "name"], *people],
        row_attributes={4: filtered, 6: to_the_end},
        hidden_before=[["phone of another list"]],
    )
    sheet = read_sheet(content)
    assert cells(sheet) == [["447911123456", "Zoë & Co"], ["07911123457", "Bob"], ["", "Cy"]]
    assert (sheet.rows.tolist(), sheet.hidden_rows) == ([4, 5, 6], {5})
    assert (sheet.worksheet, sheet.worksheets) == ("Customers", ("Lists", "Customers"))
    assert any(ERROR_TOLD in note for note in sheet.notes)
    assert any("1 row (a filter may be on)" in note for note in sheet.notes)


def test_worksheets_with_nothing_in_them_are_passed_over() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        workbook.add_chartsheet("Chart")
        workbook.add_worksheet("Sheet1")
        workbook.add_worksheet("Customers").write_column(0, 0, ["phone", "07911123456"])

    sheet = read_sheet(xlsx(fill))
    assert (sheet.worksheet, sheet.frame["phone"].tolist()) == ("Customers", ["07911123456"])
    with pytest.raises(SheetError, match="empty"):
        read_sheet(xlsx_of([]))


def test_worksheets_of_people_who_refused_are_named() -> None:
    refusing = ["Unsubscribed", "Opt-outs", "Do not contact", "Abgemeldet", "Désabonnés"]
    names = ["People", "Customers 2", "Orders", *refusing]
    sheet = read_sheet(xlsx_sheets({name: [["phone"], ["07400 123456"]] for name in names}))
    told = " ".join(note for note in sheet.notes if "must not be texted" in note)
    assert [name for name in names[1:] if name in told] == refusing


def test_a_merged_cell_holds_for_every_row_that_it_reaches_over_and_in_a_header_of_two() -> None:
    rows = [["Company", "Phone", ""], ["", "Mobile", "Home"]]
    rows += [["Acme", "07911123456", ""], ["", "", ""], ["", "07911123458", ""]]
    sheet = read_sheet(xlsx_of(rows, Marks(merged=["A1:A2", "B1:C1", "A3:A5"])))
    assert list(sheet.frame) == ["Company", "Phone Mobile", "Phone Home"]
    assert cells(sheet) == [["Acme", "07911123456", ""], ["Acme", "07911123458", ""]]
    assert sheet.rows.tolist() == [3, 5]
    assert any("2 merged cells;" in note for note in sheet.notes)
    further_right = [["", "", *cells] for cells in (["Company", "Mobile"], ["Acme", "1"], ["", "2"])]
    assert cells(read_sheet(xlsx_of(further_right, Marks(merged=["C2:C3"])))) == [
        ["Acme", "1"],
        ["Acme", "2"],
    ]


def test_row_numbers_count_title_and_blank_rows() -> None:  # case 70
    sheet = read_sheet(xlsx_of([["List"], [], [], ["phone", "name"], ["07911123456", "Ann"], [], ["x", "y"]]))
    assert (sheet.header_row, sheet.rows.tolist()) == (4, [5, 7])


def with_errors() -> Iterator[bytes]:
    """A workbook and an old one with an error instead of a phone."""

    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["phone", "07911123456"])
        sheet.write_formula(2, 0, "=OTHER()", None, "#NAME?")
        sheet.write(2, 1, "Ann")

    yield xlsx(fill)
    book, content = xlwt.Workbook(), io.BytesIO()
    old = book.add_sheet("People")
    for row, cell in enumerate(["phone", "07911123456"]):
        old.write(row, 0, cell)
    old.row(2).set_cell_error(0, "#REF!")
    old.write(2, 1, "Bob")
    book.save(content)
    yield content.getvalue()


@each("content", with_errors())
def test_error_cells_are_told(content: bytes) -> None:
    sheet = read_sheet(content)
    assert sheet.frame["phone"].tolist() == ["07911123456", ""]
    assert any(ERROR_TOLD in note for note in sheet.notes)


def with_tag(tag: str) -> bytes:
    end = b"</row></sheetData>"
    return bend(SMALL, SHEET, lambda xml: xml.replace(end, tag.encode() + end))


STRAY = [
    *('<c r="XFD2">', '<c r="xfd2">', '<c r="$XFD$2">', "<c r='XFD2'>", '<c s="0" r = "XFD2">'),
    *('<c\nr="XFD2">', '</row><row\nr="9999999"><c r="A9999999">', '</row><row r="9999999"><c>'),
    *('</row><row ht="15" r="9999999"><c r="A9999999">', '</row><row r="1048576"><c r="XFD1048576" t="n">'),
    *('</row><row r="123456"><c r="QQQ123456" t="n">', '</row><row r="1"><c r="ZZZZ1" t="n">'),
]
STRAY = [f"{tag}<v>1</v></c>" for tag in STRAY]
STRAY += ['<x:c r="XFD2"><v>1</v></x:c>', '<c r="XFD2" t="inlineStr"><is><t>x</t></is></c>']
STRAY += ['</row><x:row r="9999999"><x:c r="A9999999"><x:v>1</x:v></x:c></x:row><row>']


@each("tag", STRAY)
def test_a_stray_cell_is_found_however_it_is_written(tag: str) -> None:  # case 90
    with pytest.raises(SheetError, match=r"used up to (row [\d,]{9}|column [\d,]{5,7});.* stray cell"):
        read_sheet(with_tag(tag))


@each(
    "tag",
    [
        '<c r="XFD2"/><c r="XFD2" s="1"/><c r="XFD2" s="1"></c>',
        "<c s='1' r='xfd2' />",
        "".join(f'<c r="{letters}2" s="1"/>' for letters in ("SG", "SH", "ZZ")),
        '</row><row r="9999999" ht="15">',
        '</row><row r="1048577"><c r="XFD1048577" s="1"/>',
    ],
)
def test_far_cells_with_nothing_in_them_do_not_count(tag: str) -> None:
    """Programs write every cell that was ever formatted."""
    assert_same(read_sheet(with_tag(tag)), small())


def test_a_worksheet_may_be_used_up_to_its_last_column_and_not_one_further() -> None:
    for most, letters in {26: "AA", 500: "SG", 702: "AAA"}.items():
        with pytest.raises(SheetError, match=f"used up to column {most + 1}; at most .* and {most} columns"):
            read_sheet(with_tag(f'<c r="{letters}2"><v>1</v></c>'), limits=Limits(columns=most))
        bounds = Limits(columns=most + 1)
        assert read_sheet(with_tag(f'<c r="{letters}2"><v>1</v></c>'), limits=bounds).frame.shape[0] == 1


@cache
def small() -> Sheet:
    return read_sheet(SMALL)


def assert_same(one: Sheet, other: Sheet) -> None:
    assert one.frame.to_dict() == other.frame.to_dict()
    assert one.rows.tolist() == other.rows.tolist()


ELSEWHERE = {
    "at the root": (("xl/", ""), (b'"/xl/', b'"/'), (b'"xl/', b'"')),
    "in app/": (("xl/", "app/"), (b'"/xl/', b'"/app/'), (b'"xl/', b'"app/')),
    "absolute": (("xl/", "a/b/"), (b'"xl/', b'"/a/b/'), (b'"works', b'"/a/b/works')),
    "upper case": (("xl/", "XL/"), (b'"xl/', b'"XL/')),
    "backslashes": (("/", "\\"),),
}


@each("where", ELSEWHERE)
def test_a_workbook_may_be_anywhere_in_its_archive(where: str) -> None:
    renamed, *changes = ELSEWHERE[where]

    def move(name: str, text: bytes) -> tuple[str, bytes]:
        for before, after in changes:
            text = text.replace(before, after)
        return name.replace(*renamed), text

    assert_same(read_sheet(rewritten(SMALL, move)), small())
    with pytest.raises(SheetError, match="stray cell"):
        read_sheet(rewritten(with_tag('<c r="XFD2"><v>1</v></c>'), move))


@each("missing", ["mimetype", "META-INF/manifest.xml"])
@each("pretty", [False, True])
def test_an_opendocument_sheet_of_another_program(missing: str, *, pretty: bool) -> None:
    rows: list[list[str | int]] = [["phone", "name"], ["07911 123456", "Ann  Smith"], ["07911 123457", "Bob"]]

    def change(name: str, text: bytes) -> tuple[str, bytes] | None:
        for tag in (b"<table:table-row", b"<table:table-cell", b"</table:table", b"<text:p>") * pretty:
            text = text.replace(tag, b"\n   " + tag)
        return None if name == missing else (name, text)

    assert cells(read_sheet(rewritten(ods(rows), change))) == rows[1:]


@each("part", [SHEET, "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml"])
def test_a_part_that_is_larger_than_it_says_is_refused(part: str) -> None:
    """The checksum fits what the directory tells of it, so that only its real end gives it away."""
    honest = bend(SMALL, part, lambda xml: xml + b" " * 6 * 2**20)
    with zipfile.ZipFile(io.BytesIO(SMALL)) as archive:
        told = archive.getinfo(part)
    with zipfile.ZipFile(io.BytesIO(honest)) as archive:
        real = archive.getinfo(part)
    sizes = [struct.pack("<2L", info.CRC, info.compress_size) for info in (told, real)]
    liar = honest.replace(sizes[1], sizes[0][:4] + sizes[1][4:])
    liar = liar.replace(struct.pack("<L", real.file_size), struct.pack("<L", told.file_size))
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(liar, limits=Limits(inflated_bytes=2 * 2**20))


def test_a_binary_workbook() -> None:
    sheet = read_sheet(xlsb([["phone", "name"], [447911123456, "Zoë"], ["07911123457", "Bob"]]))
    assert cells(sheet) == [["447911123456", "Zoë"], ["07911123457", "Bob"]]
    assert sheet.rows.tolist() == [2, 3]


def declaring(part: str, declared: bytes) -> bytes:
    def declare(xml: bytes) -> bytes:
        root = re.search(rb"<(worksheet|sst|workbook|styleSheet)", xml)
        assert root
        return (xml[: root.start()] + declared + xml[root.start() :]).replace(b">phone<", b">&j;<")

    return bend(SMALL, f"xl/{part}.xml", declare)


def refused() -> Iterator[tuple[str, bytes]]:
    """Workbooks, and what is said of each."""
    for part in ("worksheets/sheet1", "sharedStrings", "workbook", "styles"):
        for declared in (BILLION_LAUGHS, EXTERNAL_ENTITY):
            yield "damaged", declaring(part, declared)  # case 92
    old, begun = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ods([["phone"], ["1"]])
    yield "damaged", SMALL[:-100]
    yield "damaged", bend(SMALL, SHEET, lambda xml: xml[:60])
    yield "damaged", bend(SMALL, "xl/workbook.xml", lambda _: b"")
    yield "damaged", bend(SMALL, "xl/_rels/workbook.xml.rels", lambda _: b"<r/>")
    yield "damaged", bend(SMALL, "xl/workbook.xml", lambda xml: xml.replace(b"UTF-8", b"UTF-a"))
    yield "damaged", old + bytes(600)
    yield "damaged", bend(begun, "content.xml", lambda xml: BILLION_LAUGHS + xml[38:])
    yield "damaged", bend(begun, "content.xml", lambda xml: xml[:200])
    yield "password", old + bytes(512) + "EncryptedPackage".encode("utf-16-le")
    yield "password", bend(begun, "META-INF/manifest.xml", lambda xml: xml + b"<!-- encryption-data -->")
    yield "unpacks to 9 MB; at most 8 MB", bend(SMALL, SHEET, lambda xml: xml + b" " * 9 * 2**20)
    yield r"XLSB.*name came out empty.*save it as XLSX", xlsb([["phone", "name"], ["07911123456"]])
    for row, times in ((2, 2_000_000), (1, 9_999_999)):
        rows = [["phone"], ["07911123456"], [""], ["far"]]
        yield "stray cell", ods(rows, row_attributes={row: f'table:number-rows-repeated="{times}"'})


@each("says, content", refused())
def test_a_workbook_that_cannot_be_read_is_refused_in_a_sentence(says: str, content: bytes) -> None:
    with pytest.raises(SheetError, match=says):
        read_sheet(content, limits=Limits(inflated_bytes=8 * 2**20))


def test_a_workbook_with_macros_is_read_like_any_other() -> None:
    macros = bend(SMALL, "[Content_Types].xml", lambda xml: xml.replace(b"sheet.main+xml", b"macro+xml"))
    assert_same(read_sheet(macros), small())
