"""Cells that hold numbers are read as their formats show them, or it is said that they are not."""

from __future__ import annotations

import io
import re

import pytest
import xlsxwriter
import xlwt
from each import each
from hypothesis import given
from hypothesis import strategies as st
from tiers import only_deep
from workbooks import bend, ods, xlsb, xlsx

from dashboard.contacts import Sheet, clean_contacts, read_sheet
from dashboard.contacts.read.workbook import ods_check, worksheets
from dashboard.contacts.read.workbook.number_format import shown, text_shown
from dashboard.errors import SheetError

HERE = pytest.mark.usefixtures("read_here")
STYLES = "xl/styles.xml"
DAY = 46359.604166666664  # 2026-12-03 14:30
ACCOUNTS = '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)'

FOLLOWED: list[tuple[float, str, str]] = [
    # phones
    (7734625081, '"+1 "0', "+1 7734625081"),
    (7734625081, '"+"0', "+7734625081"),
    (7734625081, "\\+1\\ 0", "+1 7734625081"),
    (7734625081, "[<=9999999]###-####;(###) ###-####", "(773) 462-5081"),
    (4625081, "[<=9999999]###-####;(###) ###-####", "462-5081"),
    (7911123456, "00000000000", "07911123456"),
    (7911123456, "00000\\ 000000", "07911 123456"),
    (447911123456, '"+"00\\ 0000\\ 000000', "+44 7911 123456"),
    (447911123456, "#,##0", "447911123456"),  # commas between its digits are no spelling of a phone
    (447911123456, "0.00", "447911123456"),
    (447911123456, "@", "447911123456"),
    (447911123456, "00000000000", "447911123456"),
    # amounts
    (19.9, "0.00", "19.90"),
    (20, "0.00", "20.00"),
    (19.9, '#,##0.00 "€"', "19.90 €"),
    (1234.5, "#,##0.00 [$€-407]", "1,234.50 €"),
    (1234.5, "[$£-809]#,##0.00", "£1,234.50"),
    (1234567, "#,##0", "1,234,567"),
    (1250, ACCOUNTS, "$1,250.00"),
    (-1250, ACCOUNTS, "$(1,250.00)"),
    (-1250, "#,##0_);[Red](#,##0)", "(1,250)"),
    (-19.9, "0.00", "-19.90"),
    (1500000.5, '0.0,,"M"', "1.5M"),
    (12345.678, "# ##0.00", "12 345.68"),
    (1.005, "0.00", "1.01"),  # as it is shown, not as it is in binary
    (2.5, "0", "3"),
    (7, "00000", "00007"),
    (5, '0" points"', "5 points"),
    (5, 'General" points"', "5 points"),
    (0.5, "#.00", ".50"),
    (0.1, "0.00##", "0.10"),
    (12, "0;-0;0;@", "12"),
    # percentages
    (0.15, "0%", "15%"),
    (0.155, "0.0%", "15.5%"),
    (0.155, "0.00%", "15.50%"),
    (1, "0%", "100%"),
    (12, "0%", "1200%"),
    (10, "#,##0.0 %", "1,000.0 %"),
    (-1, "0%", "-100%"),
    # words
    (1, '"Yes";"No";"No"', "Yes"),
    (0, '"No";"No";"Yes"', "Yes"),
    (1, '"No";"No";"Yes"', "No"),
    (-1, '"Ja";"Nein"', "Nein"),
    (1, '[=1]"Yes";"No"', "Yes"),
    (0, '[=1]"Yes";"No"', "No"),
    (1, '[=1]"Yes";[=0]"No";0', "Yes"),
    (0, '[Green]"OK";[Red]"no SMS";[Blue]"no SMS";@', "no SMS"),
    (2, "\\o\\u\\t", "out"),
    (0, '0;-0;"none"', "none"),
    (1, '"✓";;"✗"', "✓"),
    (0.5, '"half"', "half"),
    (3, '_("do not text"_)', "do not text"),
    # days and times
    (46359, "dd/mm/yyyy", "03/12/2026"),
    (46359, "d.m.yyyy", "3.12.2026"),
    (46359, "[$-407]dd.mm.yyyy;@", "03.12.2026"),
    (46359, "YYYY-MM-DD", "2026-12-03"),
    (46359, "m/d/yyyy", "12/3/2026"),
    (DAY, "dd/mm/yyyy hh:mm", "03/12/2026 14:30"),
    (DAY, "yyyy-mm-dd h:mm AM/PM", "2026-12-03 2:30 PM"),
    (DAY, "yyyy\\-mm\\-dd\\Thh:mm:ss", "2026-12-03T14:30:00"),
    (46359, "[$-F800]dddd, mmmm dd, yyyy", "2026-12-03"),  # as each system spells it
    (DAY % 1, "h:mm", "14:30"),
    (DAY % 1, "h:mm AM/PM", "2:30 PM"),
    (DAY % 1, "[$-F400]h:mm:ss AM/PM", "14:30"),
    (0.5 + 61.25 / 86400, "h:mm:ss.00", "12:01:01.25"),
    (1.5, "[h]:mm", "36:00"),
    (1.5, "[mm]:ss", "2160:00"),
    (59, "yyyy-mm-dd", "1900-02-28"),
    (60, "yyyy-mm-dd", "1900-02-29"),  # of Lotus 1-2-3
    (61, "yyyy-mm-dd", "1900-03-01"),
]

NOT_FOLLOWED: list[tuple[float, str, str]] = [
    (447911123456, "0.00E+00", "447911123456"),
    (0.5, "# ?/?", "0.5"),
    (7734625081, "0,", "7734625081"),
    (7734625081, ";;;", "7734625081"),
    (7734625081, "yyyy-mm-dd", "7734625081"),
    (0, ACCOUNTS, "0"),
    (7734625081, '"Yes";"No"', "7734625081"),  # no phone is lost behind a word
    (2, '"tier 1"', "2"),
    (12, "kr 0", "12"),
    (12, "[DBNum1]0", "12"),
    (12.5, "0" * 300, "12.5"),
    # what reads days knows only those with a year of four digits, in numbers
    (46359, "d-mmm-yy", "2026-12-03"),
    (46359, "d mmmm yyyy", "2026-12-03"),
    (46359, "dd/mm/yy", "2026-12-03"),
    (46359, "d. mmm", "2026-12-03"),
    (DAY, "h:mm", "2026-12-03 14:30"),
    (46359, "[$-407]d. mmmm yyyy", "2026-12-03"),
]


def with_formats(cells: list[tuple[float, str]], *, is_1904: bool = False, column: int = 1) -> bytes:
    """A workbook with these numbers below each other, in their formats, beside a name in the first column."""
    cells_below = enumerate(cells, start=1)

    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, column - 1, ["name", "value"])
        for row, (value, code) in cells_below:
            sheet.write(row, column - 1, "Ann")
            sheet.write_number(row, column, value, workbook.add_format({"num_format": code}))

    return xlsx(fill, {"date_1904": is_1904})


def noted(sheet: Sheet) -> str:
    return " ".join(note for note in sheet.notes if "number format" in note)


@HERE
@each("column", [1, 4])
def test_a_number_is_read_as_its_cell_shows_it(column: int) -> None:  # cases 82 and 83
    sheet = read_sheet(with_formats([(value, code) for value, code, _ in FOLLOWED], column=column))
    assert list(zip(sheet.frame["value"], FOLLOWED, strict=True)) == [(one[2], one) for one in FOLLOWED]
    assert not noted(sheet)


@HERE
def test_a_cell_is_one_however_its_worksheet_is_cut_into_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = with_formats([(value, code) for value, code, _ in FOLLOWED])
    for size in range(300, 340, 9):
        monkeypatch.setattr("dashboard.contacts.read.workbook.check._CHUNK_BYTES", size)
        assert read_sheet(whole).frame["value"].tolist() == [text for *_, text in FOLLOWED]


@HERE
@each("value, code, text", NOT_FOLLOWED)
def test_what_is_not_read_as_it_is_shown_is_named(value: float, code: str, text: str) -> None:
    sheet = read_sheet(with_formats([(19.9, "0.00"), (value, code)]))
    assert sheet.frame["value"].tolist() == ["19.90", text]
    example = f"…{text[-4:]}" if re.fullmatch(r"\d{7,}", text) else text
    assert f'column B (shown as {code}; row 3 as "{example}")' in noted(sheet)


@HERE
def test_formats_that_follow_the_reader_s_system_are_read_as_iso_8601_or_named() -> None:
    sheet = read_sheet(with_formats([(46359, 14), (DAY, 22), (19.9, 44)]))  # type: ignore[list-item]  # their numbers
    assert sheet.frame["value"].tolist() == ["2026-12-03", "2026-12-03 14:30", "19.9"]
    assert 'column B (shown as system format 44; row 4 as "19.9")' in noted(sheet)


@HERE
def test_days_are_counted_from_1904_where_the_workbook_says_so() -> None:
    cells = [(DAY - 1462, "dd/mm/yyyy hh:mm"), (DAY % 1, "h:mm"), (1.5, "[h]:mm")]
    assert read_sheet(with_formats(cells, is_1904=True)).frame["value"].tolist() == [
        "03/12/2026 14:30",
        "14:30",
        "36:00",
    ]


@HERE
def test_a_phone_shown_with_another_country_s_code_is_not_one_of_here() -> None:
    contacts = clean_contacts(read_sheet(phones('"+1 "0')), country="GB").rows
    assert contacts["phone"].tolist() == ["+17734625081"]
    assert clean_contacts(read_sheet(phones("General")), country="GB").rows["phone"].tolist() == [
        "+447734625081"
    ]


OF_TEXTS = [
    ("7400123456", '"+1 "@', "+1 7400123456"),
    ("7400123456", '0;-0;0;"+1 "@', "+1 7400123456"),
    ("7400123456", '@" - do not text"', "7400123456 - do not text"),
    ("7400123456", "\\+1\\ @", "+1 7400123456"),
    (" Ann ", '0" points";@" (VIP)"', "Ann  (VIP)"),
    ("yes", '@"?"', "yes?"),
    *(
        (text, code, text)
        for text in ("7400123456", "Ann")
        for code in (
            "@",
            ACCOUNTS,
            '"+1 "0',
            "dd/mm/yyyy;@",
            "[$-1070000]d/m/yyyy;@",
            "0.00;[Red]@",
            '"x"0;"y"0',
        )
    ),
]


@HERE
def test_a_text_is_read_as_its_cell_shows_it() -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 1, ["name", "value"])
        for row, (text, code, _shown) in enumerate(OF_TEXTS, start=1):
            sheet.write(row, 1, "Ann")
            sheet.write_string(row, 2, text, workbook.add_format({"num_format": code}))
            sheet.write_blank(row, 3, None, workbook.add_format({"num_format": code}))

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame.to_numpy().tolist() == [["Ann", shown] for *_, shown in OF_TEXTS]
    assert not noted(sheet)
    assert text_shown("Ann", ";;;") == text_shown("Ann", '0;0;0;"x"') == ("Ann", False)
    assert text_shown("Ann", '"+1"0@') == ("Ann", False)


@HERE
@each("code, phones", [('"+1 "@', ["+17734625081"]), ("@", ["+447734625081"]), ('@" - do not text"', [])])
def test_a_text_in_a_format_is_the_phone_that_is_seen(code: str, phones: list[str]) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet, formatted = workbook.add_worksheet(), workbook.add_format({"num_format": code})
        sheet.write(0, 0, "Phone", formatted if phones else None)
        sheet.write_column(1, 0, ["7734625081"], formatted)

    rows = clean_contacts(read_sheet(xlsx(fill)), country="GB").rows
    assert rows.loc[rows["status"] != "opted_out", "phone"].tolist() == phones


def phones(code: str) -> bytes:
    return bend(
        with_formats([(7734625081, code)]),
        "xl/sharedStrings.xml",
        lambda xml: xml.replace(b">value<", b">phone<"),
    )


@HERE
def test_an_old_workbook_is_read_as_it_is_shown() -> None:
    """It has no phones that are longer than ten digits, as its reader keeps them."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("People")
    sheet.write(0, 3, "name")
    sheet.write(0, 4, "value")
    every = [*FOLLOWED, *NOT_FOLLOWED]
    for row, (value, code, _text) in enumerate(every, start=1):
        sheet.write(row, 3, "Ann")
        sheet.write(row, 4, value, xlwt.easyxf(num_format_str=code))
    content = io.BytesIO()
    book.save(content)
    read = read_sheet(content.getvalue())
    assert list(zip(read.frame["value"], every, strict=True)) == [(one[2], one) for one in every]
    assert "column E" in noted(read)


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


@HERE
@each("repeated", [1, 3])
def test_an_opendocument_sheet_is_read_as_it_is_shown(repeated: int) -> None:
    """Beside comments, which are not shown; after an empty column; where a cell stands for several."""
    comment = "<office:annotation><text:p>9</text:p></office:annotation>"
    whole = ods([["", "name", "value"], *([["", "Ann", f"CELL{place};"] for place in range(len(ODS_CELLS))])])

    def fill(xml: bytes) -> bytes:
        text = xml.decode()
        for place, (value, shown_as, _read) in enumerate(ODS_CELLS):
            cell = f'<table:table-cell office:value-type="string"><text:p>CELL{place};</text:p>'
            new = f'<table:table-cell table:number-columns-repeated="{repeated}" office:value-type="{value}">'
            text = text.replace(
                cell, f"{new}{comment if value.startswith('float') else ''}<text:p>{shown_as}</text:p>"
            )
        return text.encode()

    sheet = read_sheet(bend(whole, "content.xml", fill))
    for name in sheet.frame.columns[1:-1]:
        assert list(zip(sheet.frame[name], ODS_CELLS, strict=True)) == [(one[2], one) for one in ODS_CELLS]
    assert 'column C (shown as 7.73E+09; row 3 as "…5081")' in noted(sheet)
    assert [*sheet.frame][1 + repeated :] == ["Notes on cells"]


@HERE
def test_a_workbook_whose_cells_do_not_say_where_they_are_is_named() -> None:
    whole = with_formats([(0.15, "0%"), (0.25, "0%")])
    sheet = read_sheet(
        bend(whole, "xl/worksheets/sheet1.xml", lambda xml: re.sub(rb' r="[A-Z]+\d+"', b"", xml))
    )
    assert sheet.frame["value"].tolist() == ["0.15", "0.25"]
    assert any("do not say where they are" in note for note in sheet.notes)


@HERE
def test_numbers_beyond_those_that_memory_holds_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (ods_check, worksheets):
        monkeypatch.setattr(module, "MOST_SHOWN", 2)
    numbers = ods([["name", "value"], *(["Ann", number] for number in range(10, 14))])
    shown_as = bend(
        numbers, "content.xml", lambda xml: re.sub(rb"<text:p>(\d+)<", rb"<text:p>\1 points<", xml)
    )
    sheet = read_sheet(shown_as)
    assert sheet.frame["value"].tolist() == ["10 points", "11 points", "12", "13"]
    assert any(note.startswith("Only the first 2 numbers") for note in sheet.notes)


@HERE
def test_of_a_binary_workbook_it_is_said_that_formats_are_not_read() -> None:
    rows: list[list[str | float]] = [["phone", "name"], [7734625081, "Ann"]]
    assert not noted(read_sheet(xlsb(rows)))
    assert "Save it as XLSX" in noted(read_sheet(xlsb(rows, formats=[0, 9])))


@HERE
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
    whole = with_formats([(0.15, "0%")])
    plain = b'<c r="B2" s="1"><v>0.15</v></c>'
    written = bend(whole, "xl/worksheets/sheet1.xml", lambda xml: xml.replace(plain, cell))
    assert read_sheet(written).frame["value"].tolist() == ["15%"]


FORMATS = st.sampled_from([code for _value, code, _text in (*FOLLOWED, *NOT_FOLLOWED)]) | st.text(
    '0#?,.%;@"\\ _*[]<=>$€-+()/:EhmsydAP1', max_size=20
)
TEXTS = st.sampled_from(["0044", "7734625081", "2026-12-03", "0.15", "1e5", " 7 ", "+1 0", "A"])


@given(st.integers(1, 10**15 - 1), FORMATS)
def test_no_digit_of_a_whole_number_is_lost(number: int, code: str) -> None:
    read = shown(str(number), code, str(number)).text
    is_day = re.match(r"\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4}", read)
    is_word = number < 10**7 and not re.search(r"\d", read)
    assert is_day or is_word or re.search("[hmsy]", code) or str(number) in re.sub(r"\D", "", read)


@HERE
@given(st.lists(TEXTS, min_size=1, max_size=5), FORMATS.filter(lambda code: "@" not in code))
def test_texts_and_numbers_without_a_format_are_left_alone(texts: list[str], code: str) -> None:
    numbers = [7734625081, 19.9, 0.15]

    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["text", "number"])
        for row, text in enumerate(texts, start=1):
            sheet.write_string(row, 0, text, workbook.add_format({"num_format": code}))
        sheet.write_column(1, 1, numbers)
        sheet.write_number(4, 1, 1.5, workbook.add_format({"num_format": "0.00"}))

    sheet = read_sheet(xlsx(fill))
    assert sheet.frame["text"].tolist()[: len(texts)] == texts
    assert sheet.frame["number"].tolist()[:4] == ["7734625081", "19.9", "0.15", "1.50"]


@pytest.mark.parametrize(
    "many",
    [
        b"<a/>" * 1_000_001,
        *only_deep(b"<!-- " + b" " * 2**26 + b"-->"),
    ],
)
def test_more_styles_than_any_program_writes_are_refused(many: bytes) -> None:
    whole = with_formats([(1, "0.000")])
    with pytest.raises(SheetError, match="damaged"):
        read_sheet(bend(whole, STYLES, lambda xml: xml.replace(b"<numFmts", many + b"<numFmts", 1)))
