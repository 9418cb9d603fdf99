"""Totals rows at the end of an export: they are not contacts."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts.arrow.distinct import where
from dashboard.contacts.vocabulary.known_words.lexicon import words
from dashboard.contacts.vocabulary.known_words.spelling import normalise

__all__ = ["is_totals_row"]


def is_totals_row(frame: pd.DataFrame) -> pd.Series:
    """Whether the first filled cell of each row is a word for totals, as in "Total,,,1234"."""
    found = pd.Series(data=False, index=frame.index)
    blank = frame.index
    for place in range(frame.shape[1]):
        cells = frame.iloc[:, place][blank]
        wordy = cells[~cells.str.contains(r"\d", regex=True)]  # a million ids need not be spelled out
        found[wordy.index] = where(wordy, lambda cell: normalise(cell) in words("totals"))
        blank = wordy.index[(wordy == "").to_numpy()]
        if blank.empty:
            break
    return found
