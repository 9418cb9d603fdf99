"""Figures of what became of messages: reasons for failure, countries and line types."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.reports.figures.look import empty, figure
from dashboard.reports.palette import STAGE_COLOURS
from dashboard.reports.stages import Stage
from dashboard.reports.summary import breakdown
from dashboard.reports.summary import failure_reasons as reasons_of

_BARS_SHOWN = 12
_PER_BAR = 34
_AROUND = 70


def failure_reasons(messages: pd.DataFrame) -> go.Figure:
    """Why messages failed or were rejected, most frequent first."""
    reasons = reasons_of(messages).head(_BARS_SHOWN)
    if reasons.empty:
        return empty("No message has failed. Reasons would appear here.")
    bars = go.Bar(
        y=reasons["reason"],
        x=reasons["messages"],
        orientation="h",
        marker={"color": [STAGE_COLOURS[Stage(stage)] for stage in reasons["stage"]]},
        text=[f"{count:,}" for count in reasons["messages"]],
        textposition="auto",
        customdata=reasons["credits_billed"],
        hovertemplate="%{y}: %{x:,} messages, %{customdata:,} credits billed all the same<extra></extra>",
    )
    said = ", ".join(f"{row.reason} {row.messages:,}" for row in reasons.itertuples())
    return figure([bars], f"Reasons for failure: {said}.", **_horizontal(len(reasons)))


def by_country(messages: pd.DataFrame) -> go.Figure:
    """Messages by country and stage."""
    return _by(messages, "country", "country")


def by_line_type(messages: pd.DataFrame) -> go.Figure:
    """Messages by kind of line and stage."""
    return _by(messages, "line_type", "kind of line")


def _by(messages: pd.DataFrame, column: str, noun: str) -> go.Figure:
    counts = breakdown(messages, column)
    if counts.empty:
        return empty(f"Messages by {noun} appear here once there are some.")
    values = list(counts["value"].unique())[:_BARS_SHOWN]
    counts = counts[counts["value"].isin(values)]
    traces = [
        go.Bar(
            y=[_words(value) for value in part["value"]],
            x=part["messages"],
            name=str(stage).capitalize(),
            orientation="h",
            marker={"color": STAGE_COLOURS[Stage(str(stage))]},
            hovertemplate="%{y}: %{x:,}",
        )
        for stage, part in counts.groupby("stage", observed=True)
    ]
    totals = counts.groupby("value", sort=False)["messages"].sum()
    said = ", ".join(f"{_words(value)} {count:,}" for value, count in totals.items())
    order = {"categoryorder": "array", "categoryarray": [_words(value) for value in values]}
    layout = _horizontal(len(values), **order)
    return figure(traces, f"Messages by {noun}: {said}.", barmode="stack", **layout)


def _words(value: object) -> str:
    """A line type as people write it; a country's two letters stay."""
    text = str(value)
    return text.replace("_", " ").capitalize() if len(text) > len("GB") else text


def _horizontal(bars: int, **yaxis: object) -> dict[str, object]:
    return {
        "height": _AROUND + _PER_BAR * bars,
        "hovermode": "closest",
        "xaxis": {"tickformat": ",", "rangemode": "tozero"},
        "yaxis": {"autorange": "reversed", "type": "category", "showgrid": False, **yaxis},
    }
