"""The hours of the week as a map: where more messages get through, and how far that can be trusted."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard.campaigns import checks_frames
from dashboard.reports.figures.look import LINE, TEXT, empty, figure
from dashboard.reports.measures.standing import FEWEST
from dashboard.reports.palette import GREEN
from dashboard.reports.tables.comparing.hours import WEEKDAYS, delivered_by_hour
from dashboard.reports.tables.comparing.verdicts import best_hour
from dashboard.words import _, count, weekdays

_SCALE: dict[str, Any] = {"thickness": 12, "outlinewidth": 0}
_NUMBER = {"size": 11, "color": "#0f1620"}  # at least 5:1 on the whole scale
_LIGHT = "#FBE3A1"
_PER_HOUR, _AROUND = 22, 60
_FEWEST_HOURS = 11
_NARROWEST = 10
"""In points, from one end of the scale to the other."""
_PALE = {"colorscale": [[0, LINE], [1, LINE]], "showscale": False, "textfont": _NUMBER | {"color": TEXT}}


@checks_frames
def by_hour(messages: pd.DataFrame, *, tz: str = "UTC", now: datetime | None = None) -> go.Figure:
    """When messages get through: the delivered share by the weekday and hour of the handing over.

    Each cell has the number of its accepted messages; it is pale with fewer than 30, and as long as news of
    some is awaited. The sentence names the best hour only if it stands out, see `reports.delivered_by_hour`.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        tz: Time zone of the hours.
        now: The current time, which decides what is final; the clock's if absent.
    """
    hours = delivered_by_hour(messages, tz=tz, now=now)
    if hours.empty:
        return empty(_("Delivery by hour appears here once the first messages are sent."))
    enough = (hours["messages"] >= FEWEST) & hours["final"]
    scale: dict[str, Any] = {"colorscale": [[0, _LIGHT], [1, GREEN]], "textfont": _NUMBER}
    scale |= {"colorbar": _SCALE | {"title": _("Delivered %")}} | _ends(hours[enough])
    shown = ((hours[enough], scale), (hours[~enough], _PALE))
    counted = _(
        "Share of the accepted messages delivered, by weekday and hour of handing over ({zone})."
    ).format(zone=tz)
    day = _day(int(hours["hour"].min()), int(hours["hour"].max()))
    return figure(
        [_cells(some, day, look) for some, look in shown if len(some)],
        f"{counted} {best_hour(hours)}",
        height=_AROUND + _PER_HOUR * len(day),
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
        xaxis={"type": "category", "showgrid": False},
    )


def _day(first: int, last: int) -> range:
    """The hours to show: these, and as many around them that one hour does not fill the whole map."""
    own = last - first + 1
    shown = max(own, _FEWEST_HOURS)
    start = min(max(0, first - (shown - own) // 2), 24 - shown)
    return range(start, start + shown)


def _ends(hours: pd.DataFrame) -> dict[str, float]:
    """The ends of the scale in % where the shares are so close that a trifle would have the other colour."""
    lowest, highest = 100 * hours["share"].min(), 100 * hours["share"].max()
    if not highest - lowest < _NARROWEST:
        return {}
    top = min(100.0, max(float(_NARROWEST), (lowest + highest + _NARROWEST) / 2))
    return {"zmin": top - _NARROWEST, "zmax": top}


def _cells(hours: pd.DataFrame, day: range, look: dict[str, Any]) -> go.Heatmap:
    """These hours of each weekday, scaled to the shares there are."""
    row, column = (
        hours["hour"].to_numpy() - day.start,
        pd.Index(WEEKDAYS).get_indexer(pd.Index(hours["weekday"])),
    )

    def week(values: pd.Series) -> NDArray[np.float64]:
        cells = np.full((len(day), len(WEEKDAYS)), np.nan)
        cells[row, column] = values
        return cells

    known = [hours["messages"], hours["low"] * 100, hours["high"] * 100, hours["open"], hours["campaigns"]]
    numbers = week(hours["messages"])
    return go.Heatmap(
        z=week(hours["share"]) * 100,
        customdata=np.dstack([week(values) for values in known]),
        text=[["" if np.isnan(number) else count(int(number)) for number in one] for one in numbers],
        texttemplate="%{text}",
        x=weekdays(),
        y=[f"{hour:02d}:00" for hour in day],
        xgap=1,
        ygap=1,
        hoverongaps=False,
        hovertemplate=_(
            "%{x} %{y}: %{z:.1f} % of %{customdata[0]:,} delivered (%{customdata[1]:.1f} to "
            "%{customdata[2]:.1f}), %{customdata[3]:,} open, campaigns: %{customdata[4]:,}"
        )
        + "<extra></extra>",
        **look,
    )
