"""How many people a campaign may text at night, by their own clocks."""

from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.phones.zones import zones_of_phones

NIGHT_BEGINS, NIGHT_ENDS = time(21), time(8)
"""Not before 8 a.m. or after 9 p.m. where somebody is: 47 CFR 64.1200(c)(1), kept in other countries too."""


def at_night(
    messages: pd.DataFrame,
    home: ZoneInfo,
    *,
    per_second: float,
    held: datetime | None = None,
    now: datetime | None = None,
) -> int:
    """Count the people for whom it may be night, by any clock that their number may have.

    Args:
        messages: MESSAGES; those with a problem are left out.
        home: The zone of numbers that do not reveal theirs.
        per_second: How many messages are handed over in a second: of a long campaign only some come late. 0
            if that is not limited.
        held: The moment all of them wait for; None if each has its own time, or none.
        now: The current time; the clock's if absent.

    Example:
        >>> at_night(messages, ZoneInfo("Europe/London"), per_second=200)
        47
    """
    to_send = messages[messages["problem"].isna()]
    begins = pd.Timestamp(held or now or datetime.now(UTC)).tz_convert(UTC)
    at = to_send["scheduled_at"].fillna(begins) if held is None else pd.Series(begins, index=to_send.index)
    if per_second:
        at += pd.to_timedelta(at.groupby(at).cumcount() / per_second, unit="s")
    kinds = pd.DataFrame({"at": at.dt.floor("min"), "zones": zones_of_phones(to_send["to"])})
    counts = kinds.groupby(["at", "zones"], observed=True, dropna=False).size().rename("people")
    found = counts.reset_index().astype({"zones": "str"})
    dark = [_is_night(when, zones, home) for when, zones in zip(found["at"], found["zones"], strict=True)]
    return int(found.loc[dark, "people"].sum())


def _is_night(at: pd.Timestamp, zones: str, home: ZoneInfo) -> bool:
    clocks = [home] if pd.isna(zones) else map(ZoneInfo, zones.split())
    times = [at.astimezone(clock).time() for clock in clocks]
    return any(one >= NIGHT_BEGINS or one < NIGHT_ENDS for one in times)
