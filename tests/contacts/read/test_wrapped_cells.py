"""Cells such as ="0740…", by which programs keep zeros, are the texts that a spreadsheet program shows."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from each import each

from dashboard.contacts import (
    ContactList,
    checked,
    clean_contacts,
    clean_csv_stream,
    guess_columns,
    read_sheet,
    write_csv,
    write_xlsx,
)
from dashboard.contacts.formulas import unwrapped

pytestmark = pytest.mark.usefixtures("read_here")
HEADER = ["Name", "Mobile", "SMS consent", "Notes"]
PEOPLE = [
    ["Ann", "07400123456", "yes", ""],
    ["Bob", "07400123457", "no", ""],
    ['Cat "C" Lee', "07400123458", "yes", "Do not text"],
    ["Lee, Dan", "07400123459", "yes", "1+1=2"],
]
WRAPPED = [[f'="{cell.replace(chr(34), 2 * chr(34))}"' for cell in row] for row in [HEADER, *PEOPLE]]


@each(
    "cell, text",
    [
        *(('="Ann"', "Ann"), ('=""', ""), ('=T("Ann")', "Ann"), ('= t( "no" ) ', "no"), (' ="1" ', "1")),
        *(('="He said ""hi"""', 'He said "hi"'), ('="""q"""', '"q"'), ('="a\nb"', "a\nb"), ('="=1"', "=1")),
        *((cell, cell) for cell in ['="a"&"b"', '="a', "=A1", '=1+"2"', '"Ann"', "=", "='Ann'", '=LEN("a")']),
        *((cell, cell) for cell in ['x="Ann"', '="a""', '="a" "b"', '=IF(A1,"a","b")', "=+447400123456", ""]),
    ],
)
def test_only_a_formula_that_is_a_text_is_one(cell: str, text: str) -> None:
    assert unwrapped(cell) == text
    assert read_sheet(pd.DataFrame({"name": [cell]})).frame["name"].tolist() == [text]


def csv_of(rows: list[list[str]], delimiter: str, quoting: int) -> bytes:
    text = io.StringIO()
    pd.DataFrame(rows).to_csv(text, sep=delimiter, quoting=quoting, header=False, index=False)
    return text.getvalue().encode()


def files() -> Iterator[bytes]:
    for delimiter in ",;\t|":
        for quoting in (0, 1):
            yield csv_of(WRAPPED, delimiter, quoting)
    bare = [row for row in WRAPPED if "," not in row[0] and '""' not in row[0]]
    assert len(bare) == 3
    for delimiter in ",;\t|":
        yield "\r\n".join(map(delimiter.join, bare)).encode()
    write_xlsx(pd.DataFrame(WRAPPED[1:], columns=WRAPPED[0]), workbook := io.BytesIO())
    yield workbook.getvalue()
    yield json.dumps([dict(zip(WRAPPED[0], row, strict=True)) for row in WRAPPED[1:]]).encode()
    yield pd.DataFrame(WRAPPED[1:], columns=WRAPPED[0]).to_parquet()


@each("content", files())
def test_a_sheet_is_read_as_if_nothing_were_around_its_cells(content: bytes) -> None:
    sheet = read_sheet(content)
    plain = read_sheet(pd.DataFrame(PEOPLE[: len(sheet.frame)], columns=HEADER))
    pd.testing.assert_frame_equal(sheet.frame, plain.frame)
    assert guess_columns(sheet) == guess_columns(plain)
    contacts = clean_contacts(sheet, country="GB")
    assert contacts.rows["status"].tolist() == ["ok", "opted_out", "opted_out", "ok"][: len(sheet.frame)]
    assert any("formulas such as" in note for note in sheet.notes)


def test_a_large_file_is_read_so_too(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    rows = [
        HEADER,
        *PEOPLE,
        *([f"Eve {n}", f"0{7_400_200_000 + 7_919 * n}", "yes", ""] for n in range(100)),
        HEADER,
    ]
    path.write_bytes(csv_of([[f'="{cell}"' for cell in row] for row in rows if '"' not in row[0]], ",", 0))
    clean_csv_stream(path, tmp_path / "out.parquet", country="GB")
    written = pd.read_parquet(tmp_path / "out.parquet")
    assert written["status"].tolist()[:3] == ["ok", "opted_out", "ok"]
    assert written["Name"].tolist()[:4] == ["Ann", "Bob", "Lee, Dan", "Eve 0"]
    assert len(written) == 103, "the header that is repeated is no contact"


def test_what_we_wrote_comes_back_as_it_was() -> None:
    people = pd.DataFrame({"mobile": ["07400123456"] * 3, "name": ["=1+1", '\'="Ann"', '="="'], "": "x"})
    sheet = read_sheet(people)
    contacts: ContactList = clean_contacts(sheet, country="GB")
    file = io.BytesIO()
    write_csv(checked(contacts, sheet), file)
    again = read_sheet(file.getvalue())
    assert again.frame["name"].tolist() == sheet.frame["name"].tolist() == ["=1+1", '\'="Ann"', "="]
    assert not any("formula" in note for note in again.notes)


def test_an_opt_out_list_is_read_so_too() -> None:
    people = pd.DataFrame({"mobile": [row[1] for row in PEOPLE]})
    listed = ['="07400123456"', '=T("07400123457")', '= "+447400123458"']
    contacts = clean_contacts(people, country="GB", opt_outs=listed)
    assert contacts.rows["status"].tolist() == ["opted_out", "opted_out", "opted_out", "ok"]
