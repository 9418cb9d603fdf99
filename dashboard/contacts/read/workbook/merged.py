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
from dashboard.contacts.vocabulary.consent.doubt import is_date

__all__ = ["MergedCell", "filled_down"]


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
    reaching_down = [cell for cell in ordered if cell.spans_rows]
    for column, reaching in groupby(reaching_down, key=lambda cell: cell.column):
        if column <= cells.shape[1]:
            own = cells.iloc[:, column - 1]
            texts = own.take(_sources(reaching, len(cells))).set_axis(own.index)
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


def _sources(merged: Iterable[MergedCell], rows: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each row, the position of the row whose text it takes; overlapping merged cells do not count."""
    sources = np.arange(rows)
    free = 0
    for _column, first_row, last_row, _last_column in merged:
        if free < first_row <= rows:
            sources[first_row - 1 : last_row] = first_row - 1
            free = last_row
    return sources
