"""How soon messages are delivered, with those that failed counted as what they are: never delivered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.errors import OptionError
from dashboard.reports.measures.incidence import DELIVERED, FAILED, OPEN, incidence
from dashboard.reports.measures.shares import CONFIDENCE
from dashboard.reports.measures.stages import stages, times
from dashboard.reports.tables.grouping import GROUP, By, grouped
from dashboard.words import _

_WITHIN = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 360, 1440, 4320))
_REACHED = {"sent": OPEN, "delivered": DELIVERED, "failed": FAILED}


@checks_frames
def time_to_delivery(
    messages: pd.DataFrame,
    by: By | None = None,
    *,
    within: Sequence[timedelta] = _WITHIN,
    confidence: float = CONFIDENCE,
    now: datetime | None = None,
) -> pd.DataFrame:
    """The share of sent messages delivered within a minute, an hour, a day …, though some still may be.

    The estimator of Aalen and Johansen: messages that are open count for as long as they have waited, and
    those that failed are never delivered (`measures/incidence.py`). Time runs from `sent_at` to
    `delivered_at`, both of the service's clock; a failure has no time in the contract, so it counts from when
    it was first heard of. Each message counts by itself: where people got several, intervals are too narrow.

    Args:
        messages: As `Ledger.messages` gives them; only those that have a `sent_at` are counted.
        by: What to break it down by: a column, your own values with the frame's index, or several of these.
        within: The times asked for.
        confidence: Of the intervals.
        now: How long open messages have waited by; the clock's if absent.

    Returns:
        One row for each group and time: what was given in `by`, with its names and dtypes; within
        (timedelta), at_risk (messages that had waited so long, with no end before), delivered (0 to 1), low
        and high (its interval), failed (0 to 1).

    Raises:
        FrameError: Columns are missing.
        OptionError: A time is negative or longer than a century, or the confidence is not between 0 and 1.

    Example:
        >>> time_to_delivery(ledger.messages(), "country", within=[timedelta(minutes=5)])
    """
    if not len(within):
        raise OptionError(_("Give within at least one length of time, such as timedelta(minutes=5)."))
    own = grouped(messages, by)
    sent = own.frame[times(own.frame, "sent_at").notna()]
    waits = _waits(sent, now or datetime.now(UTC))
    asked = np.array([each.total_seconds() for each in within])
    tables = [
        pd.DataFrame({GROUP: group, "within": _spans(asked), **vars(found)})
        for group, each in waits.groupby(sent[GROUP])
        for found in [incidence(each["waited"].to_numpy(), each["ended"].to_numpy(), asked, confidence)]
    ]
    return own.named(pd.concat(tables) if tables else _nothing())


def _spans(seconds: np.ndarray) -> pd.TimedeltaIndex:
    return pd.to_timedelta(seconds, unit="s").as_unit("us")


def _nothing() -> pd.DataFrame:
    empty = incidence(np.empty(0), np.empty(0, np.int8), np.empty(0), CONFIDENCE)
    none = np.empty(0, np.int64)
    return pd.DataFrame({GROUP: none, "within": _spans(none), **vars(empty)})


def _waits(sent: pd.DataFrame, now: datetime) -> pd.DataFrame:
    """How long each waited, in seconds, and what ended it; clocks that differ make no negative times."""
    ended = stages(sent, now=now).astype("str").map(_REACHED).fillna(OPEN).astype("int8")
    until = pd.Series(pd.Timestamp(now), sent.index).dt.as_unit("us").dt.tz_convert("UTC")
    for kind, column in ((DELIVERED, "delivered_at"), (FAILED, "failed_at")):
        happened = times(sent, column)
        until = until.mask((ended == kind) & happened.notna(), happened)
    waited = (until - times(sent, "sent_at")).dt.total_seconds().clip(lower=0)
    return pd.DataFrame({"waited": waited, "ended": ended})
