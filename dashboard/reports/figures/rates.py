"""Shares delivered as points with their intervals: where two overlap much, either may be the better one."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.palette import GREEN
from dashboard.words import _, decimal

_PER_ROW, _AROUND = 26, 90


@checks_frames
def delivery_rates(rates: pd.DataFrame) -> go.Figure:
    """The shares of `reports.delivery_rates`, in percent, each with the range of its possible true values."""
    if rates.empty:
        return empty(_("Shares appear here once it is known what became of the messages."))
    share, low, high = (rates[name] * 100 for name in ("share", "low", "high"))
    points = go.Scatter(
        x=share,
        y=rates["value"].map(as_typed),
        mode="markers",
        marker={"color": GREEN, "size": 9},
        error_x={"type": "data", "array": high - share, "arrayminus": share - low, "color": GREEN},
        customdata=rates["messages"],
        hovertemplate=_("%{y}: %{x:.1f} % of %{customdata:,}") + "<extra></extra>",
    )
    said = "; ".join(
        _("{name} {share} % ({low} to {high})").format(
            name=value, share=decimal(s), low=decimal(a), high=decimal(b)
        )
        for value, s, a, b in zip(rates["value"], share, low, high, strict=True)
    )
    return figure(
        [points],
        _("Share delivered, with intervals: {shares}.").format(shares=said),
        height=_AROUND + _PER_ROW * len(rates),
        xaxis={"title": {"text": _("Delivered %")}},
        yaxis={"type": "category", "autorange": "reversed"},
    )
