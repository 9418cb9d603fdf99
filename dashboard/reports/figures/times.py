"""An axis of times in the words and the order of the language; plotly's own are English alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from dashboard.words import day_format, day_of_year, time_of_day, time_with_seconds

_MOST = 5
_MINUTE, _DAY = timedelta(minutes=1), timedelta(days=1)
_STEPS = (
    *(timedelta(seconds=seconds) for seconds in (1, 2, 5, 10, 15, 30)),
    *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 15, 30)),
    *(timedelta(hours=hours) for hours in (1, 2, 3, 6, 12)),
    *(timedelta(days=days) for days in (1, 2, 7, 14, 28, 91, 182, 364)),
)
_DIRECTIVES = {"YYYY": "%Y", "MM": "%m", "DD": "%d"}


def time_axis(first: datetime, last: datetime, zone: str) -> dict[str, Any]:
    """What plotly takes for an axis of times.

    Args:
        first: The first time, by the clock of the zone.
        last: The last.
        zone: The clock, as the axis names it.

    Returns:
        The layout of the axis: a handful of round times, the day written below the first time of each.
    """
    times = _round_times(first, last)
    in_days = len(times) > 1 and times[1] - times[0] >= _DAY
    in_seconds = len(times) > 1 and times[1] - times[0] < _MINUTE
    texts, before = [], None
    for at in times:
        text = time_with_seconds(at) if in_seconds else time_of_day(at)
        if in_days:
            text = day_of_year(at)
        elif at.date() != before:
            text += f"<br>{day_of_year(at)}"
        texts.append(text)
        before = at.date()
    return {
        "type": "date",
        "tickvals": times,
        "ticktext": texts,
        "hoverformat": f"{_typed_day()}, %H:%M:%S ({zone})",
        "title": {"text": zone},
    }


def _round_times(first: datetime, last: datetime) -> list[datetime]:
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0)
    for step in _STEPS:
        begin = midnight + -(-(first - midnight) // step) * step
        number = (last - begin) // step + 1
        if number <= _MOST:
            break
    return [begin + step * place for place in range(min(number, _MOST))] or [first]


def _typed_day() -> str:
    pattern = day_format()
    for letters, directive in _DIRECTIVES.items():
        pattern = pattern.replace(letters, directive)
    return pattern
