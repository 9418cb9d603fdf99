"""Shares delivered as points with their intervals: where two overlap much, either may be the better one."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.measures.standing import FEWEST
from dashboard.reports.palette import GREEN
from dashboard.words import _, decimal

_PER_ROW, _AROUND = 26, 90
_PALE = "rgba(120, 130, 143, 0.6)"


@checks_frames
def delivery_rates(rates: pd.DataFrame) -> go.Figure:
    """The shares of `reports.delivery_rates`, in percent, each with the range of its possible true values.

    In the order given, never by rank; pale where there are fewer than 30 messages.
    """
    if rates.empty:
        return empty(_("Shares appear here once it is known what became of the messages."))
    percent = rates.assign(**{name: rates[name] * 100 for name in ("share", "low", "high")})
    enough = percent["messages"] >= FEWEST
    said = "; ".join(
        _("{name} {share} % ({low} to {high})").format(
            name=one["value"], **{end: decimal(one[end]) for end in ("share", "low", "high")}
        )
        for one in percent.to_dict("records")
    )
    shown = ((percent[enough], GREEN), (percent[~enough], _PALE))
    return figure(
        [_points(some, colour) for some, colour in shown if len(some)],
        _("Share delivered, with intervals: {shares}.").format(shares=said),
        height=_AROUND + _PER_ROW * len(rates),
        showlegend=False,
        xaxis={"title": {"text": _("Delivered %")}},
        yaxis={
            "type": "category",
            "range": [len(rates) - 0.5, -0.5],
            "categoryorder": "array",
            "categoryarray": rates["value"].map(as_typed),
        },
    )


def _points(rates: pd.DataFrame, colour: str) -> go.Scatter:
    share = rates["share"]
    ends = {"array": rates["high"] - share, "arrayminus": share - rates["low"]}
    return go.Scatter(
        x=share,
        y=rates["value"].map(as_typed),
        mode="markers",
        marker={"color": colour, "size": 9},
        error_x={"type": "data", "color": colour, **ends},
        customdata=rates["messages"],
        hovertemplate=_("%{y}: %{x:.1f} % of %{customdata:,}") + "<extra></extra>",
    )
