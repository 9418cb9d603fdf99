"""Text files: every cell in its column, every row with its number, every guess told."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st
from vector_files import json_lines
from workbooks import xlsx_of

from dashboard.contacts import Limits, Sheet, clean_contacts, read_sheet
from dashboard.errors import SheetError


def cells(sheet: Sheet) -> list[list[str]]:
    return sheet.frame.to_numpy().tolist()


def notes(sheet: Sheet) -> str:
    return " ".join(sheet.notes)


@each("text, shown, told", [line[:3] for line in json_lines("text_sheets.jsonl")])
def test_every_cell_is_in_its_column_and_every_guess_is_told(text: str, shown: str, told: str) -> None:
    """Whatever stands around a list, ends its lines or is in its cells; quotation marks of any style.

    Each line of text_sheets.jsonl has a text, its cells, what is told, and its case in intake_cases.csv.
    """
    sheet = read_sheet(text.encode())
    rows = [f"{number}: {'|'.join(row)}" for number, row in zip(sheet.rows, cells(sheet), strict=True)]
    assert " / ".join(["|".join(sheet.frame), *rows]) == shown
    assert re.search(told, notes(sheet))


def test_a_row_much_wider_than_the_first_ones() -> None:
    wide = b",".join([b"x"] * 40)
    sheet = read_sheet(b"phone,name\n" + b"1,A\n" * 3000 + b"2,B," + wide + b"\n")
    assert sheet.frame.shape == (3001, 42)
    assert sheet.frame["phone"].iloc[-1] == "2"


UNICODE = ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


@each("encoding", UNICODE)
@each("delimiter", [";", "\t"])
def test_unicode_with_and_without_its_mark(encoding: str, delimiter: str) -> None:  # case 63
    text = f"phone{delimiter}name\n07911123456{delimiter}Zoë\n07911123457{delimiter}Łukasz\n"
    sheet = read_sheet(text.encode(encoding))
    assert cells(sheet) == [["07911123456", "Zoë"], ["07911123457", "Łukasz"]]
    assert ("guessed" in notes(sheet)) == encoding.endswith(("-le", "-be"))


@each(
    "text, encoding",
    [
        ("phone,name\n07911123456,José\n", "cp1252"),  # case 65
        ("téléphone;prénom\n0612345678;Zoé\n", "mac_roman"),
        ("телефон;имя\n+79161234567;Иван\n", "cp1251"),
        ("電話番号,名前\n09012345678,太郎\n", "cp932"),
        ("手机,姓名\n13812345678,王伟\n", "gb18030"),
        ("電話番号,名前\n09012345678,太郎\n", "euc_jp"),
        ("phone,name\n07911123456,José\n07911123457,Zoë\n", "mac_roman"),
        ("col_a,col_b\n07911123456,José\n07911123457,Zoë\n", "cp1252"),
        ("téléphone,ville\n0612345678,Besançon\n0612345679,Orléans\n", "cp850"),
        ("телефон;имя\n+79161234567;Иван\n", "koi8_r"),
    ],
)
def test_an_older_encoding_is_guessed_and_told(text: str, encoding: str) -> None:
    sheet = read_sheet(text.encode(encoding))
    lines = text.replace(";", ",").splitlines()
    assert [list(sheet.frame), *cells(sheet)] == [line.split(",") for line in lines]
    assert "guessed" in notes(sheet)


def test_a_few_broken_bytes_do_not_make_utf8_another_encoding() -> None:
    sheet = read_sheet(
        "phone,name\n07911123456,José Ñandú Çelik Müller\n".encode() * 5 + b"07911123457,Jos\xe9\n"
    )
    assert (sheet.encoding, cells(sheet)[0]) == ("utf-8", ["07911123456", "José Ñandú Çelik Müller"])
    assert "guessed" in notes(sheet)


def test_an_encoding_that_reads_the_same_is_called_by_its_usual_name() -> None:
    text = "Nom;Montant;Portable\nAnne;1,50;06 12 34 56 78\nBéa;2,75;07 12 34 56 78\n"
    sheet = read_sheet(text.encode("cp1252"))
    assert (sheet.encoding, sheet.frame["Nom"].tolist()) == ("cp1252", ["Anne", "Béa"])


def test_an_encoding_that_is_given_is_not_guessed() -> None:
    sheet = read_sheet("phone,name\n1,Иван\n".encode("cp1251"), encoding="cp1251")
    assert cells(sheet) == [["1", "Иван"]]
    assert sheet.notes == ()


ROWS = b"+447911123457,Bob\n"


@each(
    "content, says",
    [
        (b'phone,name\n+447911123456,"Ann\n' + ROWS * 50_000, "opened on line 2 and never closed"),  # case 68
        (b'phone,address\n1,"High St\nTown"\n2,"Low St\n', "line 4"),
        (
            b'phone,name\n1,"Ann\n' + ROWS * 3_000 + b'2,"Eve"\n',
            "row 2 has 54,010 characters, more than the 32,767",
        ),
        (b"x," * 1_000_000 + b"\n1\n", "at most 500"),  # case 80
        (b"phone,name\n" + b"x," * 1_000_000 + b"\n1\n", "at most 500"),
        (b'"phone",name\n' + b"x," * 1_000_000 + b"\n1\n", "at most 500"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(SheetError, match=says):
        read_sheet(content)


def test_a_totals_row_is_no_contact() -> None:  # case 71
    sheet = read_sheet(b"phone,name,age,amount\n07911123456,Ann,,1\nTotal,,,1234\n")
    rows = clean_contacts(sheet, country="GB").rows
    assert rows["problem"].astype("object").fillna("").tolist() == ["", "totals_row"]


def test_two_columns_of_one_name_are_both_kept() -> None:  # case 74
    sheet = read_sheet(b"phone,phone\n020 7946 0991,07911123456\n,07911123457\n")
    assert list(sheet.frame) == ["phone", "phone#2"]
    phones = clean_contacts(sheet, country="GB").rows["phone"].tolist()
    assert phones == ["+447911123456", "+447911123457"]


def test_words_that_programs_take_for_nothing_stay() -> None:  # cases 75 and 76
    sheet = read_sheet(b"phone,country,first_name\n0811234567,NA,Null\n1,NA,Nan\n2,,None\n")
    assert sheet.frame["country"].tolist() == ["NA", "NA", ""]
    assert sheet.frame["first_name"].tolist() == ["Null", "Nan", "None"]
    assert clean_contacts(sheet, country="GB").rows["phone"].iloc[0] == "+264811234567"


def test_a_newline_in_quotes_does_not_count_as_a_row() -> None:  # case 79
    sheet = read_sheet(b'name,address,phone\nAnn,"1 High St\nTown",07911123456\nBob,x,07911123457\n')
    assert cells(sheet)[0] == ["Ann", "1 High St\nTown", "07911123456"]
    assert sheet.rows.tolist() == [2, 3]
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [2, 4]


def test_a_file_may_be_a_path_bytes_or_open(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes(b"phone,name\n07911123456,Ann\n")
    with path.open("rb") as file:
        opened = read_sheet(file)
    for sheet in (read_sheet(path), read_sheet(str(path)), opened):
        assert sheet.name == "list.csv"
        assert cells(sheet) == [["07911123456", "Ann"]]
    assert read_sheet(io.BytesIO(path.read_bytes())).name == ""
    with pytest.raises(SheetError, match="cannot be opened"):
        read_sheet(tmp_path / "other.csv")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_bytes(b"phone\n" + b"1\n" * 2**20)
    limits = Limits(upload_bytes=2**20)
    for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
        with pytest.raises(SheetError, match=r"up to 1 MB can be read; this one (has 2.*|is larger)"):
            read_sheet(source, limits=limits)


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8).filter(
        lambda rows: any(map(any, rows))
    )
)
def test_what_a_csv_writer_wrote_is_what_is_read(rows: list[list[str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([["phone", "first name", "city"], *rows])
    sheet = read_sheet(text.getvalue().encode(), header_row=1, delimiter=",")
    filled = [(number, row) for number, row in enumerate(rows, start=2) if any(row)]
    assert sheet.rows.tolist() == [number for number, _ in filled]
    assert [["".join(cell) for cell in row] for row in cells(sheet)] == [row for _, row in filled]


@given(st.binary(max_size=300))
def test_any_bytes_give_a_sheet_or_a_sentence(content: bytes) -> None:
    with contextlib.suppress(SheetError):
        sheet = read_sheet(content)
        assert sheet.frame.columns.is_unique
        assert len(sheet.frame) == len(sheet.rows)


CSV = b"phone,name\n07400 123456,Ann\n"
CARD = b"BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nTEL:07400 123456\nEND:VCARD\n"
NO_DELIMITERS = ["§", "\u2603", "\U0001f600", "\u2028", "\x00", "\ud83d", "", ",,", *'a7_+"\né']
GIVEN = {"worksheet": "People", "delimiter": ",", "encoding": "utf-8"}


@each("delimiter", NO_DELIMITERS)
def test_what_is_no_delimiter(delimiter: str) -> None:
    with pytest.raises(SheetError, match="A delimiter is one ASCII character"):
        read_sheet(CSV, delimiter=delimiter)
    if len(delimiter) == 1 and delimiter not in "\x00\n\ud83d":
        with pytest.raises(SheetError, match="A delimiter is one ASCII character"):
            read_sheet(f"sep={delimiter}\n".encode() + CSV)


@each("delimiter", [*",;\t|:^~#*/\\'&!$%", "\x1c", "\x1f", "\x01"])
def test_what_is_one(delimiter: str) -> None:
    assert read_sheet(CSV.replace(b",", delimiter.encode()), delimiter=delimiter).frame["name"][0] == "Ann"


@each(
    "source, names",
    [
        (CSV, ["worksheet"]),
        (b'[{"phone": "07400 123456", "name": "Ann"}]', ["delimiter", "encoding"]),
        (CARD, ["worksheet", "delimiter"]),
        (xlsx_of([["phone", "name"], ["07400 123456", "Ann"]]), ["delimiter", "encoding"]),
        (pd.DataFrame({"phone": ["07400 123456"]}), ["worksheet", "encoding"]),
    ],
)
def test_what_a_file_does_not_have(source: Any, names: list[str]) -> None:
    for name in names:
        with pytest.raises(SheetError, match=f"This kind of file has no {name}"):
            read_sheet(source, **{name: GIVEN[name]})  # type: ignore[arg-type]


class _Texts:
    """Text from something that `io` knows nothing of."""

    def read(self, size: int) -> str:
        return "phone\n07400 123456\n"[:size]


def test_what_is_no_file_of_bytes() -> None:
    with pytest.raises(SheetError, match='mode "rb"'):
        read_sheet(_Texts())  # type: ignore[arg-type]
