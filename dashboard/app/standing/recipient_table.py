"""The messages of a campaign as a table to read and to search. Pure."""

from __future__ import annotations

from datetime import datetime

import pandas as pd

from dashboard.contacts.row_numbers import rows_in_words
from dashboard.contacts.words.country_names import country_name
from dashboard.reports.measures.stages import stage_words, stages
from dashboard.words import _


def recipient_table(
    messages: pd.DataFrame, *, now: datetime, called: pd.Series | None = None
) -> pd.DataFrame:
    """The rows of `Ledger.recipients` in words.

    Args:
        messages: The rows.
        now: The current time, which decides what is still scheduled.
        called: People's names by row of the sheet, where it has any.

    Returns:
        Row, Number, Name if anybody has one, Status, Reason, Credits, Sent, Delivered, Country and Message.
    """
    names = {code: country_name(code) for code in messages["country"].dropna().unique()}
    named = messages["row"].map({} if called is None else called.to_dict())
    beside = {_("Name"): named.astype("object").fillna("")} if named.notna().any() else {}
    return pd.DataFrame(
        {
            _("Row"): rows_in_words(messages["row"]),
            _("Number"): messages["to"],
            **beside,
            _("Status"): stages(messages, now=now).astype("str").map(stage_words),
            _("Reason"): messages["failure_reason"].astype("object").fillna(""),
            _("Credits"): messages["credits_billed"],
            _("Sent"): messages["sent_at"],
            _("Delivered"): messages["delivered_at"],
            _("Country"): messages["country"].map(names).astype("object").fillna(""),
            _("Message"): messages["body"],
        }
    )
