"""Figures over all campaigns for the last days, with the preceding days for comparison. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.campaigns.cost.money import total


@dataclass(frozen=True)
class Totals:
    """Sums over the campaigns that were started in a period.

    Attributes:
        campaigns: How many there were.
        sent: Messages that the service accepted.
        delivered: Of these, delivered.
        failed: Of these, failed, and the ones it rejected.
        credits_billed: Credits that the service said it used.
        billed: The same in money, exactly, of the campaigns in `currency`; None without any price.
        money: The same by currency; empty without any price.
        without_price: The billed credits that have no price, and so are not in any amount of money.
    """

    campaigns: int
    sent: int
    delivered: int
    failed: int
    credits_billed: int
    billed: Decimal | None
    money: Mapping[str, Decimal]
    without_price: int

    @property
    def delivered_share(self) -> float | None:
        """The share delivered of those that have an outcome; None until there is one."""
        done = self.delivered + self.failed
        return self.delivered / done if done else None

    @property
    def one_amount(self) -> bool:
        """Whether `billed` is the whole bill: every credit has a price, in one currency."""
        return self.billed is not None and len(self.money) == 1 and not self.without_price


@dataclass(frozen=True)
class Period:
    """The last days, the same number of days before, and a series by day.

    Attributes:
        days: How many days.
        now: Totals of the last days.
        before: Totals of the same number of days before.
        daily: One row per day of the period, oldest first: sent, delivered, failed, credits_billed and
            delivered_share (missing on days without an outcome).
    """

    days: int
    now: Totals
    before: Totals
    daily: pd.DataFrame


def period(campaigns: pd.DataFrame, *, days: int, now: datetime, zone: ZoneInfo, currency: str) -> Period:
    """Add up the campaigns of the last days.

    Args:
        campaigns: As the ledger lists them.
        days: Length of the period; a campaign counts on the day it was started.
        now: The present.
        zone: Whose days.
        currency: Which campaigns' money is `billed`.
    """
    midnight = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    first = midnight - timedelta(days=days - 1)
    started = campaigns["started_at"]
    recent = campaigns[started >= first]
    earlier = campaigns[(started >= first - timedelta(days=days)) & (started < first)]
    return Period(
        days, _totals(recent, currency), _totals(earlier, currency), _daily(recent, first, days, zone)
    )


def _totals(campaigns: pd.DataFrame, currency: str) -> Totals:
    by_currency = campaigns["cost_billed"].groupby(campaigns["currency"].astype("str"))
    sums = {str(each): total(amounts) for each, amounts in by_currency}
    money = {each: amount for each, amount in sums.items() if amount is not None}
    return Totals(
        campaigns=len(campaigns),
        sent=int(campaigns["accepted"].sum()),
        delivered=int(campaigns["delivered"].sum()),
        failed=int(campaigns["failed"].sum() + campaigns["rejected"].sum()),
        credits_billed=int(campaigns["credits_billed"].sum()),
        billed=money.get(currency),
        money=money,
        without_price=int(campaigns["credits_without_price"].sum()),
    )


def _daily(campaigns: pd.DataFrame, first: datetime, days: int, zone: ZoneInfo) -> pd.DataFrame:
    counted = pd.DataFrame(
        {
            "sent": campaigns["accepted"],
            "delivered": campaigns["delivered"],
            "failed": campaigns["failed"] + campaigns["rejected"],
            "credits_billed": campaigns["credits_billed"],
        }
    )
    dates = campaigns["started_at"].dt.tz_convert(zone.key).dt.date
    calendar = [(first + timedelta(days=day)).date() for day in range(days)]
    daily = counted.groupby(dates).sum().reindex(calendar, fill_value=0)
    done = daily["delivered"] + daily["failed"]
    return daily.assign(delivered_share=(daily["delivered"] / done).where(done > 0))
