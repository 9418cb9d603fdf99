"""A campaign in a few rows: how many messages at which stage, and why some failed."""

from __future__ import annotations

from datetime import datetime

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.counting import LOST, as_counts
from dashboard.reports.tables.grouping import GROUP, By, grouped
from dashboard.words import N_, _

_CREDITS = ["credits_low", "credits_high", "credits_billed"]
_NO_REASON = N_("no reason given")


@checks_frames
def campaign_summary(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.DataFrame:
    """Messages and credits by stage.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        now: The current time; the clock's if absent.

    Returns:
        One row for every stage, none left out, in their order: stage, messages, share (of all, 0 to 1),
        credits_low, credits_high, credits_billed. The counts add up to the messages given.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> campaign_summary(messages).set_index("stage").loc["delivered", "messages"]
    """
    counted = as_counts(messages, ["stage"], now=now)
    totals = counted.groupby("stage", observed=False)[["messages", *_CREDITS]].sum().reset_index()
    totals.insert(2, "share", _shares(totals["messages"]))
    return totals


@checks_frames
def failure_reasons(messages: pd.DataFrame, *, by: By | None = None) -> pd.DataFrame:
    """Why messages failed or were rejected, most frequent first.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: What to break it down by: a column such as "country", your own values with the frame's index, or
            several of these.

    Returns:
        stage (failed or rejected), reason (the service's words), messages, share (of those, 0 to 1),
        credits_billed: a message that failed after it was sent is still charged. With `by`, its columns come
        first, with their names and dtypes, and shares are of each group's.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> failure_reasons(messages, by=["campaign_name", "country"])[["country", "reason", "messages"]]
    """
    own = grouped(messages, by, missing=True)
    counted = as_counts(own.frame, [GROUP, "stage", "reason"])
    lost = counted[counted["stage"].isin(LOST)]
    lost = lost.assign(reason=lost["reason"].fillna(_(_NO_REASON)))
    keys = [GROUP, "stage", "reason"]
    totals = lost.groupby(keys, observed=True)[["messages", "credits_billed"]].sum().reset_index()
    whole = totals.groupby(GROUP)["messages"].transform("sum")
    totals.insert(4, "share", totals["messages"] / whole)
    order = [GROUP, "messages", "reason"]
    return own.named(totals.sort_values(order, ascending=[True, False, True]))


@checks_frames
def breakdown(messages: pd.DataFrame, column: str) -> pd.DataFrame:
    """Messages by the values of a column, such as country or line_type, and stage.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS; a frame without `state`, as `write_messages`
            makes it, counts as not sent yet.
        column: Name of the column.

    Returns:
        value (str), stage, messages; the most frequent value first, then by stage.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> breakdown(messages, "country")
    """
    counted = as_counts(messages, [column, "stage"])
    values = counted[column].astype("str").fillna(_("not known")).rename("value")
    counts = counted.groupby([values, "stage"], observed=True)[["messages"]].sum().reset_index()
    size = counts.groupby("value")["messages"].transform("sum")
    ordered = counts.assign(size=size).sort_values(["size", "value", "stage"], ascending=[False, True, True])
    return ordered.drop(columns="size").reset_index(drop=True)


def _shares(counts: pd.Series) -> pd.Series:
    whole = int(counts.sum())
    return counts / whole if whole else counts * 0.0
