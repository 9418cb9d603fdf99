"""Merged cells: the text in the first row of one applies to every row it spans.

An answer applies to every column as well: a "no" across "E-mail" and "SMS" is one to both.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pandas as pd

from dashboard.contacts.vocabulary.consent.answers import reads_as_answer
from dashboard.contacts.vocabulary.consent.dates import is_date

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
    holds_anything = (cells != "").any(axis=1)
    filled = cells.copy(deep=False)
    ordered = sorted(
        cell._replace(column=cell.column - first + 1, last_column=cell.last_column - first + 1)
        for cell in merged
        if cell.column >= first
    )
    reaching_down = rows_spanned(ordered, len(cells)).items()
    for column, reaching in groupby(reaching_down, key=lambda cell: cell[0][1]):
        if column <= cells.shape[1]:
            own, sources = cells.iloc[:, column - 1], np.arange(len(cells))
            for (first_row, _column), rows in reaching:
                sources[rows.start - 1 : rows.stop - 1] = first_row - 1
            texts = own.take(sources).set_axis(own.index)
            filled.isetitem(column - 1, own.where((own != "") | ~holds_anything, texts))
    for place, answers in _to_the_right(filled, ordered).items():
        own = filled.iloc[:, place]
        texts = own.to_numpy(dtype=object, copy=True)
        for cell, text in answers:
            texts[cell.first_row - 1 : cell.last_row] = text
        repeated: pd.Series = own.where((own != "") | ~holds_anything, pd.Series(texts, own.index, "str"))
        filled.isetitem(place, repeated)  # type: ignore[arg-type]  # its stubs know no series
    return filled


def _to_the_right(
    filled: pd.DataFrame, merged: Iterable[MergedCell]
) -> dict[int, list[tuple[MergedCell, str]]]:
    """The answers to repeat, by the place of the column they are repeated in; titles and names stay."""
    found: dict[int, list[tuple[MergedCell, str]]] = {}
    for cell in merged:
        if (
            cell.column < cell.last_column
            and cell.column <= filled.shape[1]
            and cell.first_row <= len(filled)
        ):
            text = str(filled.iloc[cell.first_row - 1, cell.column - 1])
            if reads_as_answer(text) or is_date(text):
                for place in range(cell.column, min(cell.last_column, filled.shape[1])):
                    found.setdefault(place, []).append((cell, text))
    return found
