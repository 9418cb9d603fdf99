"""Rows of a big CSV file that are as wide as no other, and fit nevertheless.

Programs write empty cells far to the right, or leave out those at the end. A row fits if it has a cell below
each title and nothing but blanks beyond the columns. pyarrow hands over all rows of unusual width; those that
fit are put back where they were. pyarrow reads one block ahead, in a thread of its own if the disk is slow:
whether it has handed over odd rows below a block when that block comes is chance.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.csv

__all__ = ["OddRows"]

_ROWS_AT_ONCE = 1_000
"""So many odd rows below each other are a piece by themselves: a usual row may never come."""


class OddRows:
    """Keeps the rows of unusual width until the rows around them are read.

    Args:
        names: The file's columns.
        fewest: How many cells a row has at least.
        delimiter: The file's delimiter.
        lines_before: Lines at its beginning that are not rows; pyarrow counts them.
    """

    def __init__(self, names: Sequence[str], fewest: int, delimiter: str, lines_before: int) -> None:
        self._names, self._fewest, self._delimiter = list(names), fewest, delimiter
        self._lines_before = lines_before
        self.refused: int | None = None
        self._waiting: deque[tuple[int, list[str]]] = deque()

    def put_aside(self, row: pyarrow.csv.InvalidRow) -> str:
        """Keep a row if it fits, else stop the reading: what pyarrow calls for such a row."""
        number, width = row.number - self._lines_before, len(self._names)
        try:
            cells = next(csv.reader(io.StringIO(row.text, newline=""), delimiter=self._delimiter), [])
        except UnicodeError:  # an exception would get lost on its way through pyarrow
            return "error"
        if len(cells) < self._fewest or any(cells[width:]):
            self.refused = number
            return "error"
        self._waiting.append((number, [*cells[:width], *[""] * (width - len(cells))]))
        return "skip"

    def leave_out(self, before: int) -> None:
        """Forget the rows above a row number: they are no contacts."""
        while self._waiting and self._waiting[0][0] < before:
            self._waiting.popleft()

    def among(self, cells: pa.RecordBatch, first: int) -> Iterator[pa.RecordBatch]:
        """The cells, with the rows that belong above or among them, in several pieces if those are many.

        Those right below them wait for the next block.

        Args:
            cells: Rows of the usual width, in order.
            first: The row number with which the first piece begins.
        """
        while self._many_from(first):
            yield self._taken(_ROWS_AT_ONCE, cells.schema)
            first += _ROWS_AT_ONCE
        places: list[int] = []
        odd: list[list[str]] = []
        while self._waiting and self._waiting[0][0] < first + len(cells) + len(odd):
            number, texts = self._waiting.popleft()
            places.append(number - first)
            odd.append(texts)
        if len(cells):
            yield _inserted(cells, places, odd, self._names) if odd else cells

    def rest(self, like: pa.Schema) -> Iterator[pa.RecordBatch]:
        """The rows that come after all others."""
        while self._waiting:
            yield self._taken(min(_ROWS_AT_ONCE, len(self._waiting)), like)

    def _many_from(self, first: int) -> bool:
        last = _ROWS_AT_ONCE - 1
        return len(self._waiting) > last and all(self._waiting[at][0] == first + at for at in (0, last))

    def _taken(self, count: int, schema: pa.Schema) -> pa.RecordBatch:
        return _as_batch([self._waiting.popleft()[1] for _ in range(count)], self._names, schema)


def _as_batch(rows: Sequence[Sequence[str]], names: list[str], schema: pa.Schema) -> pa.RecordBatch:
    wanted = [names.index(name) for name in schema.names]
    columns = [pa.array([texts[place] for texts in rows], pa.large_string()) for place in wanted]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _inserted(
    cells: pa.RecordBatch, places: list[int], odd: list[list[str]], names: list[str]
) -> pa.RecordBatch:
    both = pa.concat_batches([cells, _as_batch(odd, names, cells.schema)])
    is_odd = np.zeros(len(both), np.bool_)
    is_odd[places] = True
    order = np.empty(len(both), np.int64)
    order[~is_odd] = np.arange(len(cells))
    order[is_odd] = len(cells) + np.arange(len(odd))
    return both.take(pa.array(order))
