"""A campaign's progress: how far messages got, and when."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.course import EVENTS, as_course
from dashboard.reports.measures.stages import stage_words
from dashboard.reports.measures.standing import standing
from dashboard.words import _

_POINTS = 60
_HANDED_OVER = "handed to the service"
_STEPS = {_HANDED_OVER: "handed_over", "accepted": "accepted", "sent": "sent", "delivered": "delivered"}


@checks_frames
def funnel_steps(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.DataFrame:
    """How far the messages handed over got; those not sent yet are left out.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        now: The current time; the clock's if absent.

    Returns:
        step ("handed to the service", "accepted", "sent", "delivered"), messages, fewer (than in the step
        before). What waits at the service for its time is accepted; what was given up was handed over; and
        what failed was sent, as was what was delivered, also where the service named no time.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> funnel_steps(messages)["messages"].tolist()
        [1043, 1043, 1043, 849]
    """
    stand = standing(messages, now=now)
    numbers = [stand[name] for name in _STEPS.values()]
    fewer = -np.diff(numbers, prepend=numbers[0])
    return pd.DataFrame({"step": list(_STEPS), "messages": numbers, "fewer": fewer})


def step_words(step: str) -> str:
    """A step as people read it: `Handed to the service`."""
    return _("Handed to the service") if step == _HANDED_OVER else stage_words(step)


@checks_frames
def status_over_time(
    messages: pd.DataFrame, *, events: pd.DataFrame | None = None, points: int = _POINTS
) -> pd.DataFrame:
    """How many messages were sent, delivered and failed by each time.

    Args:
        messages: As `Ledger.messages` gives them, or COURSE.
        events: As `Ledger.events` gives them, of the same messages; see `course`.
        points: How many moments, evenly spread between the first event and the last.

    Returns:
        time (UTC), and sent (on their way: sent, neither delivered nor failed yet), delivered, failed; each
        int64. Empty while nothing has been sent.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> int(status_over_time(messages)["delivered"].iloc[-1])
        849
    """
    happened = as_course(messages, events)
    at = happened["at"]
    if happened.empty:
        return pd.DataFrame(
            {"time": at, **dict.fromkeys(("sent", "delivered", "failed"), happened["messages"])}
        )
    moments = pd.date_range(at.min(), at.max(), periods=points).as_unit("us").unique()
    left, failed, delivered = (
        _count_until(happened[happened["event"] == event], moments) for event in EVENTS
    )
    return pd.DataFrame(
        {"time": moments, "sent": left - delivered - failed, "delivered": delivered, "failed": failed}
    )


def _count_until(happened: pd.DataFrame, moments: pd.DatetimeIndex) -> np.ndarray:
    ordered = happened.sort_values("at")
    sums = np.concatenate([[0], ordered["messages"].to_numpy(np.int64).cumsum()])
    return np.asarray(sums[ordered["at"].searchsorted(moments, side="right")], np.int64)
