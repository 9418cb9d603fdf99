"""Figures of what became of messages: reasons for failure, countries and line types."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.contacts.vocabulary.line_types import line_type_words
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.tables.stages import Stage, stage_words
from dashboard.reports.tables.summary import breakdown
from dashboard.reports.tables.summary import failure_reasons as reasons_of
from dashboard.words import _, count

_BARS_SHOWN = 12
_PER_BAR = 34
_AROUND = 70


@checks_frames
def failure_reasons(messages: pd.DataFrame) -> go.Figure:
    """Why messages failed or were rejected, most frequent first."""
    reasons = reasons_of(messages).head(_BARS_SHOWN)
    if reasons.empty:
        return empty(_("No messages have failed. Reasons would appear here."))
    bars = go.Bar(
        y=reasons["reason"].map(as_typed),
        x=reasons["messages"],
        orientation="h",
        marker={"color": [STAGE_COLOURS[Stage(stage)] for stage in reasons["stage"]]},
        text=[count(number) for number in reasons["messages"]],
        textposition="auto",
        customdata=reasons["credits_billed"],
        hovertemplate=_("%{y}: %{x:,} messages, %{customdata:,} credits billed anyway") + "<extra></extra>",
    )
    said = ", ".join(
        f"{reason} {count(number)}"
        for reason, number in zip(reasons["reason"], reasons["messages"], strict=True)
    )
    return figure(
        [bars], _("Reasons for failure: {counts}.").format(counts=said), **_horizontal(len(reasons))
    )


@checks_frames
def by_country(messages: pd.DataFrame) -> go.Figure:
    """Messages by country and stage."""
    nothing = _("Messages by country appear here once there are some.")
    return _by(messages, "country", nothing, _("Messages by country: {counts}."))


@checks_frames
def by_line_type(messages: pd.DataFrame) -> go.Figure:
    """Messages by line type and stage."""
    nothing = _("Messages by line type appear here once there are some.")
    return _by(messages, "line_type", nothing, _("Messages by line type: {counts}."))


def _by(messages: pd.DataFrame, column: str, nothing: str, sentence: str) -> go.Figure:
    counts = breakdown(messages, column)
    if counts.empty:
        return empty(nothing)
    values = list(counts["value"].unique())[:_BARS_SHOWN]
    counts = counts[counts["value"].isin(values)]
    traces = [
        go.Bar(
            y=[_words(value) for value in part["value"]],
            x=part["messages"],
            name=stage_words(str(stage)),
            orientation="h",
            marker={"color": STAGE_COLOURS[Stage(str(stage))]},
            hovertemplate="%{y}: %{x:,}",
        )
        for stage, part in counts.groupby("stage", observed=True)
    ]
    totals = counts.groupby("value", sort=False)["messages"].sum()
    said = ", ".join(f"{_words(value)} {count(number)}" for value, number in totals.items())
    order = {"categoryorder": "array", "categoryarray": [_words(value) for value in values]}
    layout = _horizontal(len(values), **order)
    return figure(traces, sentence.format(counts=said), barmode="stack", **layout)


def _words(value: object) -> str:
    """A line type as people write it; a country's two letters stay."""
    text = str(value)
    return line_type_words(text) if len(text) > len("GB") else text


def _horizontal(bars: int, **yaxis: object) -> dict[str, object]:
    return {
        "height": _AROUND + _PER_BAR * bars,
        "hovermode": "closest",
        "xaxis": {"tickformat": ",", "rangemode": "tozero"},
        "yaxis": {"autorange": "reversed", "type": "category", "showgrid": False, **yaxis},
    }
