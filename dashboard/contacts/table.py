"""A sheet before its header is known: cells, row numbers and what was noticed."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """Cells as text, "" where empty, columns numbered from 0.

    `rows` holds the row numbers that the spreadsheet program shows, on the index of `cells`.
    """

    cells: pd.DataFrame
    rows: pd.Series
    notes: tuple[str, ...] = ()
    worksheet: str | None = None
    worksheets: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    hidden_rows: frozenset[int] = frozenset()
