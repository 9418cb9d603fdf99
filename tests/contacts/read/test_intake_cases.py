"""The acceptance cases of intake (tests/vectors/intake_cases.csv, word for word) through the public door.

A phone case says what becomes of a cell, a sheet or workbook case describes a file that is built here, an
export case a cell that is written. `expected` is read as it stands: the number, the word for the verdict, and
what must be reported; test_phone_cells.py pins the codes and repairs of each cell besides.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
import xlsxwriter
from each import each
from workbooks import bend, ods, xls, xlsx, xlsx_of

from dashboard.contacts import ColumnMap, Sheet, clean_contacts, read_sheet, write_csv, write_xlsx
from dashboard.contacts.formulas import restore
from dashboard.errors import SheetError

with (Path(__file__).parents[2] / "vectors" / "intake_cases.csv").open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file))

PHONE = "+447911123456"
SHEET_PART = "xl/worksheets/sheet1.xml"


def of(*groups: str) -> list[dict[str, str]]:
    return [case for case in CASES if case["group"] in groups]


# What the words after "reject:" and "warn" mean in our codes; every alternative a case allows is one of them.
CODES = {
    "digits lost": {"digits_lost"},
    "toll free/vanity, not a mobile": {"toll_free", "letters"},
    "premium rate": {"premium_rate"},
    "too short/emergency": {"too_short", "emergency"},
    "letters in number": {"letters"},
    "invalid in GB; hint valid in FR": {"other_country"},
    "hint valid in GB": {"other_country"},
    "date": {"date"},
    "spreadsheet error": {"spreadsheet_error"},
    "filler": {"filler"},
    "invalid/fictional": {"no_such_number", "for_fiction"},
}


def judged_phones() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Each phone case and its verdict, with all cases of a country in one sheet."""
    sheets: dict[str, list[dict[str, str]]] = {}
    for case in of("phone"):
        country = "GB" if case["context"].startswith("row country ") else case["context"]
        sheets.setdefault(country, []).append(case)
    for country, cases in sheets.items():
        own = [case["context"].partition("row country ")[2] for case in cases]
        frame = pd.DataFrame({"phone": [case["input"] for case in cases], "country": own})
        columns = ColumnMap(phones=("phone",), country="country")
        rows = clean_contacts(frame, country=country, columns=columns, keep="warn").rows
        rows = rows.astype("object").fillna("")
        rows.loc[rows["problem"] == "duplicate", ["status", "problem"]] = (
            "ok",
            "",
        )  # only rows that are ok else
        yield from zip(cases, rows.to_dict("records"), strict=True)


@each("case, judged", judged_phones())
def test_phone(case: dict[str, str], judged: dict[str, str]) -> None:
    verdict = re.split(r"[ :;\[]", case["expected"], maxsplit=1)[0]
    if verdict == "reject" and "landline" not in case["expected"]:
        assert (judged["status"], judged["problem"] in CODES[case["expected"][8:]]) == ("invalid", True)
    else:
        assert judged["status"] in STATUSES[verdict, "review" in case["expected"]]
    for number in re.findall(r"(?<!extra number )\+\d+", case["expected"]):
        assert judged["phone"] == number
    hint = re.search(r"valid in (..)$", case["expected"])
    assert hint is None or f"valid_in_{hint.group(1)}" in judged["repairs"]
    if "extra number" in case["expected"]:
        assert judged["other_phones"] == "+447911123457"
    if "fixed" in case["expected"]:
        assert judged["repairs"]
    if "warn country" in case["expected"]:
        assert judged["repairs"] == "country_differs"


STATUSES = {
    ("ok", False): {"ok"},
    ("ok", True): {"review"},
    ("review", True): {"review"},
    ("empty", False): {"empty"},
    ("reject", False): {"invalid"},
}


def cells(sheet: Sheet) -> list[list[str]]:
    return sheet.frame.to_numpy().tolist()


def unescape(text: str) -> bytes:
    return text.replace("\\r", "\r").replace("\\n", "\n").encode()


def surplus_cell(content: bytes) -> None:
    sheet = read_sheet(content)
    assert cells(sheet) == [[PHONE, "Ann", "extra"], ["+447911123457", "", ""]]
    assert "Wider than the header: 1 row (row 2)" in " ".join(sheet.notes)
    assert "Shorter than the header: 1 row (row 3)" in " ".join(sheet.notes)


def trailing_comma(content: bytes) -> None:
    assert read_sheet(content).frame["phone"].tolist() == [PHONE]


def separator_line(content: bytes) -> None:
    sheet = read_sheet(content)
    assert (sheet.delimiter, cells(sheet)) == (";", [["07911123456", "Ann"]])


def utf_16(_: bytes) -> None:
    for delimiter in ";\t":
        text = f"phone{delimiter}name\n{PHONE}{delimiter}Zoë\n"
        assert cells(read_sheet(b"\xff\xfe" + text.encode("utf-16-le"))) == [[PHONE, "Zoë"]]


def cp1252(_: bytes) -> None:
    sheet = read_sheet(f"phone,name\n{PHONE},José\n".encode("cp1252"))
    assert cells(sheet) == [[PHONE, "José"]]
    assert "encoding was guessed" in sheet.notes[0]


def unclosed_quote(_: bytes) -> None:
    with pytest.raises(SheetError, match="line 2 "):
        read_sheet(b'phone,name\n1,"Ann\n' + b"2,Bob\n" * 50_000)


def no_header(_: bytes) -> None:
    sheet = read_sheet(f"{PHONE}\n+447911123457\n".encode())
    assert (list(sheet.frame), sheet.frame["phone"].iloc[0]) == (["phone"], PHONE)


def title_row(_: bytes) -> None:
    rows: list[list[object]] = [["Spring list"], [], ["phone", "name"], [PHONE, "Ann"]]
    text = "\n".join(",".join(map(str, row)) for row in rows)
    for content in (text.encode(), xlsx_of(rows)):
        sheet = read_sheet(content)
        assert (sheet.header_row, sheet.rows.tolist(), cells(sheet)) == (3, [4], [[PHONE, "Ann"]])


def totals_row(_: bytes) -> None:
    sheet = read_sheet(f"phone,name,age,amount\n{PHONE},Ann,,1\nTotal,,,1234\n".encode())
    assert clean_contacts(sheet, country="GB").rows["problem"].tolist()[1] == "totals_row"


def decimal_comma(_: bytes) -> None:
    sheet = read_sheet("name;Téléphone;Solde\nAnn;0612345678;12,50\nBo;0612345679;3,20\n".encode())
    assert (sheet.delimiter, sheet.frame["Solde"].tolist()) == (";", ["12,50", "3,20"])


def two_phone_columns(_: bytes) -> None:
    sheet = read_sheet(b"phone,phone\n020 7946 0991,07911123456\n")
    assert list(sheet.frame) == ["phone", "phone#2"]
    assert clean_contacts(sheet, country="GB").rows["phone"].tolist() == [PHONE]


def namibia(_: bytes) -> None:
    sheet = read_sheet(b"phone,country\n0811234567,NA\n")
    assert sheet.frame["country"].tolist() == ["NA"]
    assert clean_contacts(sheet, country="GB").rows["phone"].tolist() == ["+264811234567"]


def names_like_nothing(_: bytes) -> None:
    sheet = read_sheet(b"phone,first_name\n1,Null\n2,Nan\n3,None\n")
    assert sheet.frame["first_name"].tolist() == ["Null", "Nan", "None"]


def nul_byte(_: bytes) -> None:
    sheet = read_sheet(b"phone,name\n1,A\x00nn\n")
    assert cells(sheet) == [["1", "Ann"]]
    assert "NUL" in sheet.notes[0]
    assert "2" in sheet.notes[0]


def quoted_newline(_: bytes) -> None:
    sheet = read_sheet(b'name,address,phone\nAnn,"1 High St\nTown",07911123456\nBob,x,07911123457\n')
    assert sheet.rows.tolist() == [2, 3]
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [2, 4]


def million_columns(_: bytes) -> None:
    with pytest.raises(SheetError, match="at most 500"):
        read_sheet(b"x," * 1_000_000 + b"\n1\n")


def numeric_cell(_: bytes) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["phone", 447911123456])
        for row, shown in enumerate(("0.00E+00", "#,##0", "0"), start=2):
            sheet.write_number(row, 0, 447911123456, workbook.add_format({"num_format": shown}))

    old = xls({"Sheet1": ([["phone"], [447911123456]], 0)})
    for content in (xlsx(fill), old, ods([["phone"], [447911123456]])):
        assert set(read_sheet(content).frame["phone"]) == {"447911123456"}


def leading_zero_by_format(_: bytes) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write(0, 0, "phone")
        sheet.write_number(1, 0, 7911123456, workbook.add_format({"num_format": "00000000000"}))

    assert clean_contacts(read_sheet(xlsx(fill)), country="GB").rows["phone"].tolist() == [PHONE]


def hidden_first_sheet(_: bytes) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        hidden, shown = workbook.add_worksheet("Old"), workbook.add_worksheet("New")
        hidden.write_column(0, 0, ["phone", "1"])
        hidden.hide()
        shown.activate()
        shown.set_first_sheet()
        shown.write_column(0, 0, ["phone", PHONE])

    assert cells(read_sheet(xlsx(fill))) == [[PHONE]]


def hidden_rows(_: bytes) -> None:
    def fill(workbook: xlsxwriter.Workbook) -> None:
        sheet = workbook.add_worksheet()
        sheet.write_column(0, 0, ["phone", PHONE, "+447911123457"])
        sheet.set_row(2, None, None, {"hidden": True})

    sheet = read_sheet(xlsx(fill))
    assert "Hidden in the workbook: 1 row" in sheet.notes[0]
    assert (len(sheet.frame), len(sheet.without_hidden_rows().frame)) == (2, 1)


def far_cell(_: bytes) -> None:
    for cell, row in (("XFD1048576", 1048576), ("QQQ123456", 123456)):
        stray = f'<row r="{row}"><c r="{cell}" t="n"><v>1</v></c></row></sheetData>'.encode()
        content = bend(
            xlsx_of([["phone"], ["1"]]), SHEET_PART, lambda xml, s=stray: xml.replace(b"</sheetData>", s)
        )
        with pytest.raises(SheetError, match="stray cell"):
            read_sheet(content)


def entities(_: bytes) -> None:
    laughs = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    for declared in (
        f'<!DOCTYPE x [<!ENTITY a "lol">{laughs}]>',
        '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/hosts">]>',
    ):
        content = bend(
            xlsx_of([["phone"], ["1"]]),
            SHEET_PART,
            lambda xml, d=declared: xml.replace(b"<worksheet", d.encode() + b"<worksheet", 1),
        )
        with pytest.raises(SheetError, match="damaged"):
            read_sheet(content)


def written_cell(text: str) -> openpyxl.cell.Cell:
    content = io.BytesIO()
    write_xlsx(pd.DataFrame({"cell": [text]}), content)
    return openpyxl.load_workbook(content).active["A2"]


def phone_to_xlsx(_: bytes) -> None:
    cell = written_cell(PHONE)
    assert (cell.value, cell.data_type, cell.number_format) == (PHONE, "s", "@")


def formula_to_xlsx(_: bytes) -> None:
    formula = '=HYPERLINK("http://example.com")'
    assert (written_cell(formula).value, written_cell(formula).data_type) == (formula, "s")


def csv_of(text: str) -> tuple[str, pd.DataFrame]:
    content = io.BytesIO()
    write_csv(pd.DataFrame({"phone": [text], "name": ["Ann"]}), content)
    written = next(csv.DictReader(io.StringIO(content.getvalue().decode("utf-8-sig"))))
    return written["phone"], read_sheet(content.getvalue()).frame


def phone_to_csv(_: bytes) -> None:
    written, back = csv_of(PHONE)
    assert (written, back["phone"].tolist()) == (PHONE, [PHONE])


def formula_to_csv(_: bytes) -> None:
    written, back = csv_of("=1+1")
    assert (written, restore(back["phone"]).tolist()) == ("'=1+1", ["=1+1"])


BY_ID: dict[str, Callable[[bytes], None]] = {
    "60": surplus_cell,
    "61": trailing_comma,
    "62": separator_line,
    "63": utf_16,
    "65": cp1252,
    "68": unclosed_quote,
    "69": no_header,
    "70": title_row,
    "71": totals_row,
    "72": decimal_comma,
    "74": two_phone_columns,
    "75": namibia,
    "76": names_like_nothing,
    "77": nul_byte,
    "79": quoted_newline,
    "80": million_columns,
    "82": numeric_cell,
    "83": leading_zero_by_format,
    "87": hidden_first_sheet,
    "88": hidden_rows,
    "90": far_cell,
    "92": entities,
    "123": phone_to_xlsx,
    "124": formula_to_xlsx,
    "125": phone_to_csv,
    "126": formula_to_csv,
}


@each("case", of("sheet", "workbook", "export"))
def test_file(case: dict[str, str]) -> None:
    BY_ID[case["id"]](unescape(case["input"]))
