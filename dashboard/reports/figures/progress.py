"""Figures of how a campaign goes: how far messages got, when, and at which hours they get through."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports import charts
from dashboard.reports.figures.look import LINE, empty, figure
from dashboard.reports.measures.stages import Stage
from dashboard.reports.measures.standing import FEWEST
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.tables.progress import (
    WEEKDAYS,
    delivered_by_hour,
)
from dashboard.reports.tables.progress import status_over_time as counts_over_time
from dashboard.words import _, count, share, weekdays

_LAYERS = (Stage.DELIVERED, Stage.SENT, Stage.FAILED)
_HOURS = list(range(24))
_SCALE: dict[str, Any] = {"thickness": 12, "outlinewidth": 0}
_PER_STEP, _AROUND = 44, 70


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
        xaxis={"tickformat": ",", "rangemode": "tozero"},
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
    names = {Stage.DELIVERED: _("Delivered"), Stage.SENT: _("On their way"), Stage.FAILED: _("Failed")}
    traces = [
        go.Scatter(
            x=counts["time"].dt.tz_convert(tz).dt.tz_localize(None),
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
    shown = figure(traces, alt, hovermode="x unified", yaxis={"tickformat": ",", "rangemode": "tozero"})
    return shown.update_xaxes(hoverformat=f"%d %b %Y, %H:%M ({tz})", type="date", title={"text": tz})


@checks_frames
def by_hour(messages: pd.DataFrame, *, tz: str = "UTC") -> go.Figure:
    """When messages get through: the delivered share by the weekday and hour of the handing over.

    Hours with fewer than 30 accepted messages are drawn pale. The sentence names the best hour only where
    that says something about the hour: with nothing open, and more than one campaign in it.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        tz: Time zone of the hours.
    """
    hours = delivered_by_hour(messages, tz=tz)
    if hours.empty:
        return empty(_("Delivery by hour appears here once the first messages are sent."))
    enough = hours["messages"] >= FEWEST
    shown = (
        (hours[enough], {"colorscale": "Viridis", "colorbar": _SCALE | {"title": _("Delivered %")}}),
        (hours[~enough], {"colorscale": [[0, LINE], [1, LINE]], "showscale": False}),
    )
    return figure(
        [_cells(some, look) for some, look in shown if len(some)],
        _said(hours, tz),
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
        xaxis={"type": "category", "tickvals": [f"{h:02d}:00" for h in range(0, 24, 3)], "showgrid": False},
    )


def _cells(hours: pd.DataFrame, look: dict[str, Any]) -> go.Heatmap:
    """The hours as a map of the whole week, scaled to the shares there are."""

    def week(values: pd.Series) -> pd.DataFrame:
        cells = hours.assign(value=values).pivot_table(
            index="weekday", columns="hour", values="value", observed=True
        )
        return cells.reindex(index=list(WEEKDAYS), columns=_HOURS)

    return go.Heatmap(
        z=week(hours["share"]) * 100,
        customdata=np.dstack([week(hours["messages"]), week(hours["open"])]),
        x=[f"{hour:02d}:00" for hour in _HOURS],
        y=weekdays(),
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate=_("%{y} %{x}: %{z:.1f} % of %{customdata[0]:,} delivered, %{customdata[1]:,} open")
        + "<extra></extra>",
        **look,
    )


def _said(hours: pd.DataFrame, tz: str) -> str:
    counted = _(
        "Share of the accepted messages delivered, by weekday and hour of handing over ({zone})."
    ).format(zone=tz)
    sound = hours[(hours["messages"] >= FEWEST) & (hours["open"] == 0) & (hours["campaigns"] > 1)]
    if len(sound) <= 1:
        return counted
    best = sound.iloc[int(sound["share"].argmax())]
    highest = _("Highest on {day} at {hour} with {share} of {messages}.").format(
        day=weekdays()[list(WEEKDAYS).index(best["weekday"])],
        hour=f"{best['hour']:02d}:00",
        share=share(round(best["share"], 2)),
        messages=count(best["messages"]),
    )
    return f"{counted} {highest}"
