"""Files without rows and lines: JSON, JSON Lines, Parquet, business cards and frames."""

from __future__ import annotations

import io
import json
from datetime import date

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dashboard.contacts import Limits, clean_contacts, guess_columns, read_sheet
from dashboard.errors import SheetError

ANN, BOB = "+447400123456", "+447400123457"
PEOPLE = [{"phone": ANN, "name": "Ann"}, {"phone": BOB, "name": None, "age": 41}]
CELLS = [[ANN, "Ann", ""], [BOB, "", "41"]]


def cells(content: bytes, **options: object) -> list[list[str]]:
    return read_sheet(content, **options).frame.to_numpy().tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "shape",
    [
        PEOPLE,
        {"contacts": PEOPLE},
        {"data": {"contacts": PEOPLE}, "page": 1, "tags": ["a", "b", "c"]},
        {"phone": {"0": ANN, "1": BOB}, "name": {"0": "Ann", "1": ""}, "age": {"0": "", "1": 41}},
        {"phone": [ANN, BOB], "name": ["Ann", ""], "age": ["", 41]},
        [["phone", "name", "age"], [ANN, "Ann", ""], [BOB, "", 41]],
    ],
    ids=["objects", "named list", "nested list", "pandas", "columns", "rows"],
)
def test_json_in_the_shapes_that_programs_write(shape: object, indent: int | None) -> None:
    sheet = read_sheet(json.dumps(shape, indent=indent).encode())
    assert list(sheet.frame) == ["phone", "name", "age"]
    assert sheet.frame.to_numpy().tolist() == CELLS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_json_in_other_encodings(encoding: str) -> None:
    assert cells('[{"phone": "1", "name": "Łukasz"}]'.encode(encoding)) == [["1", "Łukasz"]]


def test_numbers_in_json_stay_as_they_were_typed() -> None:
    content = b'[{"phone": 447400123456, "b": 447400123456.0, "c": 4.474E+11, "d": true, "e": [1, 2]}]'
    assert cells(content) == [["447400123456", "447400123456.0", "4.474E+11", "true", "1; 2"]]


def test_nested_json_is_named_by_its_path() -> None:
    content = b'[{"name": {"first": "Ann"}, "phones": [{"type": "mobile", "number": "+447400123456"}]}]'
    sheet = read_sheet(content)
    assert list(sheet.frame) == ["name.first", "phones.1.type", "phones.1.number"]
    assert guess_columns(sheet).phones == ("phones.1.number",)


def test_a_json_list_of_numbers_alone() -> None:
    assert read_sheet(b'["+447400123456", "+447400123457"]').frame["phone"].tolist() == [ANN, BOB]


def test_json_lines_are_numbered_by_line() -> None:
    sheet = read_sheet(b'{"phone": "1"}\r\n\r\n{"phone": "2", "name": "Bob"}\n')
    assert sheet.frame.to_numpy().tolist() == [["1", ""], ["2", "Bob"]]
    assert sheet.rows.tolist() == [1, 3]


@pytest.mark.parametrize(
    "content", [b'{"phone": 1}\n{"phone": ', b"[" * 100_000 + b"]" * 100_000, b'[{"a": 1,}]']
)
def test_damaged_json_is_refused(content: bytes) -> None:
    with pytest.raises(SheetError, match="JSON file is damaged"):
        read_sheet(content)


def test_parquet_and_its_numbers() -> None:
    table = {
        "phone": [447400123456.0, None],
        "id": [447400123456, 2],
        "born": [date(1990, 5, 1), None],
        "tags": [["a", "b"], []],
        "name": pd.Categorical(["Zoë", "Bob"]),
    }
    content = io.BytesIO()
    pd.DataFrame(table, index=[7, 9]).to_parquet(content)
    sheet = read_sheet(content.getvalue())
    assert list(sheet.frame) == [*table]
    assert sheet.frame.to_numpy().tolist() == [
        ["447400123456", "447400123456", "1990-05-01", "a; b", "Zoë"],
        ["", "2", "", "", "Bob"],
    ]


def test_a_small_parquet_file_of_very_many_rows_is_refused() -> None:
    content = io.BytesIO()
    pq.write_table(
        pa.table(
            {
                "phone": pa.DictionaryArray.from_arrays(
                    pa.nulls(6_000_000, pa.int8()).fill_null(0), ["x" * 1000]
                )
            }
        ),
        content,
    )
    assert len(content.getvalue()) < 2**20
    with pytest.raises(SheetError, match="6,000,000 rows and 1 columns; 5,000,000 rows"):
        read_sheet(content.getvalue())


def test_too_many_columns_are_refused_in_every_format() -> None:
    wide = pd.DataFrame([range(600)], columns=[f"c{n}" for n in range(600)])
    content = io.BytesIO()
    wide.to_parquet(content)
    for data in (content.getvalue(), json.dumps(wide.to_dict("records")).encode()):
        with pytest.raises(SheetError, match="600 columns"):
            read_sheet(data)


def test_a_cell_that_is_too_long_is_refused_in_every_format() -> None:
    with pytest.raises(SheetError, match=r"row 1 has more than 10 characters, namely 11"):
        read_sheet(b'[{"phone": "12345678901"}]', limits=Limits(cell_characters=10))


CARDS = """BEGIN:VCARD
VERSION:3.0
FN:Ann Smith
N:Smith;Ann;;;
TEL;TYPE=CELL,VOICE:+44 7400 123456
TEL;TYPE=WORK;TYPE=VOICE:020 7946 0991
TEL;TYPE=HOME,FAX:020 7946 0992
item1.TEL:+44 7400 123459
item1.X-ABLabel:other
EMAIL:ann@example.com
ADR;TYPE=HOME:;;1 High St;York;;YO1;United Kingdom
NOTE:a long
  line
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Zoë
TEL;VALUE=uri;TYPE="voice,cell":tel:+44-7400-123457
TEL;TYPE=cell:+44 7400 123458
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrg;;;
TEL;CELL;PREF:0151 23456789
END:VCARD
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_business_cards_of_all_versions(line_end: str) -> None:
    sheet = read_sheet(CARDS.replace("\n", line_end).encode())
    people = sheet.frame[["full name", "first name", "last name", "mobile", "work phone", "fax", "country"]]
    assert people.to_numpy().tolist() == [
        ["Ann Smith", "Ann", "Smith", "+44 7400 123456", "020 7946 0991", "020 7946 0992", "United Kingdom"],
        ["Zoë", "", "", "+44-7400-123457; +44 7400 123458", "", "", ""],
        ["", "Jürg", "Müller", "0151 23456789", "", "", ""],
    ]
    assert sheet.rows.tolist() == [1, 2, 3]
    contacts = clean_contacts(sheet, country="DE").rows
    assert contacts["phone"].tolist() == ["+447400123456", "+447400123457", "+4915123456789"]
    assert contacts["other_phones"].tolist()[1] == "+447400123458"


def test_a_frame_is_a_sheet() -> None:
    frame = pd.DataFrame({"phone": [447400123456.0, None], 7: ["NA", 1]})
    sheet = read_sheet(frame)
    assert list(sheet.frame) == ["phone", "7"]
    assert sheet.rows.tolist() == [2, 3]
