"""Totals rows at the end of an export: they are not contacts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.arrow.distinct import where
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.spelling import normalise

__all__ = ["is_totals_row"]


def is_totals_row(frame: pd.DataFrame, among: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    """Of which rows the first filled cell is a word for totals, as in "Total,,,1234".

    Args:
        frame: The rows' cells, all columns.
        among: The positions of the rows that may be.
    """
    found = np.zeros(len(frame), np.bool_)
    for place in range(frame.shape[1]):
        cells = frame.iloc[:, place].take(among)
        has_digits = cells.str.contains(r"\d", regex=True)  # a million ids need not be spelled out
        wordy = np.flatnonzero(~has_digits)
        among, cells = among[wordy], cells.take(wordy)
        found[among] = where(cells, lambda cell: normalise(cell) in words("totals"))
        among = among[(cells == "").to_numpy(dtype=bool)]
        if not len(among):
            break
    return found
