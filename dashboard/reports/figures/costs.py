"""Figures of cost: per campaign, and how credits are spread over messages."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import credits_histogram as histogram_of
from dashboard.reports.costs import cost_by_campaign as costs_of
from dashboard.reports.figures.look import TEXT, empty, figure
from dashboard.reports.palette import BLUE, SKY

_PER_CAMPAIGN = 40
_AROUND = 80
_CAMPAIGNS_SHOWN = 12


def cost_by_campaign(campaigns: pd.DataFrame) -> go.Figure:
    """Estimate (outline) and bill (filled) of the newest campaigns, in money where they have one currency."""
    costs = costs_of(campaigns).head(_CAMPAIGNS_SHOWN)
    if costs.empty:
        return empty("What each campaign costs appears here once there is one.")
    currency = _common_currency(costs)
    unit = "cost" if currency else "credits"
    kind = ",.2f" if currency else ","
    traces = [
        go.Bar(
            y=costs["campaign"],
            x=costs[f"{unit}_high"].astype("float64"),
            name="Estimate",
            orientation="h",
            marker={"color": "rgba(0, 0, 0, 0)", "line": {"color": TEXT, "width": 1.5}},
            hovertemplate=f"%{{x:{kind}}} {currency or 'credits'}",
        ),
        go.Bar(
            y=costs["campaign"],
            x=costs[f"{unit}_billed"].astype("float64"),
            name="Billed",
            orientation="h",
            marker={"color": BLUE},
            hovertemplate=f"%{{x:{kind}}} {currency or 'credits'}",
        ),
    ]
    shown = zip(costs["name"], costs[f"{unit}_billed"], costs[f"{unit}_high"], strict=True)
    said = "; ".join(f"{name} {billed:{kind}} of {high:{kind}}" for name, billed, high in shown)
    return figure(
        traces,
        f"Billed, of at most estimated, in {currency or 'credits'}: {said}.",
        barmode="overlay",
        hovermode="y unified",
        height=_AROUND + _PER_CAMPAIGN * len(costs),
        xaxis={"tickformat": ",~f", "nticks": 6, "title": {"text": currency or "credits"}},
        yaxis={
            "autorange": "reversed",
            "type": "category",
            "showgrid": False,
            "tickvals": list(costs["campaign"]),
            "ticktext": list(costs["name"]),
        },
    )


def _common_currency(costs: pd.DataFrame) -> str | None:
    """The currency, when every campaign has a price in the same one."""
    currencies = costs["currency"].unique()
    priced = costs[["cost_high", "cost_billed"]].notna().all(axis=None)
    return str(currencies[0]) if priced and len(currencies) == 1 else None


def credits_histogram(messages: pd.DataFrame) -> go.Figure:
    """How many messages cost how many credits, with the shortest and with the longest short links."""
    spread = histogram_of(messages)
    if spread.empty:
        return empty("How many credits the messages cost appears here once there are some.")
    labels = [f"{credits_} credit{'s' if credits_ != 1 else ''}" for credits_ in spread["credits"]]
    kinds = [("At most", "messages_high", BLUE)]
    if not spread["messages_low"].equals(spread["messages_high"]):
        kinds.insert(0, ("At least", "messages_low", SKY))
    traces = [
        go.Bar(
            x=labels,
            y=spread[column],
            name=name,
            marker={"color": colour},
            text=[f"{count:,}" for count in spread[column]],
            textposition="auto",
            hovertemplate="%{x}: %{y:,} messages",
        )
        for name, column, colour in kinds
    ]
    counts = zip(labels, spread["messages_high"], strict=True)
    said = ", ".join(f"{label} {count:,}" for label, count in counts)
    return figure(
        traces,
        f"Messages by credits, at most: {said}.",
        showlegend=len(kinds) > 1,
        xaxis={"type": "category", "showgrid": False},
        yaxis={"tickformat": ",", "rangemode": "tozero"},
    )
