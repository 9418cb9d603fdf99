"""Row numbers of several lists as one: each keeps its own, with its list's place before it."""

from __future__ import annotations

import pandas as pd

from dashboard.words import _

__all__ = ["BLOCK", "rows_in_words"]

BLOCK = 10_000_000
"""Row numbers of each list; more than a sheet can have."""


def rows_in_words(rows: pd.Series) -> pd.Series:
    """Row numbers as people know them: of several lists, with the place of the list."""
    if not (rows >= BLOCK).any():
        return rows
    words = (_("{row} of list {place}").format(row=row % BLOCK, place=row // BLOCK + 1) for row in rows)
    return pd.Series(list(words), index=rows.index, dtype="str")
