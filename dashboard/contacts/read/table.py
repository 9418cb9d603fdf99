"""A sheet before its header is known: cells, row numbers and what was noticed, within the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import text_series
from dashboard.contacts.read.limits import Limits
from dashboard.errors import SheetError
from dashboard.words import _, count

__all__ = ["ChangedCells", "Table", "check_cells", "check_width"]


@dataclass(frozen=True)
class Table:
    """Cells as text, "" where empty, columns numbered from 0.

    `rows` holds the row numbers that the spreadsheet program shows, on the index of `cells`; `lines` the
    lines of the file on which they begin, None where these are the same. `widths` says, by position, how many
    cells those rows have that are not as wide as most, including rows that were filled up. `titles` names the
    columns if the file does so itself, rather than in a row. `cell_notes` are notes on cells: row number,
    place of the column and text; `decoded_rows` are the row numbers in which HTML codes were read as their
    characters, and `struck` the struck-out cells: their row number and the place of their column.
    """

    cells: pd.DataFrame
    rows: pd.Series
    notes: tuple[str, ...] = ()
    worksheet: str | None = None
    worksheets: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    hidden_rows: frozenset[int] = frozenset()
    decoded_rows: frozenset[int] = frozenset()
    struck: frozenset[tuple[int, int]] = frozenset()
    lines: pd.Series | None = None
    titles: tuple[str, ...] | None = None
    cell_notes: Sequence[tuple[int, int, str]] = ()
    widths: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))


class ChangedCells(dict[int, npt.NDArray[np.object_]]):
    """The texts of columns to change, by their places; the cells they are taken from stay as they are."""

    def __init__(self, cells: pd.DataFrame) -> None:
        super().__init__()
        self._cells = cells

    def __missing__(self, place: int) -> npt.NDArray[np.object_]:
        self[place] = self._cells.iloc[:, place].to_numpy(dtype=object, copy=True)
        return self[place]

    def frame(self) -> pd.DataFrame:
        """All cells, with what was changed."""
        cells = self._cells.copy(deep=False)
        for place, texts in self.items():
            cells.isetitem(place, text_series(pa.array(texts, pa.large_string())).array)
        return cells


def check_cells(table: Table, limits: Limits) -> None:
    """Refuse too many rows, too many columns, and cells that are too long.

    Raises:
        SheetError: The message says what was found and what is allowed.
    """
    rows, columns = table.cells.shape
    if rows > limits.csv_rows:
        raise SheetError(
            _(
                "The sheet has more than {most} rows, the most that can be read. Split it into several files."
            ).format(most=count(limits.csv_rows))
        )
    if columns == limits.columns + 1 and (table.cells.iloc[:, -1] == "").all():
        columns -= 1  # a delimiter at the end of each row makes an empty one
    check_width(columns, limits)
    for column in table.cells:
        cells = pa.array(table.cells[column].array)
        if len(cells) and pc.max(pc.binary_length(cells)).as_py() > limits.cell_characters:
            _check_lengths(pc.utf8_length(cells), table, limits)


def check_width(columns: int, limits: Limits) -> None:
    """Refuse too many columns.

    Raises:
        SheetError: The message says how many there are and how many are allowed.
    """
    if columns > limits.columns:
        raise SheetError(
            _(
                "The sheet has {columns} columns; at most {most} can be read. Remove the columns you "
                "do not need."
            ).format(columns=count(columns), most=limits.columns)
        )


def _check_lengths(lengths: pa.ChunkedArray, table: Table, limits: Limits) -> None:
    found = lengths.to_numpy()
    if found.max() > limits.cell_characters:
        place = int((found > limits.cell_characters).argmax())
        row = table.rows.iloc[place]
        raise SheetError(
            _(
                "A cell in row {row} has {longest} characters, more than the {most} allowed. A "
                'quotation mark (") may be open there: close or remove it.'
            ).format(row=count(row), most=count(limits.cell_characters), longest=count(found[place]))
        )
