"""Text files: every cell in its column, every row with its number, every guess told."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from pathlib import Path

import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts import Limits, Sheet, clean_contacts, guess_columns, read_sheet
from dashboard.errors import SheetError


def cells(sheet: Sheet) -> list[list[str]]:
    return sheet.frame.to_numpy().tolist()


def notes(sheet: Sheet) -> str:
    return " ".join(sheet.notes)


WIDTHS = r"Wider than the header: 1 row \(row 2\).*Shorter than the header: 1 row \(row 3\)"
SOLDE = "phone|name|Solde / 2: 1|A|12,50 / 3: 2|B|3,20"
REPEATED = r"repeats the header \(row 3\)"


@each(
    "text, shown, told",
    [
        ("phone,name\n1,A,more\n2\n", "phone|name|column 3 / 2: 1|A|more / 3: 2||", WIDTHS),  # case 60
        ("phone,name\n1,Ann,\n2,Bob,\n", "phone|name / 2: 1|Ann / 3: 2|Bob", "^$"),  # case 61
        ("sep=;\r\nphone;name\r\n1;Ann, B", "phone|name / 2: 1|Ann, B", ""),  # case 62
        ("07911123456\n07911123457\n", "phone / 1: 07911123456 / 2: 07911123457", "no header"),  # case 69
        ("tel:07911123456\n07911123457\n", "phone / 1: tel:07911123456 / 2: 07911123457", "no header"),
        ("Kim 07911123456\n07911123457\n", "phone / 1: Kim 07911123456 / 2: 07911123457", "no header"),
        ("0791 (Kim) 1123456\n07911123457\n", "phone / 1: 0791 (Kim) 1123456 / 2: 07911123457", "no header"),
        ("From 2026-01-01 to 2026-11-26\nzork,qux\nab,cd\n", "zork|qux / 3: ab|cd", "row 2; everything"),
        ("List\n\nphone,name\n1,A\n\n2,B\n", "phone|name / 4: 1|A / 6: 2|B", "1 blank row"),  # case 70
        ("phone;name;Solde\n1;A;12,50\n2;B;3,20\n", SOLDE, ""),  # case 72
        ("phone,name\n1,A\x00nn\n", "phone|name / 2: 1|Ann", r"NUL.*1 line.*\b2\b"),  # case 77
        ("phone,name\n1,Ann\nphone,name\n2,phone\n", "phone|name / 2: 1|Ann / 4: 2|phone", REPEATED),
        ("phone,name\r1,A\r2,B\r", "phone|name / 2: 1|A / 3: 2|B", "^$"),
        ("phone,name\r\n1,Ann\r\n\x1a", "phone|name / 2: 1|Ann", "^$"),  # the end mark of old files
        ('phone, name\n1, "Ann, B"\n2, "Bob"\n', "phone|name / 2: 1|Ann, B / 3: 2|Bob", ""),
        ('"phone,name"\n"1,""Ann, B"""\n"2,Bob"\n', "phone|name / 2: 1|Ann, B / 3: 2|Bob", ""),
        ('phone,name\n1,"Ann \\"A, B\\" C"\n2,Bob\n', 'phone|name / 2: 1|Ann "A, B" C / 3: 2|Bob', ""),
        ('phone\tname\n1\tHe said, "hello"\n', 'phone|name / 2: 1|He said, "hello"', ""),
        ('phone,name\n1,5\'11"\n2,"A, ""B"""\n', 'phone|name / 2: 1|5\'11" / 3: 2|A, "B"', ""),
        ('phone,name\n1,"C, "\n', "phone|name / 2: 1|C, ", ""),
    ],
)
def test_every_cell_is_in_its_column_and_every_guess_is_told(text: str, shown: str, told: str) -> None:
    """Whatever stands around a list, ends its lines or is in its cells; quotation marks of any style."""
    sheet = read_sheet(text.encode())
    rows = [f"{number}: {'|'.join(row)}" for number, row in zip(sheet.rows, cells(sheet), strict=True)]
    assert " / ".join(["|".join(sheet.frame), *rows]) == shown
    assert re.search(told, notes(sheet))


def test_a_row_much_wider_than_the_first_ones() -> None:
    wide = b",".join([b"x"] * 40)
    sheet = read_sheet(b"phone,name\n" + b"1,A\n" * 3000 + b"2,B," + wide + b"\n")
    assert sheet.frame.shape == (3001, 42)
    assert sheet.frame["phone"].iloc[-1] == "2"


@each("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
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
    assert [list(sheet.frame), *cells(sheet)] == [
        line.replace(";", ",").split(",") for line in text.splitlines()
    ]
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


def test_an_unclosed_quote_is_refused_with_its_line() -> None:  # case 68
    rows = b"+447911123457,Bob\n" * 50_000
    with pytest.raises(SheetError, match=r"opened on line 2 and never closed"):
        read_sheet(b'phone,name\n+447911123456,"Ann\n' + rows)


def test_a_quote_that_swallows_many_rows_is_refused() -> None:
    swallowed = b"+447911123457,Bob\n" * 3_000
    with pytest.raises(SheetError, match=r"row 2 has 54,010 characters, more than the 32,767 allowed"):
        read_sheet(b'phone,name\n1,"Ann\n' + swallowed + b'2,"Eve"\n')


def test_a_totals_row_is_no_contact() -> None:  # case 71
    sheet = read_sheet(b"phone,name,age,amount\n07911123456,Ann,,1\nTotal,,,1234\n")
    rows = clean_contacts(sheet, country="GB").rows
    assert rows["problem"].astype("object").fillna("").tolist() == ["", "totals_row"]


@each(
    "content, header_row, names",
    [
        (b"\n" * 40 + b"phone,name\n07911123456,Ann\n", 41, ["phone", "name"]),
        (
            b"Report\nBy,Sam\nDate,2026-05-01\n\nFilter: all\n,\nphone,name\n07911123456,Ann\n",
            7,
            ["phone", "name"],
        ),
        (b"Report\nBy,Sam\nDate,2026-05-01\n\nxx,yy\n07911123456,Ann\n07911123457,Bo\n", 5, ["xx", "yy"]),
        (b"2025,2026,phone\n1,2,07911123456\n", 1, ["2025", "2026", "phone"]),
        (
            b"2026-05-01,7400123456,07911123456\n,7400123457,07911123457\n",
            None,
            ["column 1", "column 2", "phone"],
        ),
        ("📱 phone,👤\n07911123456,Ann 🎉\n".encode(), 1, ["📱 phone", "👤"]),
    ],
)
def test_the_header_is_found(content: bytes, header_row: int | None, names: list[str]) -> None:
    sheet = read_sheet(content)
    assert (sheet.header_row, list(sheet.frame)) == (header_row, names)
    found = guess_columns(sheet)
    phone = [*found.phones, *found.offered][0]  # under an unknown word it is only offered
    assert sheet.frame.to_numpy()[0].tolist()[names.index(phone)] == "07911123456"


@each("content", [b"phone,name\n", b"Our list\n\nphone,name\n,\n"])
def test_column_names_alone_are_refused(content: bytes) -> None:
    with pytest.raises(SheetError, match="column names and no rows below them"):
        read_sheet(content)


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
    with pytest.raises(SheetError, match="line 4"):
        read_sheet(b'phone,address\n1,"High St\nTown"\n2,"Low St\n')


@each("first", [b"", b"phone,name\n", b'"phone",name\n'])
def test_a_million_columns_are_refused(first: bytes) -> None:  # case 80
    with pytest.raises(SheetError, match="at most 500"):
        read_sheet(first + b"x," * 1_000_000 + b"\n1\n")


def test_the_header_can_be_given() -> None:
    content = b"list,2026\nnumber,who\n07911123456,Ann\n"
    assert list(read_sheet(content, header_row=2).frame) == ["number", "who"]
    assert list(read_sheet(content, header_row=1).frame) == ["list", "2026"]
    assert read_sheet(content, header_row=0).rows.tolist() == [1, 2, 3]
    with pytest.raises(SheetError, match="no row 9"):
        read_sheet(content, header_row=9)


@pytest.mark.usefixtures("read_here")
@each(
    "content, says",
    [
        (b"", "empty"),
        (b"  \n\r\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a picture"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"PAR1\x00\x00", "Parquet file is damaged"),
        (b"<!DOCTYPE html><table>", "web page"),
        (b"PK\x03\x04 and so on", "damaged"),
        (
            b"dn: cn=Ann Lee,mail=ann@example.com\nobjectclass: top\nmobile: 07400 123456\n",
            "as CSV .* or vCard",
        ),
        (b"# book\r\nversion: 1\r\n\r\ndn:: Y249QW5u\r\n IExlZQ==\r\ncn: Ann\r\n", "as CSV .* or vCard"),
    ],
)
def test_what_is_no_sheet_is_refused_in_a_sentence(content: bytes, says: str) -> None:
    with pytest.raises(SheetError, match=says) as refused:
        read_sheet(content)
    assert str(refused.value).endswith(".")


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


def has_a_cell(rows: list[list[str]]) -> bool:
    return any(map(any, rows))


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=8).filter(has_a_cell))
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
