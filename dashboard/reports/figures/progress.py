"""Figures of how a campaign goes: how far messages got, and when."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports import charts
from dashboard.reports.figures.look import empty, figure
from dashboard.reports.figures.times import time_axis
from dashboard.reports.measures.stages import Stage
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.tables.one_campaign.progress import status_over_time as counts_over_time
from dashboard.words import _, count

_LAYERS = (Stage.DELIVERED, Stage.SENT, Stage.FAILED)
_PER_STEP, _AROUND = 44, 90


@checks_frames
def funnel(messages: pd.DataFrame, *, now: datetime | None = None) -> go.Figure:
    """How far messages got: handed to the service, accepted, sent, delivered; only those that were tried."""
    steps = charts.funnel(messages, now=now)
    if not steps["messages"].any():
        return empty(_("Progress appears here once the first messages are sent."))
    counts = list(zip(steps["label"], steps["messages"], steps["fewer"], strict=True))
    bars = go.Bar(
        y=steps["label"],
        x=steps["messages"],
        orientation="h",
        marker={"color": steps["colour"]},
        text=[
            " · ".join(filter(None, (count(number), charts.lost_words(fewer))))
            for _label, number, fewer in counts
        ],
        textposition="auto",
        hovertemplate="%{y}: %{x:,}<extra></extra>",
    )
    said = ", ".join(f"{count(number)} {label.lower()}" for label, number, _fewer in counts)
    return figure(
        [bars],
        _("How far the messages got: {steps}.").format(steps=said),
        height=_AROUND + _PER_STEP * len(counts),
        xaxis={"tickformat": ",", "rangemode": "tozero", "title": {"text": _("messages")}},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
    )


@checks_frames
def status_over_time(
    messages: pd.DataFrame, *, events: pd.DataFrame | None = None, tz: str = "UTC"
) -> go.Figure:
    """Messages delivered, on their way and failed, by a time zone's clock; failures as the events say."""
    return counted_over_time(counts_over_time(messages, events=events), tz=tz)


@checks_frames
def counted_over_time(counts: pd.DataFrame, *, tz: str = "UTC") -> go.Figure:
    """The same from `reports.status_over_time`, for callers that keep the counts."""
    if counts.empty:
        return empty(_("The campaign's progress over time appears here once the first messages are sent."))
    times, along = time_axis(counts["time"], tz)
    names = {Stage.DELIVERED: _("Delivered"), Stage.SENT: _("On their way"), Stage.FAILED: _("Failed")}
    traces = [
        go.Scatter(
            x=times,
            y=counts[stage.value],
            name=names[stage],
            stackgroup="messages",
            mode="lines",
            line={"width": 0.6, "color": STAGE_COLOURS[stage]},
            hovertemplate="%{y:,}",
        )
        for stage in _LAYERS
    ]
    last = counts.iloc[-1]
    alt = _(
        "Messages over time. At the end {delivered} were delivered, {sent} on their way and {failed} failed."
    ).format(**{layer.value: count(last[layer.value]) for layer in _LAYERS})
    upright = {"tickformat": ",", "rangemode": "tozero", "title": {"text": _("messages")}}
    return figure(traces, alt, hovermode="x unified", yaxis=upright, xaxis=along)
