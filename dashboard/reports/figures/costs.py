"""Figures of cost: per campaign, and how credits are spread over messages."""

from __future__ import annotations

from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import credits_histogram as histogram_of
from dashboard.reports.costs import cost_by_campaign as costs_of
from dashboard.reports.figures.look import TEXT, empty, figure
from dashboard.reports.palette import BLUE, SKY
from dashboard.words import _, count, decimal, plural

_PER_CAMPAIGN = 40
_AROUND = 80
_CAMPAIGNS_SHOWN = 12


def cost_by_campaign(campaigns: pd.DataFrame) -> go.Figure:
    """Estimate (outline) and bill (filled) of the newest campaigns, in money where they have one currency."""
    costs = costs_of(campaigns).head(_CAMPAIGNS_SHOWN)
    if costs.empty:
        return empty(_("What each campaign costs appears here once there is one."))
    currency = _common_currency(costs)
    unit = "cost" if currency else "credits"
    kind, written = (",.2f", partial(decimal, digits=2)) if currency else (",", count)
    unit_words = currency or _("credits")
    traces = [
        go.Bar(
            y=costs["campaign"],
            x=costs[f"{unit}_high"].astype("float64"),
            name=_("Estimate"),
            orientation="h",
            marker={"color": "rgba(0, 0, 0, 0)", "line": {"color": TEXT, "width": 1.5}},
            hovertemplate=f"%{{x:{kind}}} {unit_words}",
        ),
        go.Bar(
            y=costs["campaign"],
            x=costs[f"{unit}_billed"].astype("float64"),
            name=_("Billed"),
            orientation="h",
            marker={"color": BLUE},
            hovertemplate=f"%{{x:{kind}}} {unit_words}",
        ),
    ]
    shown = zip(costs["name"], costs[f"{unit}_billed"], costs[f"{unit}_high"], strict=True)
    said = "; ".join(
        _("{name} {billed} of {high}").format(name=name, billed=written(billed), high=written(high))
        for name, billed, high in shown
    )
    return figure(
        traces,
        _("Billed, of at most estimated, in {unit}: {campaigns}.").format(unit=unit_words, campaigns=said),
        barmode="overlay",
        hovermode="y unified",
        height=_AROUND + _PER_CAMPAIGN * len(costs),
        xaxis={"tickformat": ",~f", "nticks": 6, "title": {"text": unit_words}},
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
        return empty(_("How many credits the messages cost appears here once there are some."))
    labels = [plural(credits_, "{count} credit", "{count} credits") for credits_ in spread["credits"]]
    kinds = [(_("At most"), "messages_high", BLUE)]
    if not spread["messages_low"].equals(spread["messages_high"]):
        kinds.insert(0, (_("At least"), "messages_low", SKY))
    traces = [
        go.Bar(
            x=labels,
            y=spread[column],
            name=name,
            marker={"color": colour},
            text=[count(number) for number in spread[column]],
            textposition="auto",
            hovertemplate=_("%{x}: %{y:,} messages"),
        )
        for name, column, colour in kinds
    ]
    counts = zip(labels, spread["messages_high"], strict=True)
    said = ", ".join(f"{label} {count(number)}" for label, number in counts)
    return figure(
        traces,
        _("Messages by credits, at most: {counts}.").format(counts=said),
        showlegend=len(kinds) > 1,
        xaxis={"type": "category", "showgrid": False},
        yaxis={"tickformat": ",", "rangemode": "tozero"},
    )
