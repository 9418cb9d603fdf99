"""Rows of unusual width in a big file come in their places, however slowly it is read."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from each import each
from one_sheet import phones

from dashboard.contacts.stream import csv_file, odd_rows
from dashboard.contacts.stream.layout import find_layout
from dashboard.contacts.stream.source import Source

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


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "_BLOCK_BYTES", 2_000)
    monkeypatch.setattr(csv_file, "_BLOCKS_AT_ONCE", 2)
    monkeypatch.setattr(odd_rows, "_ROWS_AT_ONCE", 20)


def written(path: Path, rows: list[str], before: tuple[str, ...] = ()) -> Source:
    lines = (
        row.format(name=f"Ann {place}", phone=phone)
        for place, (row, phone) in enumerate(zip(rows, phones(len(rows)), strict=True))
    )
    path.write_text("\n".join([*before, "Name,Mobile", *lines]), encoding="utf-8")
    return find_layout(path).sources[""]


def slow_disk(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pa, "OSFile", lambda path: pa.PythonFile(SlowFile(path), mode="r"))


def slow_judgement(patch: pytest.MonkeyPatch) -> None:
    """The next block is always read when one is looked at."""
    among = odd_rows.OddRows.among

    def later(self: odd_rows.OddRows, cells: pa.RecordBatch, first: int) -> Iterator[pa.RecordBatch]:
        time.sleep(DELAY_S)
        return among(self, cells, first)

    patch.setattr(odd_rows.OddRows, "among", later)


def pieces(source: Source) -> list[list[tuple[int, str]]]:
    return [
        list(zip(batch.numbers.tolist(), batch.cells.columns[0].to_pylist(), strict=True))
        for batch in source.batches()
    ]


@each("rows, before", [(MIXED, ("sep=,",)), (LONG_RUNS, ("My list,", ",")), (ENDS_USUAL, ())])
@each("slow", [slow_disk, slow_judgement])
def test_rows_come_in_their_places(tmp_path: Path, rows, before, slow) -> None:  # type: ignore[no-untyped-def]
    source = written(tmp_path / "list.csv", rows, before)
    with pytest.MonkeyPatch.context() as patch:
        slow(patch)
        found = list(chain(*pieces(source)))
    assert found == [(place + source.first_row, f"Ann {place}") for place in range(len(rows))]


def test_many_odd_rows_below_each_other_do_not_wait_for_a_usual_one(tmp_path: Path) -> None:
    source = written(tmp_path / "list.csv", [*[USUAL] * 70, *[ODD] * 1_000])
    assert max(map(len, pieces(source))) < 200
