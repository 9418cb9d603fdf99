"""The words that stand in a column, if they are few enough to choose from. Pure."""

from __future__ import annotations

from dashboard.contacts import ContactList
from dashboard.words import count

MOST_VALUES = 100
_FIRST_ROWS = 10_000


def values_of(contacts: ContactList, column: str) -> dict[str, str] | None:
    """What stands in a column of the rows that can be texted, the most frequent first.

    Args:
        contacts: The checked list.
        column: A column of the sheet, or "country", which is the number's.

    Returns:
        By value, as people choose it: "York (12)". None if there are more than a hundred, or no such column.
    """
    ok = contacts.rows["status"].isin(["ok", "review"])
    if column in contacts.fields:
        cells = contacts.fields.loc[ok, column]
        if cells.head(_FIRST_ROWS).str.strip().nunique() > MOST_VALUES + 1:  # blank is no value
            return None
        cells = cells.str.strip()
    elif column == "country":
        cells = contacts.rows.loc[ok, "country"].astype("str")
    else:
        return None
    found = cells[cells != ""].value_counts()
    if len(found) > MOST_VALUES:
        return None
    return {str(value): f"{value} ({count(int(rows))})" for value, rows in found.items()}
