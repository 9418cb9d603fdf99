"""Workbooks: numbers as their digits, the sheet that people see, and no file that takes the program down."""

from __future__ import annotations

import io
import struct
import sys
import time
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import xlsxwriter
import xlwt
from tiers import only_deep
from workbooks import bend, ods, xls, xlsb, xlsx, xlsx_of

from dashboard.contacts import Limits, Sheet, clean_contacts, read_sheet
from dashboard.errors import SheetError

SMALL = xlsx_of([["phone", "name"], ["07911123456", "Ann"]])
SHEET = "xl/worksheets/sheet1.xml"
BILLION_LAUGHS = (
    b'<!DOCTYPE x [<!ENTITY a "lol">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, (b"&%c;" % (97 + n)) * 10) for n in range(9))
    + b"]>"
)
EXTERNAL_ENTITY = b'<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/hostname">]>'


def test_numbers_are_their_digits_whatever_their_format() -> None:  # cases 82 and 83
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["phone", 447911123456])
        for row, number_format in enumerate(["0.00E+00", "#,##0", "0.00", "@", "00000000000"], start=2):
            sheet.write_number(row, 0, 447911123456, workbook.add_format({"num_format": number_format}))
        sheet.write_number(7, 0, 7911123456, workbook.add_format({"num_format": "00000000000"}))

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame["phone"].tolist() == ["447911123456"] * 6 + ["7911123456"]
    assert set(clean_contacts(sheet, country="GB").rows["phone"]) == {"+447911123456"}


def test_an_opendocument_sheet() -> None:  # case 82
    sheet = read_sheet(ods([["Customers 2026"], [""], ["phone", "name"], [447911123456, "Zoë & Co"]]))
    assert sheet.frame.to_numpy().tolist() == [["447911123456", "Zoë & Co"]]
    assert sheet.rows.tolist() == [4]
    assert sheet.worksheet == "Customers"


def test_the_first_visible_worksheet_is_read() -> None:  # case 87
    def fill(workbook: xlsxwriter.Workbook) -> None:
        hidden, shown = workbook.add_worksheet("Lists"), workbook.add_worksheet("Customers")
        hidden.write_column(0, 0, ["phone of another list", "07911123457"])
        hidden.hide()
        shown.activate()
        shown.set_first_sheet()
        shown.write_column(0, 0, ["phone", "07911123456"])

    content = xlsx(fill)
    sheet = read_sheet(content)
    assert (sheet.worksheet, sheet.worksheets) == ("Customers", ("Lists", "Customers"))
    assert any("2 worksheets" in note for note in sheet.notes)
    assert read_sheet(content, worksheet="Lists").worksheet == "Lists"
    with pytest.raises(SheetError, match="no worksheet with this name"):
        read_sheet(content, worksheet="Staff")


def test_worksheets_with_nothing_in_them_are_passed_over() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        workbook.add_chartsheet("Chart")
        workbook.add_worksheet("Sheet1")
        workbook.add_worksheet("Customers").write_column(0, 0, ["phone", "07911123456"])

    sheet = read_sheet(xlsx(fill))
    assert (sheet.worksheet, sheet.frame["phone"].tolist()) == ("Customers", ["07911123456"])


def test_a_merged_cell_holds_for_every_row_that_it_reaches_over() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.merge_range("A1:C1", "Members")
        sheet.write_row("A2", ["Company", "phone", "name"])
        sheet.merge_range("A3:A5", "Acme")
        sheet.write_column("B3", ["07911123456", "", "07911123458"])
        sheet.write_column("C3", ["Ann", "", "Bob"])

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame.to_numpy().tolist() == [["Acme", "07911123456", "Ann"], ["Acme", "07911123458", "Bob"]]
    assert sheet.rows.tolist() == [3, 5]
    assert any("1 merged cell;" in note for note in sheet.notes)


def test_merged_cells_of_an_opendocument_sheet() -> None:
    spanned = '<table:table-cell table:number-rows-spanned="2" '
    content = bend(
        ods([["phone", "team"], ["07911123456", "Acme"], ["07911123457"]]),
        "content.xml",
        lambda xml: xml.replace(
            b'<table:table-cell office:value-type="string"><text:p>Acme',
            spanned.encode() + b'office:value-type="string"><text:p>Acme',
        ),
    )
    assert read_sheet(content).frame["team"].tolist() == ["Acme", "Acme"]


def test_a_merged_header_of_two_rows() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.merge_range("A1:A2", "Name")
        sheet.merge_range("B1:C1", "Phone")
        sheet.write_row("B2", ["Mobile", "Home"])
        sheet.write_row("A3", ["Ann", "07911123456", "020 7946 0991"])

    sheet = read_sheet(xlsx(fill))
    assert (list(sheet.frame), sheet.rows.tolist()) == (["Name", "Phone Mobile", "Phone Home"], [3])


def test_hidden_rows_are_read_told_and_can_be_left_out() -> None:  # case 88
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["phone", "07911123456", "07911123457", "07911123458"])
        sheet.set_row(2, None, None, {"hidden": True})

    sheet = read_sheet(xlsx(fill))
    assert sheet.rows.tolist() == [2, 3, 4]
    assert sheet.hidden_rows == {3}
    assert any("1 row (a filter may be on)" in note for note in sheet.notes)
    assert sheet.without_hidden_rows().rows.tolist() == [2, 4]


def test_row_numbers_count_title_and_blank_rows() -> None:
    sheet = read_sheet(xlsx_of([["List"], [], [], ["phone", "name"], ["07911123456", "Ann"], [], ["x", "y"]]))
    assert sheet.header_row == 4
    assert sheet.rows.tolist() == [5, 7]


def test_error_cells_are_told() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["phone", "07911123456"])
        sheet.write_formula(2, 0, "=OTHER()", None, "#NAME?")
        sheet.write(2, 1, "Ann")

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame["phone"].tolist() == ["07911123456", ""]
    assert any("1 cell with a spreadsheet error" in note for note in sheet.notes)


@pytest.mark.parametrize("cell", ["XFD1048576", "QQQ123456", "A9999999", "ZZZZ1"])
def test_a_stray_cell_far_away_is_refused_at_once(cell: str) -> None:  # case 90
    def add(xml: bytes) -> bytes:
        row = "".join(filter(str.isdigit, cell))
        stray = f'<row r="{row}"><c r="{cell}" t="n"><v>1</v></c></row></sheetData>'
        return xml.replace(b"</sheetData>", stray.encode())

    started = time.perf_counter()
    with pytest.raises(SheetError, match="stray cell"):
        read_sheet(bend(SMALL, SHEET, add))
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(
    "tag",
    [
        '<c r="XFD2"><v>1</v></c>',
        '<c r="xfd2"><v>1</v></c>',
        '<c r="$XFD$2"><v>1</v></c>',
        "<c r='XFD2'><v>1</v></c>",
        '<c s="0" r = "XFD2"><v>1</v></c>',
        '<c\nr="XFD2"><v>1</v></c>',
        '<x:c r="XFD2"><v>1</v></x:c>',
        '<c r="XFD2" t="inlineStr"><is><t>x</t></is></c>',
        '</row><row\nr="9999999"><c r="A9999999"><v>1</v></c>',
        '</row><row ht="15" r="9999999"><c r="A9999999"><v>1</v></c>',
        '</row><row r="9999999"><c><v>1</v></c>',
        '</row><x:row r="9999999"><x:c r="A9999999"><x:v>1</x:v></x:c></x:row><row>',
    ],
)
def test_a_stray_cell_is_found_however_it_is_written(tag: str) -> None:
    hostile = bend(
        SMALL, SHEET, lambda xml: xml.replace(b"</row></sheetData>", f"{tag}</row></sheetData>".encode())
    )
    with pytest.raises(SheetError, match=r"used up to (row 9,999,999|column 16,384);"):
        read_sheet(hostile)


@pytest.mark.parametrize(
    "tag",
    [
        *only_deep('<c r="XFD2"/>', '<c r="XFD2" s="1"/>', '<c r="XFD2" s="1"></c>'),
        "<c s='1' r='xfd2' />",
        "".join(f'<c r="{letters}2" s="1"/>' for letters in ("SG", "SH", "ZZ")),
        '</row><row r="9999999" ht="15">',
        '</row><row r="1048577"><c r="XFD1048577" s="1"/>',
    ],
)
def test_far_cells_with_nothing_in_them_do_not_count(tag: str) -> None:
    """Programs write every cell that was ever formatted."""
    styled = bend(
        SMALL, SHEET, lambda xml: xml.replace(b"</row></sheetData>", f"{tag}</row></sheetData>".encode())
    )
    assert_same(read_sheet(styled), small())


@cache
def small() -> Sheet:
    return read_sheet(SMALL)


def assert_same(one: Sheet, other: Sheet) -> None:
    assert one.frame.to_dict() == other.frame.to_dict()
    assert one.rows.tolist() == other.rows.tolist()


def renamed(workbook: bytes, rename: Callable[[str], str], *changes: tuple[bytes, bytes]) -> bytes:
    """The workbook with other names for its parts, and what they say about each other changed."""
    content = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook)) as old,
        zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            text = old.read(name)
            for before, after in changes:
                text = text.replace(before, after)
            new.writestr(rename(name), text)
    return content.getvalue()


ELSEWHERE = {
    "at the root": (lambda name: name.removeprefix("xl/"), (b'"/xl/', b'"/'), (b'"xl/', b'"')),
    "in app/": (lambda name: name.replace("xl/", "app/"), (b'"/xl/', b'"/app/'), (b'"xl/', b'"app/')),
    "absolute": (lambda name: name.replace("xl/", "a/b/"), (b'"xl/', b'"/a/b/'), (b'"works', b'"/a/b/works')),
    "upper case": (lambda name: name.replace("xl/", "XL/"), (b'"xl/', b'"XL/')),
    "backslashes": (lambda name: name.replace("/", "\\"),),
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_workbook_may_be_anywhere_in_its_archive(where: str) -> None:
    rename, *changes = ELSEWHERE[where]
    assert_same(read_sheet(renamed(SMALL, rename, *changes)), small())
    stray = (b"</row></sheetData>", b'<c r="XFD2"><v>1</v></c></row></sheetData>')
    with pytest.raises(SheetError, match="stray cell"):
        read_sheet(renamed(SMALL, rename, *changes, stray))


@pytest.mark.parametrize("missing", ["mimetype", "META-INF/manifest.xml"])
@pytest.mark.parametrize("pretty", [False, True])
def test_an_opendocument_sheet_of_another_program(missing: str, *, pretty: bool) -> None:
    rows: list[list[str | int]] = [["phone", "name"], ["07911 123456", "Ann  Smith"], ["07911 123457", "Bob"]]
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(ods(rows))) as old, zipfile.ZipFile(content, "w") as new:
        for name in set(old.namelist()) - {missing}:
            text = old.read(name)
            for tag in (b"<table:table-row", b"<table:table-cell", b"</table:table", b"<text:p>") * pretty:
                text = text.replace(tag, b"\n   " + tag)
            new.writestr(name, text)
    assert read_sheet(content.getvalue()).frame.to_numpy().tolist() == rows[1:]


@pytest.mark.parametrize(
    "part", [SHEET, *only_deep("xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml")]
)
def test_a_part_that_is_larger_than_it_says_is_refused_at_once(part: str) -> None:
    """The checksum fits what the directory tells of it, so that only its real end gives it away."""
    honest = bend(SMALL, part, lambda xml: xml + b" " * 60 * 2**20)
    with zipfile.ZipFile(io.BytesIO(SMALL)) as archive:
        told = archive.getinfo(part)
    with zipfile.ZipFile(io.BytesIO(honest)) as archive:
        real = archive.getinfo(part)
    sizes = [struct.pack("<2L", info.CRC, info.compress_size) for info in (told, real)]
    liar = honest.replace(sizes[1], sizes[0][:4] + sizes[1][4:])
    liar = liar.replace(struct.pack("<L", real.file_size), struct.pack("<L", told.file_size))
    started = time.perf_counter()
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(liar, limits=Limits(inflated_bytes=20 * 2**20))
    assert time.perf_counter() - started < 1


def test_error_cells_of_an_old_workbook_are_told() -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("People")
    for row, cells in enumerate([["phone", "name"], ["07911123456", "Ann"], ["", "Bob"]]):
        for column, cell in enumerate(cells):
            if cell:
                sheet.write(row, column, cell)
    sheet.row(2).set_cell_error(0, "#REF!")
    content = io.BytesIO()
    book.save(content)
    read = read_sheet(content.getvalue())
    assert read.frame["phone"].tolist() == ["07911123456", ""]
    assert any("1 cell with a spreadsheet error" in note for note in read.notes)


def test_error_cells_of_an_opendocument_sheet_are_told() -> None:
    error = (
        b'<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"'
        b' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><text:p>#REF!'
    )
    whole = ods([["phone", "name"], ["07911123456", "Ann"], ["BROKEN", "Bob"]])
    cell = b'<table:table-cell office:value-type="string"><text:p>BROKEN'
    read = read_sheet(bend(whole, "content.xml", lambda xml: xml.replace(cell, error)))
    assert read.frame["phone"].tolist() == ["07911123456", ""]
    assert any("1 cell with a spreadsheet error" in note for note in read.notes)


def test_a_binary_workbook_that_its_reader_gives_up_on_is_refused_in_a_true_sentence() -> None:
    begin, row = b"\x91\x01\x00", b"\x00\x19" + bytes(25)  # BrtBeginSheetData, BrtRowHdr
    text_without_its_place = b"\x07\x08" + bytes(8)  # BrtCellIsst
    odd = bend(
        xlsb([["phone"], ["07911123456"]]),
        "xl/worksheets/sheet1.bin",
        lambda cells: cells.replace(begin, begin + row + text_without_its_place),
    )
    with pytest.raises(SheetError, match="cannot be read, though it may not be damaged"):
        read_sheet(odd)


@pytest.mark.parametrize(
    "begin",
    [
        b"\x09\x00\x04\x00\x02\x00\x10\x00",
        b"\x09\x02\x06\x00\x00\x00\x10\x00\x00\x00",
        b"\x09\x04\x06\x00\x00\x00\x10\x00\x00\x00",
        b"\x09\x08\x08\x00\x00\x05\x10\x00\xd3\x10\xcc\x07",
    ],
    ids=["BIFF2", "BIFF3", "BIFF4", "BIFF5"],
)
def test_a_worksheet_of_excel_2_to_5_is_refused_by_its_name(begin: bytes) -> None:
    with pytest.raises(SheetError, match=r"worksheet from before Excel 97\. Open it in your"):
        read_sheet(begin + b"\x04\x00\x0d\x00" + bytes(8) + b"phone\n07911123456\n" + bytes(40))


def test_limits_below_a_worksheets_single_letters_hold() -> None:
    with pytest.raises(SheetError, match="used up to column 2; at most 1,048,576 rows and 1 columns"):
        read_sheet(SMALL, limits=Limits(columns=1))


@pytest.mark.parametrize("declared", [BILLION_LAUGHS, EXTERNAL_ENTITY], ids=["billion laughs", "external"])
@pytest.mark.parametrize(
    ("part", "root"),
    [(SHEET, b"<worksheet"), ("xl/sharedStrings.xml", b"<sst"), ("xl/workbook.xml", b"<workbook")],
)
def test_entities_in_its_xml_are_refused(part: str, root: bytes, declared: bytes) -> None:  # case 92
    hostile = bend(
        SMALL, part, lambda xml: xml.replace(root, declared + root, 1).replace(b">phone<", b">&j;<")
    )
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(hostile)


def test_a_workbook_that_unpacks_to_too_much_is_refused() -> None:
    limits = Limits(inflated_bytes=2**20)
    with pytest.raises(SheetError, match="unpacks to 3 MB; at most 1 MB"):
        read_sheet(bend(SMALL, SHEET, lambda xml: xml + b" " * 3 * 2**20), limits=limits)


@pytest.mark.parametrize(
    "content",
    [
        SMALL[:-100],
        bend(SMALL, SHEET, lambda xml: xml[:60]),
        bend(SMALL, "xl/workbook.xml", lambda _: b""),
        bend(SMALL, "xl/_rels/workbook.xml.rels", lambda _: b"<r/>"),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
    ],
    ids=["cut off", "sheet cut off", "no workbook part", "no relations", "XLS of nothing"],
)
def test_a_damaged_workbook_is_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(content)


def test_a_workbook_with_a_password_is_refused() -> None:
    protected = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(SheetError, match="password"):
        read_sheet(protected)


def test_a_binary_workbook_is_read_when_no_named_column_is_empty() -> None:
    sheet = read_sheet(xlsb([["phone", "name"], [447911123456, "Zoë"], ["07911123457", "Bob"]]))
    assert sheet.frame.to_numpy().tolist() == [["447911123456", "Zoë"], ["07911123457", "Bob"]]
    assert sheet.rows.tolist() == [2, 3]


def test_a_binary_workbook_with_a_column_that_came_out_empty_is_refused() -> None:
    with pytest.raises(SheetError, match=r"XLSB.*name came out empty.*save it as XLSX"):
        read_sheet(xlsb([["phone", "name"], ["07911123456"]]))


def test_a_workbook_with_macros_is_read_like_any_other() -> None:
    macros = bend(SMALL, "[Content_Types].xml", lambda xml: xml.replace(b"sheet.main+xml", b"macro+xml"))
    assert read_sheet(macros).frame["phone"].tolist() == ["07911123456"]


def test_an_old_workbook() -> None:  # case 82
    sheet = read_sheet(
        xls({"Lists": ([["x"]], 1), "Customers": ([["Handy", "Name"], [447911123456, "Zoë"]], 0)})
    )
    assert sheet.frame.to_numpy().tolist() == [["447911123456", "Zoë"]]
    assert (sheet.worksheet, sheet.worksheets) == ("Customers", ("Lists", "Customers"))


def test_hidden_rows_of_an_opendocument_sheet_are_told() -> None:
    rows = [["phone"], ["07911123456"], ["07911123457"], ["07911123458"]]
    sheet = read_sheet(ods(rows, row_attributes={2: 'table:visibility="filter"'}))
    assert (sheet.rows.tolist(), sheet.hidden_rows) == ([2, 3, 4], {3})
    assert any("1 row (a filter may be on)" in note for note in sheet.notes)


def test_the_first_visible_worksheet_of_an_opendocument_workbook_is_read() -> None:
    sheet = read_sheet(ods([["phone"], ["07911123456"]], hidden_before=[["phone of another list"]]))
    assert (sheet.worksheet, sheet.worksheets) == ("Customers", ("Lists", "Customers"))


def test_blank_rows_repeated_to_the_end_of_an_opendocument_sheet_are_nothing() -> None:
    rest = {2: 'table:number-rows-repeated="1048574"'}
    sheet = read_sheet(ods([["phone"], ["07911123456"], [""]], row_attributes=rest))
    assert sheet.rows.tolist() == [2]


@pytest.mark.parametrize(
    "attributes", [{2: 'table:number-rows-repeated="2000000"'}, {1: 'table:number-rows-repeated="9999999"'}]
)
def test_a_cell_far_down_an_opendocument_sheet_is_refused_at_once(attributes: dict[int, str]) -> None:
    rows: list[list[str | int]] = [["phone"], ["07911123456"], [""], ["far"]]
    started = time.perf_counter()
    with pytest.raises(SheetError, match="stray cell"):
        read_sheet(ods(rows, row_attributes=attributes))
    assert time.perf_counter() - started < 1


def test_an_opendocument_sheet_with_a_password_is_refused() -> None:
    with pytest.raises(SheetError, match="password"):
        read_sheet(
            bend(ods([["phone"]]), "META-INF/manifest.xml", lambda xml: xml + b"<!-- encryption-data -->")
        )


@pytest.mark.parametrize("change", [lambda xml: BILLION_LAUGHS + xml[38:], lambda xml: xml[:200]])
def test_an_opendocument_sheet_of_odd_xml_is_refused(change: Callable[[bytes], bytes]) -> None:
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(bend(ods([["phone"], ["1"]]), "content.xml", change))


def test_without_bounds_of_the_system_sizes_and_time_still_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows has no module `resource`."""
    (tmp_path / "resource.py").write_text("raise ImportError\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert read_sheet(SMALL).frame["name"].tolist() == ["Ann"]
    assert read_sheet(SMALL, limits=Limits(child_memory_bytes=2**20)).frame["name"].tolist() == ["Ann"]
    with pytest.raises(SheetError, match="memory or time"):
        read_sheet(SMALL, limits=Limits(child_time_s=0.001))
    with pytest.raises(SheetError, match="at most 1 rows and 500 columns"):
        read_sheet(SMALL, limits=Limits(workbook_rows=1))


def test_reading_stops_when_the_time_is_up() -> None:
    with pytest.raises(SheetError, match="memory or time"):
        read_sheet(SMALL, limits=Limits(child_time_s=0.001))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process's memory for sure")
def test_reading_stops_when_the_memory_is_used_up() -> None:
    with pytest.raises(SheetError, match="memory or time"):
        read_sheet(SMALL, limits=Limits(child_memory_bytes=64 * 2**20))


def test_an_empty_workbook_is_refused() -> None:
    with pytest.raises(SheetError, match="empty"):
        read_sheet(xlsx_of([]))


@pytest.mark.parametrize(
    ("worksheet", "is_of_refusals"),
    [
        ("Unsubscribed", True),
        ("Customers 2", False),
        *(
            pytest.param(*one, marks=pytest.mark.deep)
            for one in (
                ("Opt-outs", True),
                ("Do not contact", True),
                ("Abgemeldet", True),
                ("Désabonnés", True),
                ("Orders", False),
            )
        ),
    ],
)
def test_a_worksheet_of_people_who_refused_is_named(worksheet: str, is_of_refusals: bool) -> None:
    target = io.BytesIO()
    with pd.ExcelWriter(target, engine="xlsxwriter") as writer:
        pd.DataFrame({"phone": ["07400 123456"]}).to_excel(writer, sheet_name="People", index=False)
        pd.DataFrame({"phone": ["07400 123457"]}).to_excel(writer, sheet_name=worksheet, index=False)
    notes = read_sheet(target.getvalue()).notes
    assert any(worksheet in note and "must not be texted" in note for note in notes) == is_of_refusals
