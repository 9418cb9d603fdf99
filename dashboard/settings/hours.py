"""Between which times, and on which days of the week, people are texted."""

from __future__ import annotations

import re
from datetime import time
from typing import Self

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from dashboard.words import _

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MIDNIGHT = time()
"""As an end, that of the day."""

_TIMES = re.compile(r"(\d\d:\d\d) ?[-–] ?(\d\d:\d\d)(?: ([A-Za-z, ]+))?")


class TextingTimes(BaseModel):
    """From `start` to `end` on these days, on each person's own clock; Monday is 0, 00:00 as an end midnight.

    Example:
        >>> str(read_times("09:00-18:00 Mon,Fri"))
        '09:00-18:00 Mon,Fri'
    """

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, frozen=True)

    start: time = time(9)
    end: time = time(20)
    days: frozenset[int] = frozenset(range(7))

    @field_validator("days")
    @classmethod
    def _are_days(cls, value: frozenset[int]) -> frozenset[int]:
        if not value:
            raise ValueError(_("choose at least one day"))
        if not value <= set(range(7)):
            raise ValueError(_("write days as {days}").format(days=",".join(DAYS)))
        return value

    @model_validator(mode="after")
    def _ends_later(self) -> Self:
        if not ends_later(self.start, self.end):
            raise ValueError(_("the hours must end later than they begin"))
        return self

    def __str__(self) -> str:
        days = "" if len(self.days) == len(DAYS) else " " + ",".join(DAYS[day] for day in sorted(self.days))
        return f"{self.start:%H:%M}-{self.end:%H:%M}{days}"


def ends_later(start: time, end: time) -> bool:
    """Whether these are hours of one day."""
    return start < end or end == MIDNIGHT


def read_times(text: str) -> TextingTimes:
    """The times of `09:00-20:00` or `09:00-24:00 Mon,Tue,Wed,Thu,Fri`.

    Raises:
        ValueError: It says something else.
    """
    read = _TIMES.fullmatch(text.strip())
    named = [] if read is None else re.findall(r"[A-Za-z]+", read[3] or ",".join(DAYS))
    if read is None or not {day.title() for day in named} <= set(DAYS):
        raise ValueError(_("write hours, and days if not all, such as 09:00-20:00 Mon,Tue,Wed,Thu,Fri"))
    days = frozenset(DAYS.index(day.title()) for day in named)
    try:
        start = time.fromisoformat(read[1])
        end = MIDNIGHT if read[2] == "24:00" else time.fromisoformat(read[2])
    except ValueError:
        raise ValueError(_("write times from 00:00 to 23:59")) from None
    return TextingTimes(start=start, end=end, days=days)
