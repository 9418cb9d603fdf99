"""Whom to write to again after a campaign, by what became of their message; their sheet. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

import pandas as pd

from dashboard.contacts.read.column_names import side_by_side
from dashboard.reports.measures.stages import Stage, stage_words, stages, times
from dashboard.words import N_, _

COLUMNS = (
    "row",
    "to",
    "state",
    "failure_reason",
    "scheduled_at",
    "sent_at",
    "delivered_at",
    "handed_over_at",
)
"""What has to be known about the messages."""


class Group(StrEnum):
    """People of a campaign, by what became of their message."""

    NOT_REACHED = N_("Not reached: failed, rejected, or not delivered for days")
    NOT_DELIVERED = N_("Not delivered for days, and not failed either")
    FAILED = N_("Failed")
    REJECTED = N_("Rejected by the service")
    DELIVERED = N_("Delivered")


WAITING = frozenset({Group.NOT_REACHED, Group.NOT_DELIVERED})
"""Groups for which it matters how many days somebody waits for a delivery."""


class People(NamedTuple):
    """A sheet with people, and its column of the numbers to text."""

    sheet: pd.DataFrame
    phone: str


def chosen(messages: pd.DataFrame, group: Group, days: int, now: datetime) -> pd.Series:
    """Which messages went to people of this group.

    Nobody is in one whose message may have arrived without anybody knowing, or who was dropped because they
    opted out.

    Args:
        messages: As `Ledger.messages` gives them, with COLUMNS.
        group: Which people.
        days: How many days a delivery may take, from when the service had the message and its time had come.
        now: The current time.
    """
    stage = stages(messages, now=now)
    since = pd.concat([times(messages, name) for name in ("handed_over_at", "scheduled_at")], axis=1).max(
        axis=1
    )
    late = stage.isin([Stage.ACCEPTED, Stage.SENT]) & (since <= now - timedelta(days=days))
    failed, rejected = stage == Stage.FAILED, stage == Stage.REJECTED
    return {
        Group.NOT_REACHED: failed | rejected | late,
        Group.NOT_DELIVERED: late,
        Group.FAILED: failed,
        Group.REJECTED: rejected,
        Group.DELIVERED: stage == Stage.DELIVERED,
    }[group]


def people(messages: pd.DataFrame, sheet_rows: pd.DataFrame, now: datetime) -> People:
    """The people of these messages as a sheet.

    Args:
        messages: As `Ledger.messages` gives them, with COLUMNS.
        sheet_rows: As `Ledger.sheet_rows` gives them.
        now: The current time.

    Returns:
        The columns of the campaign's own sheet, then the number that was texted, what became of the message
        and why it failed; each number once.
    """
    once = messages.drop_duplicates("to")
    cells = sheet_rows.set_index("row").reindex(once["row"]).set_axis(once.index)
    ours = pd.DataFrame(
        {
            _("Number"): once["to"],
            _("Earlier status"): stages(once, now=now).astype("object").map(stage_words),
            _("Earlier reason"): once["failure_reason"].astype("object").fillna(""),
        }
    )
    sheet = side_by_side(cells, ours)
    return People(sheet, str(sheet.columns[len(cells.columns)]))
