"""Moments as analysts write them: an aware time, a day, a month. Only what can mean one thing is taken."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pandas as pd

from dashboard.campaigns.zones import check_zone
from dashboard.errors import OptionError
from dashboard.words import _

Moment = datetime | date | pd.Period | str
"""An aware time; a day, month or year, for its first moment in UTC; or one of these as ISO 8601 writes it."""

_PERIOD = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
_FIRST = "0001-01-01"


def moment(name: str, given: Moment) -> datetime:
    """A moment as an aware time.

    Args:
        name: The parameter, for the sentence.
        given: What the caller wrote.

    Raises:
        CampaignError: It is a time without a zone.
        OptionError: It is a text or a period that says no time.

    Example:
        >>> moment("since", "2026-10")
        datetime.datetime(2026, 10, 1, 0, 0, tzinfo=datetime.timezone.utc)
    """
    try:
        at = _read(given)
    except ValueError:  # swallowed entirely, because it quotes the value
        raise OptionError(
            _(
                "{name} is not a time. Write a month such as 2026-10, a day such as 2026-10-31, or a time "
                "with its zone such as 2026-10-31T09:00+00:00."
            ).format(name=name)
        ) from None
    check_zone(at)
    return at


def month_of(given: date | pd.Period | str) -> str:
    """A month as we write it, such as "2026-11", of a period of a month or of a day in it.

    Raises:
        OptionError: It is a time, whose month depends on the zone, or a period other than a month.
    """
    if isinstance(given, str):
        return given
    if isinstance(given, datetime) or (isinstance(given, pd.Period) and given.freqstr != "M"):
        raise OptionError(_("Write a month like 2026-11."))
    return f"{given.year:04}-{given.month:02}"


def _read(given: Moment) -> datetime:
    if isinstance(given, str):
        period = _PERIOD.fullmatch(given)
        return (
            _first(date.fromisoformat(given + _FIRST[len(given) :]))
            if period
            else datetime.fromisoformat(given)
        )
    if isinstance(given, pd.Period):
        return _first(given.start_time.to_pydatetime())
    return given if isinstance(given, datetime) else _first(given)


def _first(day: date) -> datetime:
    """A period's first moment; a pandas period is on no clock, so its times are UTC as all of ours."""
    at = day if isinstance(day, datetime) else datetime(day.year, day.month, day.day)  # noqa: DTZ001
    return at.replace(tzinfo=UTC)
