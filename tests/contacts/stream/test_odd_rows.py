"""Rows of unusual width in a big file: every reading of it gives the same pieces, however fast it is."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from one_sheet import phones

from dashboard.contacts.stream import odd_rows, source
from dashboard.contacts.stream.clean import clean_csv_stream
from dashboard.contacts.stream.source import CsvSource, find_layout

ODD_AT_ONCE = 20
DELAY_S = 0.005
USUAL, ODD = "{name},{phone},,,", "{name},{phone}"
MIXED = Random(5).choices([USUAL, ODD], k=400)  # noqa: S311
LONG_RUNS = [*[USUAL] * 70, *[ODD] * 400, USUAL, USUAL, *[ODD] * 150, *[USUAL] * 30, *[ODD] * 90]
ENDS_USUAL = [*[ODD] * 300, *[USUAL, ODD] * 50, USUAL]


class SlowFile(io.FileIO):
    """A file on a slow disk: pyarrow has not read the next block when it hands one over."""

    def read(self, size: int | None = -1, /) -> bytes:
        time.sleep(DELAY_S)
        return super().read(-1 if size is None else size)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_BLOCK_BYTES", 2_000)
    monkeypatch.setattr(source, "_BLOCKS_AT_ONCE", 2)
    monkeypatch.setattr(odd_rows, "_ROWS_AT_ONCE", ODD_AT_ONCE)


def layout_of(path: Path, rows: list[str], before: tuple[str, ...] = ()) -> CsvSource:
    lines = (
        row.format(name=f"Ann {place}", phone=phone)
        for place, (row, phone) in enumerate(zip(rows, phones(len(rows)), strict=True))
    )
    path.write_text("\n".join([*before, "Name,Mobile", *lines]), encoding="utf-8")
    return find_layout(path)


def slow_file(path: str) -> pa.PythonFile:
    return pa.PythonFile(SlowFile(path), mode="r")


def slow_disk(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pa, "OSFile", slow_file)


def slow_judgement(patch: pytest.MonkeyPatch) -> None:
    """The next block is always read when one is looked at."""
    among = odd_rows.OddRows.among

    def later(self: odd_rows.OddRows, cells: pa.RecordBatch, first: int) -> Iterator[pa.RecordBatch]:
        time.sleep(DELAY_S)
        return among(self, cells, first)

    patch.setattr(odd_rows.OddRows, "among", later)


def pieces(layout: CsvSource) -> list[list[tuple[int, str]]]:
    return [
        list(zip(batch.numbers.tolist(), batch.cells.columns[0].to_pylist(), strict=True))
        for batch in layout.batches()
    ]


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(
    ("rows", "before"), [(MIXED, ("sep=,",)), (LONG_RUNS, ("My list,", ",")), (ENDS_USUAL, ())]
)
def test_a_file_comes_in_the_same_pieces_whatever_is_slow(
    tmp_path: Path, rows: list[str], before: tuple[str, ...]
) -> None:
    layout = layout_of(tmp_path / "list.csv", rows, before)
    readings = [pieces(layout)]
    for slow in (slow_disk, slow_judgement):
        with pytest.MonkeyPatch.context() as patch:
            slow(patch)
            readings.append(pieces(layout))
    assert readings[1] == readings[2] == readings[0]
    expected = [(place + layout.first_row, f"Ann {place}") for place in range(len(rows))]
    assert list(chain(*readings[0])) == expected


@pytest.mark.usefixtures("small_blocks")
def test_many_odd_rows_below_each_other_do_not_wait_for_a_usual_one(tmp_path: Path) -> None:
    layout = layout_of(tmp_path / "list.csv", [*[USUAL] * 70, *[ODD] * 1_000])
    assert max(map(len, pieces(layout))) < 200


@pytest.mark.usefixtures("small_blocks")
def test_verdicts_meet_their_rows_though_one_reading_is_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is slow while it is read what rows say, not for their likely countries and their verdicts."""
    rows = ["{name},do not text" if place % 50 == 7 else row for place, row in enumerate(MIXED[:300])]
    layout = layout_of(tmp_path / "list.csv", rows)
    expected = clean_csv_stream(layout, tmp_path / "expected.parquet", country="GB")
    disks = iter((pa.OSFile, slow_file, pa.OSFile))

    def opened(path: str) -> pa.NativeFile:
        return next(disks)(path)

    monkeypatch.setattr(pa, "OSFile", opened)
    cleaned = clean_csv_stream(layout, tmp_path / "cleaned.parquet", country="GB")
    assert next(disks, None) is None
    assert pq.read_table(cleaned.path).equals(pq.read_table(expected.path))
    assert cleaned.rows == len(rows)
