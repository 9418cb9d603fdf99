"""A campaign's progress: how far messages got, when, and at which hours they get through."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.tables.stages import HANDED_OVER, Stage, stage_words, stages, times
from dashboard.words import _

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_POINTS = 60
_HANDED_OVER = "handed to the service"


@checks_frames
def funnel_steps(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.DataFrame:
    """How far the messages handed over got; those not sent yet are left out.

    Returns:
        step ("handed to the service", "accepted", "sent", "delivered"), messages, share (of the first, 0 to
        1). What waits at the service for its time is accepted; what was given up was handed over; and what
        failed was sent, as was what was delivered, also where the service named no time.
    """
    state, stage = messages["state"].astype("str"), stages(messages, now=now)
    accepted = state == "accepted"
    delivered = stage == Stage.DELIVERED
    left = [Stage.SENT.value, Stage.DELIVERED.value, Stage.FAILED.value]
    steps = {
        _HANDED_OVER: state.isin(HANDED_OVER),
        "accepted": accepted,
        "sent": accepted & stage.isin(left),
        "delivered": accepted & delivered,
    }
    counts = np.array([int(mask.sum()) for mask in steps.values()])
    return pd.DataFrame(
        {"step": list(steps), "messages": counts, "share": counts / max(counts[0], 1)},
    )


def step_words(step: str) -> str:
    """A step as people read it: `Handed to the service`."""
    return _("Handed to the service") if step == _HANDED_OVER else stage_words(step)


@checks_frames
def status_over_time(
    messages: pd.DataFrame, *, events: pd.DataFrame | None = None, points: int = _POINTS
) -> pd.DataFrame:
    """How many messages were sent, delivered and failed by each time: when it happened, not when it was seen.

    The service gives no time for a failure, so a message counts as failed from when that was first heard,
    according to the events. Without events it counts from when it was sent; without that time either, it is
    left out.

    Args:
        messages: As `Ledger.messages` gives them.
        events: As `Ledger.events` gives them, of the same messages.
        points: How many moments, evenly spread between the first event and the last.

    Returns:
        time (UTC), and sent (on their way: sent, neither delivered nor failed yet), delivered, failed; each
        int64. Empty while nothing has been sent.
    """
    sent_at, delivered_at = times(messages, "sent_at"), times(messages, "delivered_at")
    failed_at = _failed_at(messages, events)
    happened = pd.concat([sent_at, delivered_at, failed_at]).dropna()
    if happened.empty:
        return pd.DataFrame({"time": happened, "sent": [], "delivered": [], "failed": []}).astype(
            {"sent": "int64", "delivered": "int64", "failed": "int64"}
        )
    moments = pd.date_range(happened.min(), happened.max(), periods=points).as_unit("us").unique()
    left = _count_until(sent_at.fillna(delivered_at).fillna(failed_at), moments)
    delivered = _count_until(delivered_at, moments)
    lost = _count_until(failed_at, moments)
    return pd.DataFrame(
        {"time": moments, "sent": left - delivered - lost, "delivered": delivered, "failed": lost}
    )


@checks_frames
def delivered_by_hour(messages: pd.DataFrame, *, tz: str = "UTC") -> pd.DataFrame:
    """The share of messages that were delivered, by the weekday and hour they were sent at.

    Args:
        messages: As `Ledger.messages` gives them, of one campaign or of many together.
        tz: Time zone of the hours, such as "Europe/Berlin".

    Returns:
        weekday ("Mon" …), hour (0 to 23), messages (sent then), share (delivered of those, 0 to 1). Only
        hours in which something was sent.
    """
    sent_at = times(messages, "sent_at")
    sent = sent_at.notna()
    delivered = (stages(messages)[sent] == Stage.DELIVERED).astype("int64")
    return share_by_hour(pd.DataFrame({"at": sent_at[sent], "sent": 1, "delivered": delivered}), tz=tz)


@checks_frames
def share_by_hour(counts: pd.DataFrame, *, tz: str = "UTC") -> pd.DataFrame:
    """The same of messages that were counted already.

    Args:
        counts: As `Ledger.hours` gives them.
        tz: Time zone of the hours.
    """
    local = counts["at"].dt.tz_convert(tz)
    weekday = pd.Categorical.from_codes(local.dt.day_of_week.to_numpy(), pd.Index(WEEKDAYS), ordered=True)
    each = pd.DataFrame({"weekday": weekday, "hour": local.dt.hour.to_numpy("int64")})
    each = each.assign(messages=counts["sent"].to_numpy("int64"), share=counts["delivered"].to_numpy("int64"))
    hours = each.groupby(["weekday", "hour"], observed=True).sum().reset_index()
    return hours.assign(share=hours["share"] / hours["messages"])


def _failed_at(messages: pd.DataFrame, events: pd.DataFrame | None) -> pd.Series:
    """From when on each message counts as failed; missing of those that did not."""
    since = times(messages, "sent_at")
    if events is not None:
        heard = events[events["stage"].astype("str") == Stage.FAILED]
        first = heard.groupby("uuid")["recorded_at"].min().reindex(messages["uuid"])
        since = pd.concat([since, first.set_axis(messages.index)], axis=1).max(axis=1)
    return since.where(stages(messages) == Stage.FAILED)


def _count_until(moments_of_events: pd.Series, moments: pd.DatetimeIndex) -> np.ndarray:
    ordered = moments_of_events.dropna().dt.as_unit("us").sort_values()
    return np.asarray(ordered.searchsorted(moments, side="right"), np.int64)
