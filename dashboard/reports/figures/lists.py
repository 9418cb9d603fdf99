"""The state of contact lists: rows by verdict, list next to list."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import as_typed, empty, figure
from dashboard.reports.palette import BLUE, GREEN, GREY, ORANGE, PINK, VERMILION
from dashboard.words import N_, _, count

_LOOKS = {
    "ok": (N_("Ok"), GREEN),
    "review": (N_("To look at"), ORANGE),
    "invalid": (N_("Invalid"), VERMILION),
    "duplicate": (N_("Duplicate"), BLUE),
    "opted_out": (N_("Opted out"), PINK),
    "empty": (N_("Empty"), GREY),
}
"""What each verdict is called, and its colour."""

_PER_LIST, _AROUND = 30, 90


@checks_frames
def list_health(lists: pd.DataFrame) -> go.Figure:
    """Rows of each list by verdict, in the order of the frame.

    Args:
        lists: As `Ledger.lists.all` gives them; name and the counts by verdict are enough.
    """
    if lists.empty:
        return empty(_("The state of lists appears here once one is checked."))
    traces = [
        go.Bar(
            y=lists["name"].map(as_typed),
            x=lists[status],
            name=_(words),
            orientation="h",
            marker={"color": colour},
            hovertemplate="%{y}: %{x:,}",
        )
        for status, (words, colour) in _LOOKS.items()
        if lists[status].any()
    ]
    said = "; ".join(
        _("{name} {number} of {rows}").format(name=name, number=count(ok), rows=count(rows))
        for name, ok, rows in zip(lists["name"], lists["ok"], lists[list(_LOOKS)].sum(axis=1), strict=True)
    )
    return figure(
        traces,
        _("Rows that can be texted: {lists}.").format(lists=said),
        barmode="stack",
        height=_AROUND + _PER_LIST * len(lists),
        xaxis={"tickformat": ",", "title": {"text": _("rows")}},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False},
    )
