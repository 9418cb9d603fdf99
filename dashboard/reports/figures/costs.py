"""Figures of cost: per campaign, from estimate to bill, and how credits are spread over messages."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import credits_histogram as histogram_of
from dashboard.reports.costs import cost_by_campaign as costs_of
from dashboard.reports.figures.look import LINE, TEXT, empty, figure
from dashboard.reports.palette import BLUE, GREEN, ORANGE, SKY

_PER_CAMPAIGN, _PER_STEP = 40, 48
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


def estimate_to_bill(causes: pd.DataFrame) -> go.Figure:
    """From the highest estimate to the bill, in credits: each cause with what it takes away or adds.

    Args:
        causes: As `reconcile` gives them, of one campaign or of several together.
    """
    estimate, billed = int(causes["credits_high"].sum()), int(causes["credits_billed"].sum())
    if not estimate:
        return empty("How the bill comes from the estimate appears here once there are messages.")
    changes = (causes["credits_billed"] - causes["credits_high"]).astype("int64")
    changes = changes[changes != 0].set_axis(causes.loc[changes != 0, "cause"].astype("str"))
    labels = ["Estimate, at most", *(cause.capitalize() for cause in changes.index), "Billed so far"]
    numbers = [f"{estimate:,}", *(f"{change:+,}" for change in changes), f"{billed:,}"]
    steps = go.Waterfall(
        y=[f"{label}<br><b>{number}</b>" for label, number in zip(labels, numbers, strict=True)],
        x=[estimate, *changes, billed],
        measure=["absolute", *("relative" for _ in changes), "total"],
        orientation="h",
        totals={"marker": {"color": BLUE}},
        decreasing={"marker": {"color": GREEN}},
        increasing={"marker": {"color": ORANGE}},
        connector={"line": {"color": LINE}},
        hovertemplate="%{y} credits<extra></extra>",
    )
    said = "; ".join(f"{label} {number}" for label, number in zip(labels, numbers, strict=True))
    return figure(
        [steps],
        f"From the estimate to the bill, in credits: {said}.",
        height=_AROUND + _PER_STEP * len(labels),
        showlegend=False,
        xaxis={"tickformat": ",~f", "nticks": 6, "rangemode": "tozero", "title": {"text": "credits"}},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
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
