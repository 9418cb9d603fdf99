"""Parquet files with cells that no text can be made of as they are: read as sheets, and piece by piece."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from each import each

from dashboard.contacts import Limits, clean_csv_stream, read_sheet
from dashboard.errors import SheetError


def letters(*cells: bytes) -> pa.Array:
    """Texts as another program may write them, in any encoding."""
    return pa.array(cells, pa.binary()).view(pa.string())


LATIN = letters(b"Jos\xe9", b"Ann"), ["Jos\ufffd", "Ann"]
READ = {
    "not UTF-8": LATIN,
    "not UTF-8, as polars writes it": (
        LATIN[0].cast(pa.large_binary()).view(pa.large_string()),
        LATIN[1],
    ),
    "not UTF-8, as categories": (LATIN[0].dictionary_encode(), LATIN[1]),
    "beyond the calendar": (
        pa.array([400_000_000_000_000, 0], pa.timestamp("ms")),
        ["\ufffd", "1970-01-01 00:00:00"],
    ),
}
REFUSED = {
    "lists of lists": pa.array([[["a"], ["b"]], []]),
    "lists of objects": pa.array([[{"a": 1}], []]),
    "as many objects each": pa.array(
        [[{"a": 1, "b": 2}]] * 2, pa.list_(pa.struct({"a": pa.int8(), "b": pa.int8()}), 1)
    ),
    "lists of maps": pa.array([[[("a", "b")]], []], pa.list_(pa.map_(pa.string(), pa.string()))),
}
BEFORE = 10_500
"""So many rows that the odd one is not among those by which a large file is known."""


def written(folder: Path, odd: pa.Array, **more: pa.Array) -> Path:
    people = pa.table({"mobile": [f"07400 {100_000 + row}" for row in range(len(odd))], "odd": odd, **more})
    pq.write_table(people, folder / "people.parquet")
    return folder / "people.parquet"


@pytest.mark.usefixtures("read_here")
@each("kind, among", product(READ, [0, BEFORE]))
def test_what_is_no_text_is_read_as_far_as_it_is_one(tmp_path: Path, kind: str, among: int) -> None:
    column, texts = READ[kind]
    odd = pa.concat_arrays([pa.nulls(among, column.type), column])
    for more in ({}, {"tags": pa.array([["a", "b"]] * len(odd))}):
        path = written(tmp_path, odd, **more)
        assert read_sheet(path).frame["odd"].tolist()[among:] == texts
        clean_csv_stream(path, tmp_path / "out.parquet", country="GB")
        assert pq.read_table(tmp_path / "out.parquet")["odd"].to_pylist()[among:] == texts


@pytest.mark.usefixtures("read_here")
@each("kind", REFUSED)
def test_values_within_values_are_refused_where_a_file_is_read_piece_by_piece(
    tmp_path: Path, kind: str
) -> None:
    with pytest.raises(SheetError, match="values within values"):
        clean_csv_stream(written(tmp_path, REFUSED[kind]), tmp_path / "out.parquet", country="GB")


@pytest.mark.usefixtures("read_here")
@each("among, says", [(0, "is damaged"), (BEFORE, "cannot be read to its end")])
def test_a_time_zone_that_is_none_is_a_damaged_file(tmp_path: Path, among: int, says: str) -> None:
    zone = pa.timestamp("s", "Mars/Olympus")
    path = written(tmp_path, pa.concat_arrays([pa.nulls(among, zone), pa.array([0], zone)]))
    with pytest.raises(SheetError, match="is damaged"):
        read_sheet(path)
    with pytest.raises(SheetError, match=says):
        clean_csv_stream(path, tmp_path / "out.parquet", country="GB")


@pytest.mark.deep
def test_a_file_that_takes_too_much_memory_is_not_called_damaged(tmp_path: Path) -> None:
    notes = pa.array(["many letters " * 20]).dictionary_encode()
    path = written(tmp_path, pa.concat_arrays([notes] * 2_000_000))
    with pytest.raises(SheetError, match="more memory or time than is allowed"):
        read_sheet(path, limits=Limits(child_memory_bytes=600 << 20))


@pytest.mark.usefixtures("read_here")
def test_the_last_day_of_the_calendar_as_spark_writes_it(tmp_path: Path) -> None:
    last = pa.array([253_402_214_400_000_000], pa.timestamp("us"))
    pq.write_table(
        pa.table({"mobile": ["07400 123456"], "until": last}),
        tmp_path / "a.parquet",
        use_deprecated_int96_timestamps=True,
    )
    assert read_sheet(tmp_path / "a.parquet").frame["until"].tolist() == ["9999-12-31 00:00:00"]
    clean_csv_stream(tmp_path / "a.parquet", tmp_path / "out.parquet", country="GB")
    assert pq.read_table(tmp_path / "out.parquet")["until"].to_pylist() == ["9999-12-31 00:00:00"]
