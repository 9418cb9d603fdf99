"""Files without rows and lines: JSON, JSON Lines and Parquet."""

from __future__ import annotations

import io
import json
from datetime import date
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from each import each

from dashboard.contacts import Sheet, read_sheet
from dashboard.errors import SheetError

pytestmark = pytest.mark.usefixtures("read_here")
ANN, BOB = "+447400123456", "+447400123457"


def cells(sheet: Sheet) -> list[list[str]]:
    return sheet.frame.to_numpy().tolist()


@each(
    "content, names, rows",
    [
        ('[{"phone": "1", "name": "Łukasz"}]'.encode("utf-8-sig"), "phone name", [["1", "Łukasz"]]),
        ('[{"phone": "1", "name": "Łukasz"}]'.encode("utf-16"), "phone name", [["1", "Łukasz"]]),
        (
            b'[{"phone": 447400123456, "b": 447400123456.0, "c": 4.474E+11, "d": true, "e": [1, 2]}]',
            "phone b c d e",
            [["447400123456", "447400123456.0", "4.474E+11", "true", "1; 2"]],
        ),
        (
            b'[{"phone": "1", "name": "Ann"}, {"phone": "2", "name": null, "age": 41}]',
            "phone name age",
            [["1", "Ann", ""], ["2", "", "41"]],
        ),
        (
            b'{"name": {"first": "Ann", "last": "Lee"}, "address": {"city": "York"}}',
            "name.first name.last address.city",
            [["Ann", "Lee", "York"]],
        ),
        (b'["phone", "name"]\n["+447400123456", "Ann"]\n', "phone name", [[ANN, "Ann"]]),
        (b'[{"phone": "\\u002b447400123456", "name": "\\ud83d"}]', "phone name", [[ANN, "?"]]),
        (b'[{"phone": "1", "phone": "+447400123456"}]', "phone phone#2", [["1", ANN]]),
        (b'["+447400123456", "+447400123457"]', "phone", [[ANN], [BOB]]),
    ],
)
def test_odd_json(content: bytes, names: str, rows: list[list[str]]) -> None:
    sheet = read_sheet(content)
    assert ([*sheet.frame], cells(sheet)) == (names.split(), rows)


def test_json_lines_are_numbered_by_line() -> None:
    sheet = read_sheet(b'{"phone": "1"}\r\n\r\n{"phone": "2", "name": "Bob"}\n')
    assert (cells(sheet), sheet.rows.tolist()) == ([["1", ""], ["2", "Bob"]], [1, 3])


def test_no_object_where_others_have_one_is_no_column() -> None:
    """A blank "sms_marketing_consent" was a consent that nobody had answered."""
    told = {"phone": "1", "sms_consent": {"state": "subscribed"}, "a": {"b": {"c": "1"}}}
    content = json.dumps([told, {"phone": "2", "sms_consent": None, "a": {"b": None}}, {"a": "x"}]).encode()
    assert list(read_sheet(content).frame.columns) == ["phone", "sms_consent.state", "a.b.c", "a"]


@each("content", [b'{"phone": 1}\n{"phone": ', b"[" * 100_000 + b"]" * 100_000, b'[{"a": 1,}]'])
def test_damaged_json_is_refused(content: bytes) -> None:
    with pytest.raises(SheetError, match="JSON file is damaged"):
        read_sheet(content)


def parquet(table: pa.Table) -> bytes:
    content = io.BytesIO()
    pq.write_table(table, content)
    return content.getvalue()


def test_parquet_and_its_numbers() -> None:
    table = {
        "phone": [447400123456.0, None],
        "id": [447400123456, 2],
        "born": [date(1990, 5, 1), None],
        "tags": [["a", "b"], []],
        "name": pd.Categorical(["Zoë", "Bob"]),
    }
    sheet = read_sheet(pd.DataFrame(table, index=[7, 9]).to_parquet())
    assert list(sheet.frame) == [*table]
    assert cells(sheet) == [
        ["447400123456", "447400123456", "1990-05-01", "a; b", "Zoë"],
        ["", "2", "", "", "Bob"],
    ]


def test_what_databases_write_is_read_as_a_person_would_write_it() -> None:
    short = pa.array([447400123456.0, 12.0, 0.1, float("nan")], pa.float64()).cast(pa.float32())
    within = pa.list_(pa.struct({"phone": pa.float32()}))
    table = {
        "short": short,
        "exact": pa.array([123456.78125, 8388607.5, 16777215.0, 1e-7], pa.float32()),
        "in them": pa.array([[{"phone": 447400123456.0}], [], None, [{"phone": 0.1}]], within),
        "padded": pa.array(map(Decimal, ("0", "2.5", "447400123456", "12.50")), pa.decimal128(38, 10)),
        "money": pa.array(map(Decimal, ("0", "2.5", "7", "12.50")), pa.decimal128(10, 2)),
        "none": pa.array([float("nan"), 2.0, None, 2.5]),
        "many": pa.array([[1.0, float("nan")], [], None, [2.5]]),
    }
    assert cells(read_sheet(parquet(pa.table(table)))) == [
        ["4.474001e+11", "123456.78", "4.474001e+11", "0", "0.00", "", "1; "],
        ["12", "8388607.5", "", "2.50", "2.50", "2", ""],
        ["0.1", "16777215", "", "447400123456", "7.00", "", ""],
        ["", "1e-07", "0.1", "12.50", "12.50", "2.5", "2.5"],
    ]
    assert cells(read_sheet(b'[{"phone": "1", "name": NaN}]')) == [["1", ""]]


def test_a_frames_index_may_be_called_anything() -> None:
    for about in ('{"columns": [{"field_name": "__index_level_0__", "name": "\\ud83d"}]}', "[" * 100_000):
        table = pa.table({"phone": [ANN], "__index_level_0__": ["x"]})
        table = table.replace_schema_metadata({"pandas": about.encode()})
        assert len(read_sheet(parquet(table)).frame.columns) == 2


def test_nested_and_repeated_names_in_parquet() -> None:
    nested = pa.table({"name": ["Ann"], "phones": [[{"type": "mobile", "number": ANN}]]})
    repeated = pa.Table.from_arrays([pa.array([ANN]), pa.array(["x"])], names=["phone", "phone"])
    for table, names, rows in (
        (nested, ["name", "phones.1.type", "phones.1.number"], [["Ann", "mobile", ANN]]),
        (repeated, ["phone", "phone#2"], [[ANN, "x"]]),
    ):
        sheet = read_sheet(parquet(table))
        assert (list(sheet.frame), cells(sheet)) == (names, rows)


def test_a_parquet_file_of_no_rows_or_very_many_is_refused() -> None:
    with pytest.raises(SheetError, match="column names and no rows"):
        read_sheet(parquet(pa.table({"phone": pa.array([], pa.string())})))
    same = pa.DictionaryArray.from_arrays(pa.nulls(6_000_000, pa.int8()).fill_null(0), ["x" * 1000])
    content = parquet(pa.table({"phone": same}))
    assert len(content) < 2**20
    with pytest.raises(SheetError, match="6,000,000 rows and 1 columns; at most 5,000,000 rows"):
        read_sheet(content)
