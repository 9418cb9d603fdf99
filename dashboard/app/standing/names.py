"""What people of a campaign are called, by the columns of their own sheet. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts import guess_columns
from dashboard.contacts.read.sheet import sheet_of_frame


def names_of(sheet_rows: pd.DataFrame) -> pd.Series:
    """The name of each row that has one.

    Args:
        sheet_rows: As `Ledger.sheet_rows` gives them.

    Returns:
        Names by row number: the full name, or else the first and the last; empty if no column has names.
    """
    cells = sheet_rows.drop(columns="row")
    joined = pd.Series("", cells.index, dtype="str")
    for name in _columns(cells):
        joined = joined.str.cat(cells[name].fillna("").str.strip(), sep=" ").str.strip()
    names = joined.set_axis(sheet_rows["row"])
    return names[names != ""]


def _columns(cells: pd.DataFrame) -> list[str]:
    if cells.empty:
        return []
    guessed = guess_columns(sheet_of_frame(cells))
    names = (guessed.full_name,) if guessed.full_name else (guessed.first_name, guessed.last_name)
    return [name for name in names if name is not None and name in cells]
