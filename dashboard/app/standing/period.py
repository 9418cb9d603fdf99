"""Figures over all campaigns for the last days, with the preceding days for comparison. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.reports import Money, bill_missing, worth
from dashboard.reports.measures.money import Missing
from dashboard.reports.measures.stages import Stage
from dashboard.reports.measures.standing import LAST_NEWS, delivered_share, standing, standings


@dataclass(frozen=True)
class Totals:
    """Sums over the messages that were handed over in a period.

    Attributes:
        standing: How many there are in each of the glossary's figures.
        awaited: Open messages about which news is still awaited.
        credits_billed: Credits that the service said it used.
        money: The same in money, and the credits without a price.
        missing: The bills that have not come.
    """

    standing: Mapping[str, int]
    awaited: int
    credits_billed: int
    money: Money
    missing: Missing

    @property
    def delivered_share(self) -> float | None:
        """Delivered of the accepted; None until there are any."""
        return delivered_share(self.standing) if self.standing["accepted"] else None

    @property
    def delivered_share_at_most(self) -> float | None:
        """The same if all those about which news is awaited are delivered; None if there are none."""
        if not self.awaited:
            return None
        return (self.standing["delivered"] + self.awaited) / self.standing["accepted"]

    @property
    def one_amount(self) -> tuple[str, Decimal] | None:
        """Currency and amount, if every credit has a price and all are in that currency; else None."""
        amounts = list(self.money.amounts.items())
        return amounts[0] if len(amounts) == 1 and not self.money.without_price else None


@dataclass(frozen=True)
class Period:
    """The last days, the same number of days before, and a series by day.

    Attributes:
        days: How many days.
        now: Totals of the last days.
        before: Totals of the same number of days before.
        daily: One row per day of the period, oldest first: accepted, delivered, failed, credits_billed and
            delivered_share (missing on days without accepted messages).
    """

    days: int
    now: Totals
    before: Totals
    daily: pd.DataFrame


def first_day(days: int, now: datetime, zone: ZoneInfo) -> datetime:
    """When the first of the last `days` days begins, today included."""
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return midnight - timedelta(days=days - 1)


def period(counted: pd.DataFrame, *, days: int, now: datetime, zone: ZoneInfo) -> Period:
    """Add up what was handed over in the last days.

    Args:
        counted: COUNTS of twice as many days.
        days: Length of the period; a message counts on the day it was handed over.
        now: The present.
        zone: Whose days: the reporting time zone.
    """
    first, before = first_day(days, now, zone), first_day(2 * days, now, zone)
    at = counted["handed_over_at"]
    recent, earlier = counted[at >= first], counted[(at >= before) & (at < first)]
    daily = _daily(recent, first, days, zone)
    return Period(days, _totals(recent, now), _totals(earlier, now), daily)


def _totals(counted: pd.DataFrame, now: datetime) -> Totals:
    is_new = counted["handed_over_at"] + LAST_NEWS >= now
    return Totals(
        standing=standing(counted),
        awaited=standing(counted[is_new | (counted["stage"] == Stage.SCHEDULED)])["open"],
        credits_billed=int(counted["credits_billed"].sum()),
        money=worth(counted),
        missing=bill_missing(counted),
    )


def _daily(counted: pd.DataFrame, first: datetime, days: int, zone: ZoneInfo) -> pd.DataFrame:
    dated = counted.assign(day=counted["handed_over_at"].dt.tz_convert(zone.key).dt.date)
    figures = standings(dated, ["day"]).set_index("day")[["accepted", "delivered", "failed"]]
    billed = dated.groupby("day")["credits_billed"].sum()
    calendar = [(first + timedelta(days=day)).date() for day in range(days)]
    daily = figures.assign(credits_billed=billed).reindex(calendar, fill_value=0)
    return daily.assign(delivered_share=delivered_share(daily))
