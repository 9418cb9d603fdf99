"""The checked rows of a sheet as a table to read and e-mail. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.contacts import ContactList, Sheet
from dashboard.contacts.line_types import line_type_words
from dashboard.contacts.read.column_names import side_by_side
from dashboard.contacts.words.country_names import country_name
from dashboard.words import N_, _

_VERDICTS = {
    "ok": N_("Ready"),
    "review": N_("To look at"),
    "invalid": N_("To fix"),
    "duplicate": N_("Duplicate"),
    "opted_out": N_("Opted out"),
    "empty": N_("No number"),
}


def rows_in_words(contacts: ContactList, sheet: Sheet, *, left_out: bool = False) -> pd.DataFrame:
    """Every row as it was typed, with the verdict in words.

    Args:
        contacts: The verdicts.
        sheet: The sheet they are about.
        left_out: Whether only rows are wanted that are not texted; these have no number to name.

    Returns:
        Row, the sheet's columns, Verdict and What is wrong; unless left_out, also Number, Country of the
        number, Kind of line, Same as row and Other numbers.
    """
    rows = contacts.rows.reset_index(drop=True)
    found = {
        _("Number"): rows["phone"],
        _("Country of the number"): rows["country"].astype("object").map(country_name, na_action="ignore"),
        _("Kind of line"): rows["line_type"].astype("object").map(line_type_words, na_action="ignore"),
    }
    verdict = {
        _("Verdict"): rows["status"].astype("object").map(lambda status: _(_VERDICTS[status])),
        _("What is wrong"): contacts.reasons().reset_index(drop=True),
    }
    others = {_("Same as row"): rows["duplicate_of"], _("Other numbers"): rows["other_phones"]}
    ours = verdict if left_out else found | verdict | others
    table = side_by_side(
        pd.DataFrame({_("Row"): rows["row"]}), sheet.frame.reset_index(drop=True), pd.DataFrame(ours)
    )
    return table[(rows["status"] != "ok").to_numpy()].reset_index(drop=True) if left_out else table
