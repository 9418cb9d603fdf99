"""When each message is sent: at once, at one moment for all, or at a time on each recipient's own clock.

A number may be in several zones, such as a Russian mobile or an American toll-free number. A time on the
recipient's clock is then the moment at which it has come in all of them, and texting hours are those that all
of them share. Every time ends up in whole seconds of UTC, as the contract requires (section
4.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.arguments import check_fields, checks_arguments
from dashboard.campaigns.when.hours import TextingHours, first_allowed, written
from dashboard.campaigns.zones import zone_named
from dashboard.errors import CampaignError
from dashboard.phones.zones import zones_of_phones
from dashboard.words import N_, _

_UTC_TIME = "datetime64[us, UTC]"
_DAY = timedelta(days=1)
YEARS = range(1970, 9999)
"""Of sending times."""


class Handover(StrEnum):
    """Who waits for a message's time: this program, or the service.

    Example:
        >>> Schedule(datetime(2090, 3, 1, 9, tzinfo=UTC), handover=Handover.HOLD)
    """

    HOLD = "hold"
    SERVICE = "service"


_WORDS = {
    Handover.HOLD: (
        N_(
            "Held here until due. Everything not yet handed over can be cancelled. This program must "
            "be running when the time comes; if it misses the time, it asks before it sends."
        )
    ),
    Handover.SERVICE: (
        N_(
            "Handed at once to the service, which sends when the time comes, even if this program is "
            "off by then. Messages handed over can no longer be cancelled: the service has no way to "
            "take a message back."
        )
    ),
}


@dataclass(frozen=True)
class Schedule:
    """When to send.

    Attributes:
        at: An aware time is one moment for everyone; one without a zone is a time on each recipient's own
            clock, on the next day if it has already passed, never at once; None means at once.
        hours: Outside these hours a message waits until they begin; None for no quiet hours.
        home: IANA name of the zone assumed for numbers whose zone is not known.
        handover: Who waits.

    Example:
        >>> Schedule(datetime(2090, 3, 1, 10), hours=TextingHours(), home="Europe/London")
    """

    at: datetime | None = None
    hours: TextingHours | None = None
    home: str = "UTC"
    handover: Handover = Handover.SERVICE

    def __post_init__(self) -> None:
        if self.at is not None:
            refuse_no_time(self.at)
        check_fields(self)


@checks_arguments()
def what_can_be_cancelled(handover: Handover) -> str:
    """Who waits for the time, and what can still be cancelled, as a sentence or two for the user.

    Args:
        handover: Who waits.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> what_can_be_cancelled(Handover.HOLD)
    """
    return _(_WORDS[handover])


def scheduled_time(at: datetime, *, now: datetime | None = None) -> datetime:
    """Check a sending time and return it in UTC, in whole seconds.

    Args:
        at: A time with its zone.
        now: The current time; the clock's if absent.

    Raises:
        CampaignError: `at` is not a time, has no zone, is not in the future, or is after the year 9998.
    """
    refuse_no_time(at)
    if at.utcoffset() is None:
        raise CampaignError(
            _(
                "The sending time has no time zone, so nobody can tell when it is. Give one, for "
                'example datetime(2027, 3, 1, 9, 0, tzinfo=ZoneInfo("Europe/Berlin")).'
            )
        )
    moment = datetime.fromtimestamp(int(at.timestamp()), UTC)
    if moment <= (now or datetime.now(UTC)):
        raise CampaignError(
            _(
                "The sending time, {moment} UTC, has already passed. Choose a later one, or none to "
                "send at once."
            ).format(moment=f"{moment:%d %b %Y, %H:%M:%S}")
        )
    return moment


def refuse_no_time(at: object) -> None:
    """Refuse what is not a time, or too near the calendar's ends to have one in every zone.

    Raises:
        CampaignError: It is.
    """
    if not isinstance(at, datetime) or pd.isna(at):  # a date, a text, or pandas' NaT, which is a datetime too
        raise CampaignError(
            _(
                "The sending time is not a date with a time of day. Give one, for example "
                'datetime(2027, 3, 1, 9, 0, tzinfo=ZoneInfo("Europe/Berlin")), or none to send at once.'
            )
        )
    if at.year not in YEARS:
        raise CampaignError(_("The sending time is not in the years 1970 to 9998. Choose another one."))


@checks_arguments()
def send_times(
    phones: pd.Series, countries: pd.Series, schedule: Schedule, *, now: datetime | None = None
) -> tuple[pd.Series, npt.NDArray[np.bool_]]:
    """When each number is texted.

    Args:
        phones: Numbers in E.164.
        countries: The country of each, as categories; missing where not known.
        schedule: When to send.
        now: The current time; the clock's if absent.

    Returns:
        The times (datetime64[us, UTC], index kept; missing means at once), and where there is none because
        the number's zones share no texting hours.

    Raises:
        CampaignError: The one moment for everyone is not in the future, or there is no zone called `home`.
    """
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    home = zone_named(schedule.home)
    moment = schedule.at
    is_local = moment is not None and moment.utcoffset() is None
    if not is_local and schedule.hours is None:
        moment = moment and scheduled_time(moment, now=now)
        return pd.Series(moment, index=phones.index, dtype=_UTC_TIME), np.zeros(len(phones), bool)
    pairs, place_of_row = _distinct(zones_of_phones(phones), countries)
    at = pd.Series(
        [_time_of(zones, country, schedule, home, now) for zones, country in pairs], dtype=_UTC_TIME
    )
    impossible = at.isna().to_numpy()[place_of_row]
    if moment is None:
        at = at.mask(at == now)
    return at.take(place_of_row).set_axis(phones.index), impossible


def hours_of_each(phones: pd.Series, countries: pd.Series, schedule: Schedule) -> pd.Categorical[str]:
    """Within which hours each number may be texted, as `written` writes them; "" if there are no quiet hours.

    Args:
        phones: Numbers in E.164.
        countries: The country of each, as categories; missing where not known.
        schedule: When to send.
    """
    if schedule.hours is None:
        return pd.Categorical.from_codes(np.zeros(len(phones), np.int8), pd.Index([""], dtype="str"))
    home, hours = zone_named(schedule.home), schedule.hours
    pairs, place_of_row = _distinct(zones_of_phones(phones), countries)
    texts = pd.Series(
        [written(hours.of(country), _clocks(zones, home)) for zones, country in pairs], dtype="str"
    )
    return pd.Categorical(texts.take(place_of_row))


def _clocks(zones: str | None, home: ZoneInfo) -> list[ZoneInfo]:
    return [ZoneInfo(name) for name in zones.split()] if zones else [home]


def _time_of(
    zones: str | None, country: str | None, schedule: Schedule, home: ZoneInfo, now: datetime
) -> datetime | None:
    clocks = _clocks(zones, home)
    if schedule.at is None:
        wanted = now
    elif schedule.at.utcoffset() is not None:
        wanted = scheduled_time(schedule.at, now=now)
    else:
        wanted = _on_every_clock(schedule.at.replace(microsecond=0), clocks, now)
    return wanted if schedule.hours is None else first_allowed(wanted, clocks, schedule.hours.of(country))


def _on_every_clock(local: datetime, clocks: list[ZoneInfo], now: datetime) -> datetime:
    """The first moment after now at which this time, on this day or later, has come on every clock."""
    local += max((now.replace(tzinfo=None) - local).days - 1, 0) * _DAY
    while (moment := max(local.replace(tzinfo=clock).astimezone(UTC) for clock in clocks)) <= now:
        local += _DAY
    return moment


def _distinct(
    zones: pd.Series, countries: pd.Series
) -> tuple[list[tuple[str | None, str | None]], npt.NDArray[np.int64]]:
    """The pairs of zones and country that occur, and each row's place among them."""
    columns = [zones.cat, countries.astype("category").cat]
    codes = [column.codes.to_numpy(np.int64) for column in columns]
    width = len(columns[1].categories) + 1
    pairs, place_of_row = np.unique((codes[0] + 1) * width + codes[1] + 1, return_inverse=True)
    names = [[None, *column.categories] for column in columns]
    return [(names[0][pair // width], names[1][pair % width]) for pair in pairs.tolist()], place_of_row
