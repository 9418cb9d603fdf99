"""Estimate against bill: every message has exactly one cause, so that the sums agree."""

from __future__ import annotations

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.causes import MEANING, Cause, causes, differences
from dashboard.reports.measures.counting import SUMS, as_counts
from dashboard.reports.measures.money import estimated
from dashboard.reports.tables.grouping import GROUP, By, grouped


@checks_frames
def bills(messages: pd.DataFrame) -> pd.DataFrame:
    """Compare the estimate with the bill, message by message.

    Args:
        messages: As `Ledger.messages` gives them.

    Returns:
        The frame's uuid and index, with cause, credits_low, credits_high, credits_billed (missing where the
        service has not reported it, never 0 instead) and difference (credits billed beyond the highest
        estimate, or below the lowest; 0 within the range, missing without a bill).

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> bills(messages)["cause"].value_counts()
    """
    amounts = {
        name: messages[name].astype("Int64") for name in ("credits_low", "credits_high", "credits_billed")
    }
    return messages[["uuid"]].assign(cause=causes(messages), **amounts, difference=differences(messages))


@checks_frames
def reconcile(messages: pd.DataFrame, *, by: By | None = None) -> pd.DataFrame:
    """Compare the estimate with the bill, by cause.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: What to break it down by: a column such as "country", your own values with the frame's index, or
            several of these.

    Returns:
        One row for every cause: cause, messages, credits_low, credits_high, credits_billed, difference,
        meaning. With `by`, its columns come first, with their names and dtypes, missing where they are, and
        only causes that occur are included. Messages,
        estimate, bill and difference add up to those of `bills`, without people who were left out later: the
        estimate is of the others.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> reconcile(messages).set_index("cause")[["messages", "difference"]]
    """
    own = None if by is None else grouped(messages, by, missing=True)
    keys = ["cause"] if own is None else [GROUP, "cause"]
    counted = estimated(as_counts(messages if own is None else own.frame, [*keys, "state"]))
    table = counted.groupby(keys, observed=by is not None)[list(SUMS)].sum().reset_index()
    table = table if own is None else own.named(table)
    return table.assign(meaning=pd.Series([MEANING[Cause(cause)] for cause in table["cause"]], dtype="str"))
