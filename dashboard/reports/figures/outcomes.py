"""Figures of what became of messages: reasons for failure, countries and line types."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports import charts
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.measures.stages import Stage, stage_words
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.words import _, count

_BARS_SHOWN = 12
_PER_BAR = 34
_AROUND = 90


@checks_frames
def failure_reasons(messages: pd.DataFrame) -> go.Figure:
    """Why messages failed or were rejected, most frequent first."""
    bars = charts.reasons(messages)
    if bars.empty:
        return empty(_("No messages have failed. Reasons would appear here."))
    billed = _("%{y}: %{x:,} messages, %{customdata:,} credits billed anyway")
    return _stacked(bars, _("Reasons for failure: {counts}."), f"{billed}<extra></extra>")


@checks_frames
def by_country(messages: pd.DataFrame) -> go.Figure:
    """Messages by country and stage."""
    bars = charts.countries(messages)
    if bars.empty:
        return empty(_("Messages by country appear here once there are some."))
    return _stacked(bars, _("Messages by country: {counts}."))


@checks_frames
def by_line_type(messages: pd.DataFrame) -> go.Figure:
    """Messages by line type and stage."""
    bars = charts.line_types(messages)
    if bars.empty:
        return empty(_("Messages by line type appear here once there are some."))
    return _stacked(bars, _("Messages by line type: {counts}."))


def _stacked(bars: pd.DataFrame, sentence: str, hover: str = "%{y}: %{x:,}") -> go.Figure:
    """A bar for each label, made of its stages."""
    shown = charts.by_label(bars, most=_BARS_SHOWN)
    traces = [
        go.Bar(
            y=part["label"].map(as_typed),
            x=part["messages"],
            name=stage_words(str(stage)),
            orientation="h",
            marker={"color": STAGE_COLOURS[Stage(str(stage))]},
            text=part["messages"].map(count) if "credits_billed" in part else None,
            textposition="auto",
            customdata=part.get("credits_billed"),
            hovertemplate=hover,
        )
        for stage, part in shown.groupby("stage", observed=True)
    ]
    totals = charts.totals(shown)
    said = ", ".join(f"{label} {count(number)}" for label, number in totals)
    return figure(
        traces,
        sentence.format(counts=said),
        barmode="stack",
        height=_AROUND + _PER_BAR * len(totals),
        xaxis={"tickformat": ",", "title": {"text": _("messages")}},
        yaxis={
            "autorange": "reversed",
            "type": "category",
            "showgrid": False,
            "categoryorder": "array",
            "categoryarray": [as_typed(label) for label, _number in totals],
        },
    )
