"""Merged cells: the text in the first row of one applies to every row it spans."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

import numpy as np
import pandas as pd

__all__ = ["MergedCell", "filled_down"]


class MergedCell(NamedTuple):
    """A cell that spans rows, all numbered from 1; how many columns it has does not matter."""

    column: int
    first_row: int
    last_row: int


def filled_down(cells: pd.DataFrame, merged: Iterable[MergedCell]) -> pd.DataFrame:
    """The cells, with the text of each merged cell in every row it spans that contains anything.

    A merged cell is not filled to the right: a title above the whole list is not a column's name.

    Example:
        >>> filled_down(pd.DataFrame([["Acme", "Ann"], ["", "Bob"]]), [MergedCell(1, 1, 2)])[0].tolist()
        ['Acme', 'Acme']
    """
    holds_anything = (cells != "").any(axis=1)
    filled = cells.copy(deep=False)
    for column, reaching in groupby(sorted(merged), key=lambda cell: cell.column):
        if column <= cells.shape[1]:
            own = cells.iloc[:, column - 1]
            texts = own.take(_sources(reaching, len(cells))).set_axis(own.index)
            filled.isetitem(column - 1, own.where((own != "") | ~holds_anything, texts))
    return filled


def _sources(merged: Iterable[MergedCell], rows: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """For each row, the position of the row whose text it takes; overlapping merged cells do not count."""
    sources = np.arange(rows)
    free = 0
    for _, first_row, last_row in merged:
        if free < first_row <= rows:
            sources[first_row - 1 : last_row] = first_row - 1
            free = last_row
    return sources
