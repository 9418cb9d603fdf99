"""Which clocks a country has, as the time zone database lists and describes its zones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

_DAY, _MINUTE = timedelta(days=1), timedelta(minutes=1)
_YEAR = 366

Clock = tuple[tuple[datetime, timedelta | None], ...]
"""What a clock shows in a year: from when on (UTC) it is how far from UTC."""


@cache
def countries_of_zones(table: str) -> Mapping[str, str]:
    """The zones in a table of the time zone database, each with its country or countries.

    zone.tab has a zone for each country's clock, zone1970.tab only those told apart since 1970.
    """
    text = files("tzdata").joinpath("zoneinfo", table).read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and line[0] != "#")
    return {row[2]: row[0] for row in rows}


@lru_cache(maxsize=512)
def clocks_of_country(country: str, day: date) -> Mapping[Clock, str]:
    """The clocks of a country (ISO 3166) in the year from a day on, each with its zone; none if not known.

    Zones that show the same time all year are one clock, that of the zone listed first, where most people
    live: Germany has one, although Busingen has a zone of its own, and so has Kazakhstan since March 2024.
    """
    zones = [zone for zone, one in countries_of_zones("zone.tab").items() if one == country]
    first: dict[Clock, str] = {}
    for zone in zones:
        first.setdefault(clock_of_zone(zone, day), zone)
    return first


@lru_cache(maxsize=1024)
def clock_of_zone(zone: str, day: date) -> Clock:
    """What the clock of a zone (IANA) shows in the year from a day on."""
    clock = ZoneInfo(zone)
    begin = datetime.combine(day, time(), UTC)
    found = [(begin, _offset(begin, clock))]
    for number in range(_YEAR):
        early, late = begin + number * _DAY, begin + (number + 1) * _DAY
        if (offset := _offset(late, clock)) == found[-1][1]:
            continue
        while late - early > _MINUTE:
            middle = early + (late - early) // _MINUTE // 2 * _MINUTE
            early, late = (early, middle) if _offset(middle, clock) == offset else (middle, late)
        found.append((late, offset))
    return tuple(found)


def _offset(at: datetime, clock: ZoneInfo) -> timedelta | None:
    return at.astimezone(clock).utcoffset()
