"""COURSE: when messages were sent, delivered and failed, counted by short spans of time."""

from __future__ import annotations

from datetime import timedelta

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.counting import are_added_up
from dashboard.reports.measures.stages import QUARTER, Stage, stages, times

EVENTS = (Stage.SENT.value, Stage.FAILED.value, Stage.DELIVERED.value)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_AT_FIRST, _LATER = timedelta(seconds=10), timedelta(minutes=1)


@checks_frames
def course(
    messages: pd.DataFrame, *, events: pd.DataFrame | None = None, campaigns: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Count when messages were sent, delivered and failed: when it happened, not when it was seen.

    The service gives no time for a failure, so a message counts as failed from when that was first heard: its
    `failed_at`, or else as the events say, or else from when it was sent.

    Args:
        messages: As `Ledger.messages` gives them.
        events: As `Ledger.events` gives them, of the same messages; for messages without `failed_at`.
        campaigns: As `Ledger.campaigns` gives them, for when each started; the first event if absent.

    Returns:
        COURSE: campaign, event ("sent", "failed", "delivered"), at (UTC: when the span begins, of 10 s in the
        first hour after the campaign started, 1 min on the first day, 15 min later) and messages. All that
        was delivered or failed was sent.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> course(messages).groupby("event", observed=True)["messages"].sum()["delivered"]
    """
    delivered, failed = _delivered_at(messages), _failed_at(messages, events)
    left = _left_at(messages).fillna(delivered).fillna(failed)
    happened = {Stage.SENT: left, Stage.FAILED: failed, Stage.DELIVERED: delivered}
    campaign = messages["campaign"] if "campaign" in messages else pd.Series("", messages.index)
    each = [
        pd.DataFrame({"campaign": campaign.astype("str"), "event": event.value, "at": at}).loc[at.notna()]
        for event, at in happened.items()
    ]
    moments = pd.concat(each, ignore_index=True)
    at = _spans(moments, campaigns)
    keys = moments[["campaign", "event"]].assign(at=at)
    counted = keys.groupby(["campaign", "event", "at"]).size().rename("messages").reset_index()
    return counted.astype({"campaign": "str", "event": "str", "messages": "int64"})


def as_course(frame: pd.DataFrame, events: pd.DataFrame | None = None) -> pd.DataFrame:
    """COURSE as it is, and messages counted by when things happened to them."""
    return frame if are_added_up(frame, "event") else course(frame, events=events)


def _spans(moments: pd.DataFrame, campaigns: pd.DataFrame | None) -> pd.Series:
    """The beginning of each moment's span, aligned to the clock; the ledger knows moments to 10 s."""
    at = moments["at"].dt.as_unit("us").dt.floor(_AT_FIRST)
    began = at.groupby(moments["campaign"]).transform("min")
    if campaigns is not None:
        started = campaigns.set_index(campaigns["campaign"].astype("str"))["started_at"]
        began = moments["campaign"].map(started)
    since = at - began
    spans: pd.Series = at.dt.floor(QUARTER)
    spans = spans.mask(since < _DAY, at.dt.floor(_LATER))
    return spans.mask(since < _HOUR, at)


def _left_at(messages: pd.DataFrame) -> pd.Series:
    """When it left the service, for messages about which nothing else may be known."""
    gone = stages(messages).isin([Stage.SENT, Stage.FAILED, Stage.DELIVERED])
    return times(messages, "sent_at").where(gone)


def _delivered_at(messages: pd.DataFrame) -> pd.Series:
    return times(messages, "delivered_at").where(stages(messages) == Stage.DELIVERED)


def _failed_at(messages: pd.DataFrame, events: pd.DataFrame | None) -> pd.Series:
    """From when on each message counts as failed; missing for those that did not."""
    since = times(messages, "sent_at")
    if events is not None:
        heard = events[events["stage"].astype("str") == Stage.FAILED]
        first = heard.groupby("uuid")["recorded_at"].min().reindex(messages["uuid"])
        since = pd.concat([since, first.set_axis(messages.index)], axis=1).max(axis=1)
    if "failed_at" in messages:
        since = times(messages, "failed_at").fillna(since)
    return since.where(stages(messages) == Stage.FAILED)
