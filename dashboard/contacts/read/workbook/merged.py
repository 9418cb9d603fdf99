"""Merged cells: the text in the first row of one applies to every row it spans.

An answer applies to every column as well: a "no" across "E-mail" and "SMS" is one to both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd

from dashboard.contacts.read.table import ChangedCells
from dashboard.contacts.words.answers import reads_as_answer
from dashboard.contacts.words.dates import is_date

__all__ = ["MergedCell", "filled_down", "rows_spanned"]


class MergedCell(NamedTuple):
    """A cell that spans rows or columns, all numbered from 1; without a last column it has one."""

    column: int
    first_row: int
    last_row: int
    last_column: int = 0

    @property
    def spans_rows(self) -> bool:
        """Whether it has more than one row."""
        return self.last_row > self.first_row


def rows_spanned(merged: Iterable[MergedCell], last: int) -> dict[tuple[int, int], range]:
    """The rows of each merged cell, none beyond the last, by its first row and its column.

    Of cells that overlap in a column, the first counts.
    """
    spanned, free = {}, dict[int, int]()
    for cell in sorted(cell for cell in merged if cell.spans_rows):
        if free.get(cell.column, 0) < cell.first_row <= last:
            spanned[cell.first_row, cell.column] = range(cell.first_row, min(cell.last_row, last) + 1)
            free[cell.column] = cell.last_row
    return spanned


def filled_down(cells: pd.DataFrame, merged: Iterable[MergedCell], first: int = 1) -> pd.DataFrame:
    """The cells, with the text of each merged cell in every row it spans that contains anything.

    A merged cell is filled to the right only if it is an answer or a date: a title above the whole list is
    not a column's name.

    Args:
        cells: The worksheet's texts.
        merged: Its merged cells.
        first: The number of the column with which the texts begin.

    Example:
        >>> filled_down(pd.DataFrame([["Acme", "Ann"], ["", "Bob"]]), [MergedCell(1, 1, 2)])[0].tolist()
        ['Acme', 'Acme']
    """
    changed, holds_anything = ChangedCells(cells), (cells != "").any(axis=1).to_numpy()
    last, width = cells.shape
    ordered = sorted(
        cell._replace(column=cell.column - first, last_column=cell.last_column - first)
        for cell in merged
        if first <= cell.column < first + width
    )

    def fill(place: int, rows: range, text: str) -> None:
        texts = changed[place][rows.start - 1 : rows.stop - 1]
        texts[(texts == "") & holds_anything[rows.start - 1 : rows.stop - 1]] = text

    for (row, place), rows in rows_spanned(ordered, last).items():
        fill(place, rows, changed[place][row - 1])
    wide = [
        (cell, str(changed[cell.column][cell.first_row - 1]))
        for cell in ordered
        if cell.column < cell.last_column and cell.first_row <= last
    ]
    for cell, text in wide:
        if reads_as_answer(text) or is_date(text):
            for place in range(cell.column + 1, min(cell.last_column + 1, width)):
                fill(place, range(cell.first_row, cell.last_row + 1), text)
    return changed.frame()
