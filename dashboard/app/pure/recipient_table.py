"""The messages of a campaign as a table to read and to search. Pure."""

from __future__ import annotations

import re
from datetime import datetime

import pandas as pd

from dashboard.app.pure.countries import country_name
from dashboard.reports.stages import stages


def stage_words(stage: str) -> str:
    """A stage as it stands in a table: `Not sent yet`."""
    return stage.capitalize()


def recipient_table(messages: pd.DataFrame, *, now: datetime) -> pd.DataFrame:
    """Rows of `Ledger.recipients` in words.

    Returns:
        Row, Number, Status, Reason, Credits, Sent, Delivered, Country and Message.
    """
    names = {code: country_name(code) for code in messages["country"].dropna().unique()}
    return pd.DataFrame(
        {
            "Row": messages["row"],
            "Number": messages["to"],
            "Status": stages(messages, now=now).astype("str").map(stage_words),
            "Reason": messages["failure_reason"].astype("object").fillna(""),
            "Credits": messages["credits_billed"],
            "Sent": messages["sent_at"],
            "Delivered": messages["delivered_at"],
            "Country": messages["country"].map(names).astype("object").fillna(""),
            "Message": messages["body"],
        }
    )


def digits_of(wanted: str) -> str:
    """The digits of what somebody looks for, as they stand in a number in E.164: without a leading 0."""
    return re.sub(r"\D", "", wanted).removeprefix("0")
