"""A campaign in a few rows: how many messages at which stage, and why some failed."""

from __future__ import annotations

from datetime import datetime

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.tables.stages import STAGE_DTYPE, Stage, stages
from dashboard.words import N_, _

_CREDITS = ("credits_low", "credits_high", "credits_billed")
_NO_REASON = N_("no reason given")


@checks_frames
def campaign_summary(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.DataFrame:
    """Messages and credits by stage.

    Args:
        messages: As `Ledger.messages` gives them.
        now: The current time; the clock's if absent.

    Returns:
        One row for every stage, none left out, in their order: stage, messages, share (of all, 0 to 1),
        credits_low, credits_high, credits_billed. The counts add up to the messages given.
    """
    totals = _totals(messages.assign(stage=stages(messages, now=now)), ["stage"], observed=False)
    return totals.assign(share=_shares(totals["messages"], len(messages)))[
        ["stage", "messages", "share", *_CREDITS]
    ]


@checks_frames
def failure_reasons(messages: pd.DataFrame) -> pd.DataFrame:
    """Why messages failed or were rejected, most frequent first.

    Args:
        messages: As `Ledger.messages` gives them.

    Returns:
        stage (failed or rejected), reason (the service's words), messages, share (of those, 0 to 1),
        credits_billed: a message that failed after it was sent is still charged.
    """
    stage = stages(messages)
    is_lost = stage.isin([Stage.FAILED.value, Stage.REJECTED.value])
    reason = messages.loc[is_lost, "failure_reason"].astype("str").fillna(_(_NO_REASON))
    lost = messages.loc[is_lost, ["uuid", *_CREDITS]].assign(stage=stage[is_lost], reason=reason)
    totals = _totals(lost, ["stage", "reason"], observed=True)
    totals = totals.assign(share=_shares(totals["messages"], len(lost)))
    return totals.sort_values(["messages", "reason"], ascending=[False, True], ignore_index=True)[
        ["stage", "reason", "messages", "share", "credits_billed"]
    ]


@checks_frames
def breakdown(messages: pd.DataFrame, column: str) -> pd.DataFrame:
    """Messages by the values of a column, such as country or line_type, and stage.

    Args:
        messages: As `Ledger.messages` gives them; a frame without `state`, as `write_messages` makes it,
            counts as
            not sent yet.
        column: Name of the column.

    Returns:
        value (str), stage, messages; the most frequent value first, then by stage.
    """
    stage = stages(messages) if "state" in messages else pd.Series(Stage.NOT_SENT_YET.value, messages.index)
    values = messages[column].astype("str").fillna(_("not known"))
    counts = (
        pd.DataFrame({"value": values, "stage": stage.astype(STAGE_DTYPE)})
        .groupby(["value", "stage"], observed=True)
        .size()
        .rename("messages")
        .reset_index()
    )
    size = counts.groupby("value")["messages"].transform("sum")
    ordered = counts.assign(size=size).sort_values(["size", "value", "stage"], ascending=[False, True, True])
    return ordered.drop(columns="size").reset_index(drop=True)


def _totals(messages: pd.DataFrame, by: list[str], *, observed: bool) -> pd.DataFrame:
    sums = {column: (column, "sum") for column in _CREDITS}
    totals = messages.groupby(by, observed=observed).agg(messages=("uuid", "size"), **sums).reset_index()
    return totals.astype(dict.fromkeys(("messages", *_CREDITS), "int64"))


def _shares(counts: pd.Series, whole: int) -> pd.Series:
    return counts / whole if whole else counts * 0.0
