"""How contact lists are: rows by verdict, list beside list."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.reports.figures.look import empty, figure
from dashboard.reports.palette import BLUE, GREEN, GREY, ORANGE, PINK, VERMILION

_COLOURS = {
    "ok": GREEN,
    "review": ORANGE,
    "invalid": VERMILION,
    "duplicate": BLUE,
    "opted_out": PINK,
    "empty": GREY,
}
_PER_LIST, _AROUND = 30, 90


def list_health(lists: pd.DataFrame) -> go.Figure:
    """Rows of each list by verdict, in the order of the frame.

    Args:
        lists: As `Ledger.lists.all` gives them; name and the counts by verdict are enough.
    """
    if lists.empty:
        return empty("How lists are appears here once one is checked.")
    traces = [
        go.Bar(
            y=lists["name"],
            x=lists[status],
            name=status.replace("_", " ").capitalize(),
            orientation="h",
            marker={"color": colour},
            hovertemplate="%{y}: %{x:,}",
        )
        for status, colour in _COLOURS.items()
        if lists[status].any()
    ]
    said = "; ".join(f"{row.name} {row.ok:,} of {_rows(row):,}" for row in lists.itertuples(index=False))
    return figure(
        traces,
        f"Rows that can be texted: {said}.",
        barmode="stack",
        height=_AROUND + _PER_LIST * len(lists),
        xaxis={"tickformat": ","},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
    )


def _rows(counts: object) -> int:
    return sum(int(getattr(counts, status)) for status in _COLOURS)
