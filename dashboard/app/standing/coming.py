"""Which messages go out by themselves on each of the next days. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.ledger import Campaign

DAYS = 7
"""Today and the six days after it."""


@dataclass(frozen=True)
class Coming:
    """What goes out of one campaign on one day, from the first of its times to the last."""

    campaign: Campaign
    first: datetime
    last: datetime
    messages: int

    @property
    def is_all(self) -> bool:
        """Whether that is the whole campaign."""
        return self.campaign.state == "scheduled" and self.messages == self.campaign.ready


@dataclass(frozen=True)
class Day:
    """A day on one clock, and what goes out on it, the earliest first."""

    date: date
    coming: Sequence[Coming]


def ends(now: datetime, zone: ZoneInfo) -> datetime:
    """When the last of these days is over."""
    return datetime.combine(now.astimezone(zone).date() + timedelta(days=DAYS), time(), zone)


def calendar(found: pd.DataFrame, campaigns: pd.DataFrame, *, now: datetime, zone: ZoneInfo) -> list[Day]:
    """The days with what goes out on each; none at all if nothing does.

    A campaign whose people have times of their own is there on each of the days on which some have theirs.
    One whose time has just passed still waits for whoever sends it, and is there today.

    Args:
        found: As `Ledger.coming` gives it, the soonest first.
        campaigns: As the ledger lists them.
        now: The present.
        zone: By whose clock a day begins.
    """
    today, known = now.astimezone(zone).date(), set(campaigns["campaign"])
    soon = found[(found["at"] < ends(now, zone)) & found["campaign"].isin(known)]
    if soon.empty:
        return []
    listed = campaigns[campaigns["campaign"].isin(soon["campaign"])]
    named = {campaign.campaign: campaign for campaign in Campaign.of_rows(listed)}
    by_day: dict[date, dict[str, Coming]] = {today + timedelta(days=ahead): {} for ahead in range(DAYS)}
    times = soon["at"].dt.to_pydatetime()
    for campaign, at, messages in zip(soon["campaign"], times, soon["messages"].tolist(), strict=True):
        of_day = by_day[max(at.astimezone(zone).date(), today)]
        so_far = of_day.get(campaign, Coming(named[campaign], at, at, 0))
        of_day[campaign] = replace(so_far, last=at, messages=so_far.messages + messages)
    return [Day(day, list(of_day.values())) for day, of_day in by_day.items()]
