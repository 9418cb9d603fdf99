"""A sheet before its header is known: cells, row numbers and what was noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import pandas as pd

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """Cells as text, "" where empty, columns numbered from 0.

    `rows` holds the row numbers that the spreadsheet program shows, on the index of `cells`; `lines` the
    lines of the file on which they begin, None where these are the same. `widths` says, by position, how many
    cells those rows have that are not as wide as most, including rows that were filled up. `titles` names the
    columns if the file does so itself, rather than in a row. `cell_notes` are notes on cells: row number,
    place of the column and text; `decoded_rows` are the row numbers in which HTML codes were read as their
    characters, and `struck` the struck-out cells: their row number and the place of their column.
    """

    cells: pd.DataFrame
    rows: pd.Series
    notes: tuple[str, ...] = ()
    worksheet: str | None = None
    worksheets: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    hidden_rows: frozenset[int] = frozenset()
    decoded_rows: frozenset[int] = frozenset()
    struck: frozenset[tuple[int, int]] = frozenset()
    lines: pd.Series | None = None
    titles: tuple[str, ...] | None = None
    cell_notes: Sequence[tuple[int, int, str]] = ()
    widths: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
