"""When people may be texted, read off the clocks on their walls: no code of the product's."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

QUARTER = timedelta(minutes=15)
"""Everywhere on earth hours begin and end on a quarter of an hour of everybody's clock."""


@dataclass(frozen=True)
class Awake:
    """From `start` until `end`, like "09:00", on these weekdays (Monday is 1), by all of these clocks."""

    start: str
    end: str
    days: str
    zones: tuple[str, ...]

    @property
    def text(self) -> str:
        """As MESSAGES have it."""
        return f"{self.start}:00-{self.end}:00 {self.days} {' '.join(self.zones)}"

    def at(self, moment: datetime) -> bool:
        """Whether they may be texted then."""
        clocks = [moment.astimezone(ZoneInfo(zone)) for zone in self.zones]
        return all(
            self.start <= f"{clock:%H:%M}" < self.end and str(clock.isoweekday()) in self.days
            for clock in clocks
        )

    def begins(self, moment: datetime) -> datetime:
        """The first moment from this one on at which they may be."""
        return moment if self.at(moment) else self.turns(moment)

    def turns(self, moment: datetime) -> datetime:
        """When that they may be texted ends, or begins, next."""
        return _turns(self, datetime.fromtimestamp(moment.timestamp() // 900 * 900, UTC))


@lru_cache(maxsize=10_000)
def _turns(awake: Awake, quarter: datetime) -> datetime:
    now, then = awake.at(quarter), quarter + QUARTER
    while awake.at(then) == now:
        then += QUARTER
    return then


EVERY_DAY = "1234567"
SOME = (
    Awake("09:00", "20:00", EVERY_DAY, ("Europe/London",)),
    Awake("08:00", "21:00", EVERY_DAY, ("Europe/Berlin",)),
    Awake("10:30", "18:00", "12345", ("Europe/Berlin",)),
    Awake("09:00", "20:00", EVERY_DAY, ("America/New_York", "America/Los_Angeles")),
    Awake("12:00", "13:30", EVERY_DAY, ("America/St_Johns",)),
    Awake("09:00", "20:00", "123456", ("Australia/Sydney",)),
    Awake("06:00", "22:15", EVERY_DAY, ("Asia/Kathmandu",)),
)
