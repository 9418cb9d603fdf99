"""What each column of a sheet holds and how it is read, as one small frame to look at. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts import ColumnMap, Sheet
from dashboard.contacts.columns.labels import all_labels
from dashboard.contacts.columns.rules import ROLES
from dashboard.words import N_, _

EXAMPLES = 3
_MEANINGS = {
    "country": N_("Country"),
    "first_name": N_("First name"),
    "last_name": N_("Last name"),
    "full_name": N_("Name"),
    "email": N_("E-mail"),
    "timezone": N_("Time zone"),
    "language": N_("Language"),
}


def column_overview(sheet: Sheet, columns: ColumnMap) -> pd.DataFrame:
    """Describe the columns of a sheet.

    Returns:
        One row per column of the sheet: Column, Examples (a few different values), Read as ("" if it is only
        a merge field) and Certainty (0 to 1, missing if nothing was guessed).
    """
    meanings = {column: _(_MEANINGS[field]) for field, column in columns.fields.items()}
    meanings |= {column: _(ROLES[role]) for column, role in columns.roles.items() if role in ROLES}
    meanings |= dict.fromkeys(columns.offered, _("Looks like phone numbers, not used"))
    meanings |= dict.fromkeys(columns.answers, _("Answered above"))
    meanings |= dict.fromkeys([question.column for question in columns.questions], _("Asked above"))
    many = len(columns.phones) > 1
    for place, column in enumerate(columns.phones, 1):
        meanings[column] = _("Phone, choice {place}").format(place=place) if many else _("Phone")
    names = [str(name) for name in sheet.frame.columns]
    labels = all_labels(names, columns.phones)
    meanings = dict.fromkeys(labels, _("Whose phone it is, and of what kind")) | meanings
    return pd.DataFrame(
        {
            _("Column"): names,
            _("Read as"): [meanings.get(name, "") for name in names],
            _("Certainty"): [columns.confidence.get(name) if name in meanings else None for name in names],
            _("Examples"): [_examples(sheet.frame[name]) for name in names],
        }
    )


def _examples(cells: pd.Series) -> str:
    filled = cells[cells != ""].drop_duplicates().head(EXAMPLES)
    return " · ".join(filled) if len(filled) else _("(empty)")
