"""The messages of a campaign as a table to read and to search. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime

import pandas as pd

from dashboard.app.pure.countries import country_name
from dashboard.reports.stages import Stage, stages


def stage_words(stage: str) -> str:
    """A stage as it stands in a table: `Not sent yet`."""
    return stage.capitalize()


STAGE_LABELS = tuple(stage_words(stage.value) for stage in Stage)


def recipient_table(messages: pd.DataFrame, *, now: datetime) -> pd.DataFrame:
    """One row per message: Row, Number, Status, Reason, Credits, Sent, Delivered, Country and Message."""
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


def present_statuses(table: pd.DataFrame) -> list[str]:
    """The statuses that occur, in the order of the stages."""
    found = set(table["Status"].unique())
    return [label for label in STAGE_LABELS if label in found]


def search_recipients(table: pd.DataFrame, wanted: str, statuses: Collection[str]) -> pd.DataFrame:
    """Rows with one of these statuses whose number holds these digits; blank and none mean all."""
    found = table[table["Status"].isin(statuses)] if statuses else table
    digits = re.sub(r"\D", "", wanted).removeprefix("0")
    return found[found["Number"].str.contains(digits, regex=False)] if digits else found
