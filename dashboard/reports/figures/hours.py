"""The hours of the week as a map: where more messages get through, and how far that can be trusted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import LINE, TEXT, empty, figure
from dashboard.reports.measures.standing import FEWEST
from dashboard.reports.tables.hours import WEEKDAYS, delivered_by_hour
from dashboard.reports.tables.verdicts import best_hour
from dashboard.words import _, weekdays

_HOURS = list(range(24))
_SCALE: dict[str, Any] = {"thickness": 12, "outlinewidth": 0}
_NUMBER = {"size": 9}
_PALE = {"colorscale": [[0, LINE], [1, LINE]], "showscale": False, "textfont": _NUMBER | {"color": TEXT}}


@checks_frames
def by_hour(messages: pd.DataFrame, *, tz: str = "UTC", now: datetime | None = None) -> go.Figure:
    """When messages get through: the delivered share by the weekday and hour of the handing over.

    Each cell has the number of its accepted messages; fewer than 30 are drawn pale. The sentence names the
    best hour only if it stands out, see `reports.delivered_by_hour`.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        tz: Time zone of the hours.
        now: The current time, which decides what is final; the clock's if absent.
    """
    hours = delivered_by_hour(messages, tz=tz, now=now)
    if hours.empty:
        return empty(_("Delivery by hour appears here once the first messages are sent."))
    enough = hours["messages"] >= FEWEST
    scale = {"colorscale": "Viridis", "colorbar": _SCALE | {"title": _("Delivered %")}, "textfont": _NUMBER}
    shown = ((hours[enough], scale), (hours[~enough], _PALE))
    counted = _(
        "Share of the accepted messages delivered, by weekday and hour of handing over ({zone})."
    ).format(zone=tz)
    return figure(
        [_cells(some, look) for some, look in shown if len(some)],
        f"{counted} {best_hour(hours)}",
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
        xaxis={"type": "category", "tickvals": [f"{h:02d}:00" for h in range(0, 24, 3)], "showgrid": False},
    )


def _cells(hours: pd.DataFrame, look: dict[str, Any]) -> go.Heatmap:
    """The hours as a map of the whole week, scaled to the shares there are."""

    def week(values: pd.Series) -> pd.DataFrame:
        cells = hours.assign(value=values).pivot_table(
            index="weekday", columns="hour", values="value", observed=True
        )
        return cells.reindex(index=list(WEEKDAYS), columns=_HOURS)

    known = [hours["messages"], hours["low"] * 100, hours["high"] * 100, hours["open"], hours["campaigns"]]
    return go.Heatmap(
        z=week(hours["share"]) * 100,
        customdata=np.dstack([week(values) for values in known]),
        texttemplate="%{customdata[0]:.2~s}",
        x=[f"{hour:02d}:00" for hour in _HOURS],
        y=weekdays(),
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate=_(
            "%{y} %{x}: %{z:.1f} % of %{customdata[0]:,} delivered (%{customdata[1]:.1f} to "
            "%{customdata[2]:.1f}), %{customdata[3]:,} open, campaigns: %{customdata[4]:,}"
        )
        + "<extra></extra>",
        **look,
    )
