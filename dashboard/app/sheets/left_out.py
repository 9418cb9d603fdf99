"""Why rows of a sheet get no message: the checks of the contacts and of the messages in one frame. Pure."""

from __future__ import annotations

import pandas as pd

from dashboard.campaigns import explain_message
from dashboard.contacts import ContactList
from dashboard.contacts import explain as explain_contact


def left_out(contacts: ContactList, messages: pd.DataFrame) -> pd.DataFrame:
    """Count the rows that get no message, by reason.

    Args:
        contacts: The checked sheet.
        messages: MESSAGES written for its sendable rows.

    Returns:
        rows (int64) and reason (a sentence), most frequent first; empty if everyone gets one.
    """
    skipped = contacts.rows.loc[contacts.rows["status"] != "ok", "problem"]
    counted = [(explain_contact(str(code)), rows) for code, rows in skipped.value_counts().items() if rows]
    counted += [
        (explain_message(str(code)), rows)
        for code, rows in messages["problem"].value_counts().items()
        if rows
    ]
    frame = pd.DataFrame(counted, columns=["reason", "rows"])[["rows", "reason"]].astype({"rows": "int64"})
    return frame.sort_values("rows", ascending=False, ignore_index=True)
