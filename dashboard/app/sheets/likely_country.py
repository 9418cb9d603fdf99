"""Whether the numbers in a sheet belong to a country other than the chosen one. Pure."""

from __future__ import annotations

from dashboard.contacts import ContactList

HINT = r"valid_in_([A-Z]{2})"
_FEWEST_SHARE = 0.2


def likely_country(contacts: ContactList) -> tuple[str, int] | None:
    """The country in which a good part of the rows would be valid mobile numbers, and how many rows.

    None if fewer than a fifth of the rows would be, or no more than can be texted already.
    """
    repairs = contacts.rows["repairs"]
    found = repairs[repairs != ""].str.extract(HINT, expand=False).dropna().value_counts()
    if found.empty:
        return None
    country, rows = str(found.index[0]), int(found.iloc[0])
    textable = contacts.count("ok") + contacts.count("not_chosen")
    many = rows >= _FEWEST_SHARE * len(contacts.rows) and rows > textable
    return (country, rows) if many else None
