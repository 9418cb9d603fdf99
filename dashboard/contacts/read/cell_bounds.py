"""Limits on what was read, whatever it was read from."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.table import Table
from dashboard.errors import SheetError
from dashboard.words import _, count

__all__ = ["check_cells", "check_width"]


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
