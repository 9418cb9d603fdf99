"""Figures of cost: per campaign, from estimate to bill, and the spread of credits over messages."""

from __future__ import annotations

from functools import partial

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.campaigns import credits_histogram as histogram_of
from dashboard.reports.figures.look import LINE, TEXT, as_typed, empty, figure, shortened
from dashboard.reports.palette import BLUE, GREEN, ORANGE, SKY
from dashboard.reports.tables.money.costs import cost_by_campaign as costs_of
from dashboard.words import _, amount, count, plural

_PER_CAMPAIGN, _PER_STEP = 40, 48
_AROUND = 104
_CAMPAIGNS_SHOWN = 12


@checks_frames
def cost_by_campaign(campaigns: pd.DataFrame) -> go.Figure:
    """Estimate (outline) and bill (filled) of the newest campaigns, in money if they share one currency."""
    costs = costs_of(campaigns).head(_CAMPAIGNS_SHOWN)
    if costs.empty:
        return empty(_("The cost of each campaign appears here once there is one."))
    currency = _common_currency(costs)
    unit = "cost" if currency else "credits"
    written = partial(amount, currency=currency) if currency else count
    unit_words = currency or _("credits")
    traces = [
        go.Bar(
            y=costs["campaign"],
            x=costs[f"{unit}_high"].astype("float64"),
            hovertext=costs[f"{unit}_high"].map(written),
            name=_("Estimate"),
            orientation="h",
            marker={"color": "rgba(0, 0, 0, 0)", "line": {"color": TEXT, "width": 1.5}},
            hovertemplate=f"%{{hovertext}} {unit_words}",
        ),
        go.Bar(
            y=costs["campaign"],
            x=costs[f"{unit}_billed"].astype("float64"),
            hovertext=costs[f"{unit}_billed"].map(written),
            name=_("Billed"),
            orientation="h",
            marker={"color": BLUE},
            hovertemplate=f"%{{hovertext}} {unit_words}",
        ),
    ]
    shown = zip(costs["name"], costs[f"{unit}_billed"], costs[f"{unit}_high"], strict=True)
    said = "; ".join(
        _("{name} {billed} of {high}").format(name=name, billed=written(billed), high=written(high))
        for name, billed, high in shown
    )
    return figure(
        traces,
        _("Billed, of the highest estimate, in {unit}: {campaigns}.").format(unit=unit_words, campaigns=said),
        barmode="overlay",
        hovermode="y unified",
        height=_AROUND + _PER_CAMPAIGN * len(costs),
        xaxis={"tickformat": ",~f", "nticks": 6, "title": {"text": unit_words}},
        yaxis={
            "autorange": "reversed",
            "type": "category",
            "showgrid": False,
            "tickvals": list(costs["campaign"]),
            "ticktext": [as_typed(shortened(name)) for name in costs["name"]],
        },
    )


@checks_frames
def estimate_to_bill(causes: pd.DataFrame) -> go.Figure:
    """From the highest estimate to the bill, in credits: each cause with what it subtracts or adds.

    Args:
        causes: As `reconcile` gives them, of one campaign or of several together.
    """
    estimate, billed = int(causes["credits_high"].sum()), int(causes["credits_billed"].sum())
    if not estimate:
        return empty(_("The steps from estimate to bill appear here once there are messages."))
    changes = (causes["credits_billed"] - causes["credits_high"]).astype("int64")
    changes = changes[changes != 0].set_axis(causes.loc[changes != 0, "cause"].astype("str"))
    causes_said = [cause[:1].upper() + cause[1:] for cause in map(_, changes.index)]
    labels = [_("Estimate, at most"), *causes_said, _("Billed so far")]
    numbers = [count(estimate), *map(_signed, changes), count(billed)]
    steps = go.Waterfall(
        y=[f"{label}<br><b>{number}</b>" for label, number in zip(labels, numbers, strict=True)],
        x=[estimate, *changes, billed],
        measure=["absolute", *["relative"] * len(changes), "total"],
        orientation="h",
        totals={"marker": {"color": BLUE}},
        decreasing={"marker": {"color": GREEN}},
        increasing={"marker": {"color": ORANGE}},
        connector={"line": {"color": LINE}},
        hovertemplate=_("%{y} credits") + "<extra></extra>",
    )
    said = "; ".join(f"{label} {number}" for label, number in zip(labels, numbers, strict=True))
    return figure(
        [steps],
        _("From the estimate to the bill, in credits: {steps}.").format(steps=said),
        height=_AROUND + _PER_STEP * len(labels),
        showlegend=False,
        xaxis={"tickformat": ",~f", "nticks": 6, "rangemode": "tozero", "title": {"text": _("credits")}},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
    )


def _signed(change: int) -> str:
    return f"+{count(change)}" if change > 0 else count(change)


def _common_currency(costs: pd.DataFrame) -> str | None:
    """The currency, if every credit has a price in the same one."""
    currencies = costs["currency"].unique()
    priced = costs[["cost_high", "cost_billed"]].notna().all(axis=None)
    whole = not costs["credits_without_price"].fillna(0).any()
    return str(currencies[0]) if priced and whole and len(currencies) == 1 else None


@checks_frames
def credits_histogram(messages: pd.DataFrame) -> go.Figure:
    """How many messages cost how many credits, with the shortest and with the longest short links."""
    spread = histogram_of(messages)
    if spread.empty:
        return empty(_("The number of credits per message appears here once there are messages."))
    labels = [plural(many, "{count} credit", "{count} credits") for many in spread["credits"]]
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
        yaxis={"tickformat": ",", "rangemode": "tozero", "title": {"text": _("messages")}},
    )
