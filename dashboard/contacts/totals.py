"""Totals rows at the end of an export: they are not contacts."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts.spelling import normalise
from dashboard.contacts.vocabulary import words

__all__ = ["is_totals_row"]


def is_totals_row(frame: pd.DataFrame) -> pd.Series:
    """Whether the first filled cell of each row is a word for totals, as in "Total,,,1234"."""
    filled = frame.where(frame != "")
    first = filled.bfill(axis=1).iloc[:, 0] if frame.shape[1] else pd.Series("", index=frame.index)
    return first.fillna("").map(lambda cell: normalise(cell) in words("totals")).astype("bool")
