"""When people may be texted: hours of the day on their own clock, by country."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from types import MappingProxyType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dashboard.arguments import checks_arguments
from dashboard.contacts.words.countries import country_codes
from dashboard.errors import CampaignError
from dashboard.settings.hours import MIDNIGHT, ends_later
from dashboard.words import _

EVERY_DAY = frozenset(range(7))
_WRITTEN = re.compile(r"([\d:.]+)-([\d:.]+) ([1-7]+) (\S.*)")
_LOOK_AHEAD = timedelta(days=8)


@dataclass(frozen=True)
class Hours:
    """Hours of a day, from `start` up to but not including `end`, on these weekdays (Monday is 0).

    An `end` of 00:00 is midnight, the end of the day.

    Raises:
        CampaignError: They end before they begin, there is no day, or they are not times of a day.

    Example:
        >>> Hours(time(9), time(20), frozenset(range(5)))  # until eight, Monday to Friday
    """

    start: time = time(9)
    end: time = time(20)
    days: frozenset[int] = EVERY_DAY

    def __post_init__(self) -> None:
        are_times = all(isinstance(one, time) and one.tzinfo is None for one in (self.start, self.end))
        if not are_times or not isinstance(self.days, Set):
            raise CampaignError(
                _("Give texting hours as times, and days as a set: Hours(time(9), time(20), {0, 1}).")
            )
        object.__setattr__(self, "days", frozenset(self.days))
        if not ends_later(self.start, self.end) or not self.days or not self.days <= EVERY_DAY:
            raise CampaignError(
                _(
                    "Texting hours must begin before they end, on at least one day. Write them like "
                    "09:00 to 20:00."
                )
            )

    def include(self, local: datetime) -> bool:
        """Whether a clock time is within them."""
        now = local.time()
        return local.weekday() in self.days and self.start <= now and (now < self.end or self.end == MIDNIGHT)


@dataclass(frozen=True)
class TextingHours:
    """Hours for every country, with exceptions for some (ISO 3166). All other hours are quiet.

    Raises:
        CampaignError: An exception is for no country, or something is no hours.

    Example:
        >>> TextingHours(Hours(time(9), time(20)), by_country={"FR": Hours(time(10), time(20))})
    """

    usual: Hours = field(default_factory=Hours)
    by_country: Mapping[str, Hours] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.by_country, Mapping):
            raise CampaignError(_("Give exceptions as a mapping from countries to Hours."))
        object.__setattr__(self, "by_country", MappingProxyType(dict(self.by_country)))
        if unknown := [str(country) for country in self.by_country if country not in country_codes()]:
            raise CampaignError(
                _(
                    "These texting hours are for no country: {countries}. Write two-letter ISO 3166 codes in "
                    "capitals, such as GB."
                ).format(countries=", ".join(unknown))
            )
        if not all(isinstance(hours, Hours) for hours in (self.usual, *self.by_country.values())):
            raise CampaignError(_("Give texting hours as Hours, for example Hours(time(9), time(20))."))

    def of(self, country: str | None) -> Hours:
        """The hours in a country."""
        return self.by_country.get(country, self.usual) if country else self.usual


def first_allowed(moment: datetime, zones: Sequence[ZoneInfo], hours: Hours) -> datetime | None:
    """The first moment from this one on (UTC) at which every zone's clock is within the hours.

    Returns:
        None if there is none within eight days: the zones are too far apart.
    """
    found = moment
    while found <= moment + _LOOK_AHEAD:
        later = max(_next_in(found, zone, hours) for zone in zones)
        if later == found:
            return found
        found = later
    return None


def _next_in(moment: datetime, zone: ZoneInfo, hours: Hours) -> datetime:
    """The moment itself if the zone's clock is within the hours, otherwise the next moment they begin."""
    local = moment.astimezone(zone)
    if hours.include(local):
        return moment
    day = local.date()
    while True:
        begins = datetime.combine(day, hours.start, zone).astimezone(UTC)
        if begins > moment and day.weekday() in hours.days:
            return begins
        day += timedelta(days=1)


def written(hours: Hours, zones: Sequence[ZoneInfo]) -> str:
    """Hours on these clocks as text, with weekdays as in ISO 8601: "09:00:00-20:00:00 12345 Europe/Paris"."""
    days = "".join(str(day + 1) for day in sorted(hours.days))
    clocks = " ".join(str(zone) for zone in zones)
    return f"{hours.start.isoformat()}-{hours.end.isoformat()} {days} {clocks}"


@checks_arguments()
def first_within(moment: datetime, text: str) -> datetime | None:
    """The first moment from this one on (UTC) within hours that `written` wrote; None if there is none.

    Raises:
        ValueError: It did not write them.
    """
    hours, zones = _read(text)
    return first_allowed(moment, zones, hours)


def are_hours(text: str) -> bool:
    """Whether `written` may have written it, for zones that share some of these hours."""
    try:
        return first_within(datetime.now(UTC), text) is not None
    except ValueError:
        return False


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[Hours, tuple[ZoneInfo, ...]]:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise ValueError("no texting hours")
    start, end, days, zones = found.groups()
    try:
        weekdays = frozenset(int(day) - 1 for day in days)
        hours = Hours(time.fromisoformat(start), time.fromisoformat(end), weekdays)
        return hours, tuple(map(ZoneInfo, zones.split()))
    except (CampaignError, ZoneInfoNotFoundError, OSError, ValueError):
        raise ValueError("no texting hours") from None
