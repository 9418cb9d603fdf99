"""An axis of times in the words and the order of the language; plotly's own are English alone.

Plotly knows no time zones, and local clocks go back: 02:30 comes twice on the day on which summer time ends.
So times stand where the clock of the first of them would have them, each hour as long as any other, and the
axis is labelled with what the clock of the zone really shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.campaigns.zones import zone_named
from dashboard.words import day_format, day_of_year, time_of_day, time_with_seconds

_MOST = 5
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_STEPS = (
    *(timedelta(seconds=seconds) for seconds in (1, 2, 5, 10, 15, 30)),
    *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 15, 30)),
    *(timedelta(hours=hours) for hours in (1, 2, 3, 6, 12)),
    *(timedelta(days=days) for days in (1, 2, 7, 14, 28, 91, 182, 364)),
)
_DIRECTIVES = {"YYYY": "%Y", "MM": "%m", "DD": "%d"}


def time_axis(times: pd.Series, zone: str) -> tuple[pd.Series, dict[str, Any]]:
    """Where times stand on an axis, and what plotly takes for that axis.

    Args:
        times: Aware, at least one.
        zone: The clock, as the axis names it.

    Returns:
        The times without a zone, as far apart as they are, and the layout of the axis: a handful of round
        times by the clock, the day written below the first time of each. What is under the pointer is told
        with its distance from UTC where the clock changes in between.

    Raises:
        CampaignError: There is no such zone.
    """
    clock = zone_named(zone)
    first, last = times.min().to_pydatetime(), times.max().to_pydatetime()
    shift = first.astimezone(clock).utcoffset() or timedelta()
    ticks, step = _round_times(first, last, clock)
    texts, before = [], None
    for at in (tick.astimezone(clock) for tick in ticks):
        text = time_with_seconds(at) if step < _MINUTE else time_of_day(at)
        if step >= _DAY:
            text = day_of_year(at)
        elif at.date() != before:
            text += f"<br>{day_of_year(at)}"
        texts.append(text)
        before = at.date()
    changes = any(at.astimezone(clock).utcoffset() != shift for at in (*times, *ticks, last))
    named = f"UTC{first.astimezone(clock).isoformat()[-6:]}" if changes else zone
    return (times.dt.tz_convert(UTC) + shift).dt.tz_localize(None), {
        "type": "date",
        "tickvals": [(at.astimezone(UTC) + shift).replace(tzinfo=None) for at in ticks],
        "ticktext": texts,
        "hoverformat": f"{_typed_day()}, %H:%M:%S ({named})",
        "title": {"text": zone},
    }


def _round_times(first: datetime, last: datetime, clock: ZoneInfo) -> tuple[list[datetime], timedelta]:
    """A handful of times at which the clock shows a multiple of a step, and the step."""
    for step in _STEPS:
        found = list(islice(_multiples(step, first, last, clock), _MOST + 1))
        if len(found) <= _MOST:
            break
    return found[:_MOST] or [first], step


def _multiples(step: timedelta, first: datetime, last: datetime, clock: ZoneInfo) -> Iterator[datetime]:
    """The times at which the clock shows a multiple of a step; both where it shows the same one twice."""
    shown = first.astimezone(clock).replace(tzinfo=None)
    midnight = shown.replace(hour=0, minute=0, second=0, microsecond=0)
    if step < _HOUR:  # it goes into every change of a clock
        at = first + -(shown - midnight) % step
        while at <= last:
            yield at
            at += step
        return
    local, found = midnight + ((shown - midnight) // step - 1) * step, first
    while found <= last:
        each = {local.replace(tzinfo=clock, fold=fold).astimezone(UTC) for fold in (0, 1)}
        for found in sorted(each):
            is_shown = found.astimezone(clock).replace(tzinfo=None) == local
            if is_shown and first <= found <= last:
                yield found
        local += step


def _typed_day() -> str:
    pattern = day_format()
    for letters, directive in _DIRECTIVES.items():
        pattern = pattern.replace(letters, directive)
    return pattern
