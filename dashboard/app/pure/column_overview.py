"""What each column of a sheet holds and is taken for, as one small frame to look at. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts import ColumnMap, Sheet

EXAMPLES = 3
_MEANINGS = {
    "country": "Country",
    "consent": "Consent",
    "opt_out": "Opt-out",
    "first_name": "First name",
    "last_name": "Last name",
    "full_name": "Name",
    "email": "E-mail",
    "timezone": "Time zone",
    "language": "Language",
}


def column_overview(sheet: Sheet, columns: ColumnMap) -> pd.DataFrame:
    """Describe the columns of a sheet.

    Returns:
        One row per column of the sheet: Column, Examples (a few different values), Read as ("" when it is
        only a merge field) and Sure (0 to 1, missing when nothing was guessed).
    """
    meanings = {column: _MEANINGS[field] for field, column in columns.fields.items()}
    many = len(columns.phones) > 1
    for place, column in enumerate(columns.phones, 1):
        meanings[column] = f"Phone, tried as no. {place}" if many else "Phone"
    names = [str(name) for name in sheet.frame.columns]
    return pd.DataFrame(
        {
            "Column": names,
            "Read as": [meanings.get(name, "") for name in names],
            "Sure": [columns.confidence.get(name) if name in meanings else None for name in names],
            "Examples": [_examples(sheet.frame[name]) for name in names],
        }
    )


def _examples(cells: pd.Series) -> str:
    filled = cells[cells != ""].drop_duplicates().head(EXAMPLES)
    return " · ".join(filled) if len(filled) else "(empty)"
