"""Cells that hold numbers are read as their formats show them, or it is said that they are not.

tests/vectors/number_formats.csv has numbers, their formats and how each is shown, or read where not followed.
"""

from __future__ import annotations

import re

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from tiers import only_deep
from vector_files import vectors
from workbooks import Cell, Marks, Xml, bend, name_of, ods, xls_of, xlsb, xlsx_of

from dashboard.contacts import Sheet, clean_contacts, read_sheet
from dashboard.contacts.read.workbook import ods_check, worksheets
from dashboard.contacts.read.workbook.number_format import shown, text_shown
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")
SHEET = "xl/worksheets/sheet1.xml"
Formatted = list[tuple[Cell, str | int]]
FORMATS = vectors("number_formats.csv")
FOLLOWED, NOT_FOLLOWED = ([one for one in FORMATS if one["is_followed"] == word] for word in ("yes", "no"))
DAY = 46359.604166666664  # 2026-12-03 14:30


def described(cells: Formatted, column: int = 1) -> tuple[list[list[Cell]], Marks]:
    """These values below each other in their formats, beside a name in the column before."""
    left = [""] * (column - 1)
    rows = [[*left, "Ann", value] for value, _code in cells]
    formats = {name_of(row, column): code for row, (_value, code) in enumerate(cells, start=1)}
    return [[*left, "name", "value"], *rows], Marks(formats=formats)


def with_formats(cells: Formatted, column: int = 1, **options: object) -> bytes:
    return xlsx_of(*described(cells, column), **options)


def of(cases: list[dict[str, str]]) -> Formatted:
    return [(float(case["value"]), case["format"]) for case in cases]


def noted(sheet: Sheet) -> str:
    return " ".join(note for note in sheet.notes if "number format" in note)


def assert_read(sheet: Sheet, cases: list[dict[str, str]]) -> None:
    assert [{**case, "shown": text} for case, text in zip(cases, sheet.frame["value"], strict=True)] == cases


@each("column", [1, 4])
def test_a_number_is_read_as_its_cell_shows_it(column: int) -> None:  # cases 82 and 83
    sheet = read_sheet(with_formats(of(FOLLOWED), column))
    assert_read(sheet, FOLLOWED)
    assert not noted(sheet)


def test_a_cell_is_one_however_its_worksheet_is_cut_into_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = with_formats(of(FOLLOWED))
    for size in range(300, 340, 9):
        monkeypatch.setattr("dashboard.contacts.read.workbook.check._CHUNK_BYTES", size)
        assert_read(read_sheet(whole), FOLLOWED)


@each("case", NOT_FOLLOWED)
def test_what_is_not_read_as_it_is_shown_is_named(case: dict[str, str]) -> None:
    sheet = read_sheet(with_formats([(19.9, "0.00"), *of([case])]))
    code, text = case["format"], case["shown"]
    assert sheet.frame["value"].tolist() == ["19.90", text]
    example = f"…{text[-4:]}" if re.fullmatch(r"\d{7,}", text) else text
    assert f'column B (shown as {code}; row 3 as "{example}")' in noted(sheet)


def test_formats_that_follow_the_reader_s_system_are_read_as_iso_8601_or_named() -> None:
    sheet = read_sheet(with_formats([(46359, 14), (DAY, 22), (19.9, 44)]))  # their numbers
    assert sheet.frame["value"].tolist() == ["2026-12-03", "2026-12-03 14:30", "19.9"]
    assert 'column B (shown as system format 44; row 4 as "19.9")' in noted(sheet)


def test_days_are_counted_from_1904_where_the_workbook_says_so() -> None:
    cells = [(DAY - 1462, "dd/mm/yyyy hh:mm"), (DAY % 1, "h:mm"), (1.5, "[h]:mm")]
    sheet = read_sheet(with_formats(cells, date_1904=True))
    assert sheet.frame["value"].tolist() == ["03/12/2026 14:30", "14:30", "36:00"]


UNTOUCHED = ["@", '"+1 "0', "dd/mm/yyyy;@", "[$-1070000]d/m/yyyy;@", "0.00;[Red]@", '"x"0;"y"0']
UNTOUCHED += ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)']
OF_TEXTS = [
    ("7400123456", '"+1 "@', "+1 7400123456"),
    ("7400123456", '0;-0;0;"+1 "@', "+1 7400123456"),
    ("7400123456", '@" - do not text"', "7400123456 - do not text"),
    ("7400123456", "\\+1\\ @", "+1 7400123456"),
    (" Ann ", '0" points";@" (VIP)"', "Ann  (VIP)"),
    ("yes", '@"?"', "yes?"),
    *((text, code, text) for text in ("7400123456", "Ann") for code in UNTOUCHED),
]


def test_a_text_is_read_as_its_cell_shows_it() -> None:
    rows, marks = described([(text, code) for text, code, _shown in OF_TEXTS])
    formats = {**marks.formats, **{name.replace("B", "C"): code for name, code in marks.formats.items()}}
    sheet = read_sheet(xlsx_of([[*cells, ""] for cells in rows], Marks(formats=formats)))
    assert sheet.frame["value"].tolist() == [shown for *_, shown in OF_TEXTS]
    assert [*sheet.frame] == ["name", "value"], "nothing is shown in a blank cell"
    assert not noted(sheet)
    assert text_shown("Ann", ";;;") == text_shown("Ann", '0;0;0;"x"') == ("Ann", False)
    assert text_shown("Ann", '"+1"0@') == ("Ann", False)


@each(
    "phone, code, read",
    [
        (7734625081, '"+1 "0', ["+17734625081"]),
        (7734625081, "General", ["+447734625081"]),
        ("7734625081", '"+1 "@', ["+17734625081"]),
        ("7734625081", "@", ["+447734625081"]),
        ("7734625081", '@" - do not text"', []),
    ],
)
def test_a_phone_is_the_one_that_is_seen(phone: Cell, code: str, read: list[str]) -> None:
    rows = clean_contacts(
        read_sheet(xlsx_of([["Phone"], [phone]], Marks(formats={"A2": code}))), country="GB"
    ).rows
    assert rows.loc[rows["status"] != "opted_out", "phone"].tolist() == read


def test_an_old_workbook_is_read_as_it_is_shown() -> None:
    """It has no phones that are longer than ten digits, as its reader keeps them."""
    rows, marks = described(of(FORMATS), column=4)
    sheet = read_sheet(xls_of(rows, marks))
    assert_read(sheet, FORMATS)
    assert "column E" in noted(sheet)


ODS_CELLS = [
    ('float" office:value="7734625081', "+1 7734625081", "+1 7734625081"),
    ('float" office:value="7734625081', "7.73E+09", "7734625081"),
    ('float" office:value="447911123456.0', "447911123456.0", "447911123456"),
    ('float" office:value="19.9', "19,90", "19,90"),
    ('float" office:value="1', "Yes", "Yes"),
    ('float" office:value="0', "no SMS", "no SMS"),
    ('float" office:value="7734625081', "Yes", "7734625081"),
    ('percentage" office:value="1', "100 %", "100 %"),
    ('float" office:value="5', "5<text:s/>points", "5 points"),
    ('percentage" office:value="0.15', "15%", "15%"),
    ('currency" office:currency="EUR" office:value="19.9', "19,90 €", "19,90 €"),
    ('date" office:date-value="2026-12-03', "03.12.2026", "03.12.2026"),
    ('date" office:date-value="2026-12-03', "3. Dez. 26", "2026-12-03"),
    ('date" office:date-value="2026-12-03T14:30:00', "03.12.26 14:30", "2026-12-03 14:30"),
    ('time" office:time-value="PT14H30M00S', "14:30", "14:30"),
    ('string" office:string-value="0044', "0044", "0044"),
    ('boolean" office:boolean-value="true', "WAHR", "true"),
]


@each("repeated", [1, 3])
def test_an_opendocument_sheet_is_read_as_it_is_shown(repeated: int) -> None:
    """Beside comments, which are not shown; after an empty column; where a cell stands for several."""
    comment = "<office:annotation><text:p>9</text:p></office:annotation>"
    cells = [
        f'<table:table-cell table:number-columns-repeated="{repeated}" office:value-type="{value}">'
        f"{comment * value.startswith('float')}<text:p>{shown_as}</text:p></table:table-cell>"
        for value, shown_as, _read in ODS_CELLS
    ]
    sheet = read_sheet(ods([["", "name", "value"], *(["", "Ann", Xml(cell)] for cell in cells)]))
    for name in sheet.frame.columns[1:-1]:
        assert list(zip(sheet.frame[name], ODS_CELLS, strict=True)) == [(one[2], one) for one in ODS_CELLS]
    assert 'column C (shown as 7.73E+09; row 3 as "…5081")' in noted(sheet)
    assert [*sheet.frame][1 + repeated :] == ["Notes on cells"]


def test_a_workbook_whose_cells_do_not_say_where_they_are_is_named() -> None:
    whole = with_formats([(0.15, "0%"), (0.25, "0%")])
    sheet = read_sheet(bend(whole, SHEET, lambda xml: re.sub(rb' r="[A-Z]+\d+"', b"", xml)))
    assert sheet.frame["value"].tolist() == ["0.15", "0.25"]
    assert any("do not say where they are" in note for note in sheet.notes)


def test_numbers_beyond_those_that_memory_holds_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (ods_check, worksheets):
        monkeypatch.setattr(module, "MOST_SHOWN", 2)
    numbers = ods([["name", "value"], *(["Ann", number] for number in range(10, 14))])
    pointed = bend(
        numbers, "content.xml", lambda xml: re.sub(rb"<text:p>(\d+)<", rb"<text:p>\1 points<", xml)
    )
    sheet = read_sheet(pointed)
    assert sheet.frame["value"].tolist() == ["10 points", "11 points", "12", "13"]
    assert any(note.startswith("Only the first 2 numbers") for note in sheet.notes)


def test_of_a_binary_workbook_it_is_said_that_formats_are_not_read() -> None:
    rows = [["phone", "name"], [7734625081, "Ann"]]
    assert not noted(read_sheet(xlsb(rows)))
    assert "Save it as XLSX" in noted(read_sheet(xlsb(rows, formats=[0, 9])))


@each(
    "cell",
    [
        b"<c s='1' r = 'B2'><v>0.15</v></c>",
        b'<c\nr="B2" s="1" t="n"><v>1.5E-1</v></c>',
        b'<c r="B2" s="1"><f>A1*"t"</f><v>0.15</v></c>',
        b'<c r="B2" s="1"><f t="shared" si="0"/><v>0.15</v></c>',
    ],
)
def test_a_number_is_found_however_its_cell_is_written(cell: bytes) -> None:
    plain = b'<c r="B2" s="1"><v>0.15</v></c>'
    written = bend(with_formats([(0.15, "0%")]), SHEET, lambda xml: xml.replace(plain, cell))
    assert read_sheet(written).frame["value"].tolist() == ["15%"]


CODES = st.sampled_from([case["format"] for case in FORMATS])
CODES |= st.text('0#?,.%;@"\\ _*[]<=>$€-+()/:EhmsydAP1', max_size=20)
TEXTS = st.sampled_from(["0044", "7734625081", "2026-12-03", "0.15", "1e5", " 7 ", "+1 0", "A"])


@given(st.integers(1, 10**15 - 1), CODES)
def test_no_digit_of_a_whole_number_is_lost(number: int, code: str) -> None:
    read = shown(str(number), code, str(number)).text
    is_day = re.match(r"\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4}", read)
    is_word = number < 10**7 and not re.search(r"\d", read)
    assert is_day or is_word or re.search("[hmsy]", code) or str(number) in re.sub(r"\D", "", read)


@given(st.lists(TEXTS, min_size=1, max_size=5), CODES.filter(lambda code: "@" not in code))
def test_texts_and_numbers_without_a_format_are_left_alone(texts: list[str], code: str) -> None:
    numbers = [7734625081, 19.9, 0.15]
    cells = [*((text, code) for text in texts), *((number, "General") for number in numbers), (1.5, "0.00")]
    read = read_sheet(with_formats(cells)).frame["value"].tolist()
    assert read == [*texts, "7734625081", "19.9", "0.15", "1.50"]


@pytest.mark.parametrize("many", [b"<a/>" * 1_000_001, *only_deep(b"<!-- " + b" " * 2**26 + b"-->")])
def test_more_styles_than_any_program_writes_are_refused(many: bytes) -> None:
    whole = with_formats([(1, "0.000")])
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(bend(whole, "xl/styles.xml", lambda xml: xml.replace(b"<numFmts", many + b"<numFmts", 1)))
