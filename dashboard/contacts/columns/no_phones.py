"""What to tell a person when no column can be used as the phone without asking."""

from __future__ import annotations

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.words import _, plural

__all__ = ["why_no_phones"]


def why_no_phones(columns: ColumnMap) -> str:
    """Why no phone column was chosen, with those that a person may choose, and what to do.

    Example:
        >>> why_no_phones(ColumnMap(offered=("Coach mobile",)))[:68]
        'No column is surely the person’s own phone. “Coach mobile” looks lik'
    """
    if not columns.offered:
        return _("No column looks like phone numbers. Choose the column that holds them.")
    return plural(
        len(columns.offered),
        "No column is surely the person’s own phone. {columns} looks like phone numbers, but may be somebody "
        "else’s. Choose it if it is the number to text.",
        "No column is surely the person’s own phone. {columns} look like phone numbers, but may be somebody "
        "else’s. Choose those that are the numbers to text.",
        columns=", ".join(f"“{name}”" for name in columns.offered),
    )
