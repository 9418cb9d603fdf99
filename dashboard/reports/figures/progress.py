"""Figures of how a campaign goes: how far messages got, when, and at which hours they get through."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.formatting import percent
from dashboard.reports import charts
from dashboard.reports.figures.look import empty, figure
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.tables.progress import (
    WEEKDAYS,
    delivered_by_hour,
    share_by_hour,
)
from dashboard.reports.tables.progress import status_over_time as counts_over_time
from dashboard.reports.tables.stages import Stage
from dashboard.words import _, count, share, weekdays

_LAYERS = (Stage.DELIVERED, Stage.SENT, Stage.FAILED)
_HOURS = list(range(24))
_PER_STEP, _AROUND = 44, 70


@checks_frames
def funnel(messages: pd.DataFrame, *, now: datetime | None = None) -> go.Figure:
    """How far messages got: handed to the service, accepted, sent, delivered; only those that were tried."""
    steps = charts.funnel(messages, now=now)
    if not steps["messages"].any():
        return empty(_("Progress appears here once the first messages are sent."))
    counts = list(zip(steps["label"], steps["messages"], steps["share"], strict=True))
    bars = go.Bar(
        y=steps["label"],
        x=steps["messages"],
        orientation="h",
        marker={"color": steps["colour"]},
        text=[f"{count(number)} · {percent(share_, 1)}" for _label, number, share_ in counts],
        textposition="auto",
        hovertemplate="%{y}: %{x:,}<extra></extra>",
    )
    said = ", ".join(f"{count(number)} {label.lower()}" for label, number, _share in counts)
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
    return shown.update_xaxes(hoverformat=f"%d %b %Y, %H:%M ({tz})", type="date")


@checks_frames
def by_hour(messages: pd.DataFrame, *, tz: str = "UTC") -> go.Figure:
    """When messages get through: the share delivered by weekday and hour of sending."""
    return _hours(delivered_by_hour(messages, tz=tz), tz)


@checks_frames
def by_counted_hour(counts: pd.DataFrame, *, tz: str = "UTC") -> go.Figure:
    """The same from `Ledger.hours`, which counts in the database."""
    return _hours(share_by_hour(counts, tz=tz), tz)


def _hours(hours: pd.DataFrame, tz: str) -> go.Figure:
    if hours.empty:
        return empty(_("Delivery by hour appears here once the first messages are sent."))
    days, names = list(WEEKDAYS), weekdays()
    shares = hours.pivot_table(index="weekday", columns="hour", values="share", observed=True)
    sizes = hours.pivot_table(index="weekday", columns="hour", values="messages", observed=True)
    cells = go.Heatmap(
        z=shares.reindex(index=days, columns=_HOURS) * 100,
        customdata=sizes.reindex(index=days, columns=_HOURS),
        x=[f"{hour:02d}:00" for hour in _HOURS],
        y=names,
        colorscale="Viridis",
        zmin=0,
        zmax=100,
        xgap=1,
        ygap=1,
        hoverongaps=False,
        colorbar={"title": _("Delivered %"), "thickness": 12, "outlinewidth": 0},
        hovertemplate=_("%{y} %{x}: %{z:.1f} % of %{customdata:,} delivered") + "<extra></extra>",
    )
    best = hours.iloc[int(hours["share"].argmax())]
    alt = _(
        "Share of messages delivered by weekday and hour of sending ({zone}). Highest on {day} at {hour} "
        "with {share}."
    ).format(
        zone=tz,
        day=names[days.index(best["weekday"])],
        hour=f"{best['hour']:02d}:00",
        share=share(round(best["share"], 2)),
    )
    return figure(
        [cells],
        alt,
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
        xaxis={"type": "category", "tickvals": [f"{h:02d}:00" for h in range(0, 24, 3)], "showgrid": False},
    )
