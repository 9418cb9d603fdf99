"""What messages cost, and how groups change from month to month."""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from zoneinfo import ZoneInfo

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import known_amounts, money_column
from dashboard.campaigns.zones import zone_named
from dashboard.reports.measures.counting import as_counts
from dashboard.reports.measures.money import costs, estimated
from dashboard.reports.measures.stages import times
from dashboard.reports.measures.standing import standings
from dashboard.reports.tables.comparing.rates import delivery_rates
from dashboard.reports.tables.grouping import GROUP, By, columns_of, grouped
from dashboard.settings.price import FINEST

_CREDITS = ("credits_low", "credits_high", "credits_billed")
_OF_COST = (GROUP, "currency", "price_per_credit", "state", "stage")


@checks_frames
def cost_by(messages: pd.DataFrame, by: By) -> pd.DataFrame:
    """What groups of messages were going to cost, what was billed, and what each delivered message cost.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS. People who were left out later are not counted.
        by: A column such as "country", your own values with the frame's index, or several of these.

    Returns:
        One row per group and currency, in the order of groups: what was given in `by`, with its names and
        dtypes; currency, accepted and delivered (messages), credits_low, credits_high, credits_billed,
        credits_without_price (billed, in no money), cost_billed (exact money, missing without any) and
        cost_per_delivered (cost_billed ÷ delivered, to six decimals; missing without both).

    Raises:
        FrameError: Columns are missing, or the values in `by` have another index.
        OptionError: A name in `by` is one of the result's.

    Example:
        >>> cost_by(ledger.messages(), ["campaign_name", "country"])
    """
    own = grouped(messages, by, missing=True)
    counted = estimated(as_counts(own.frame, _OF_COST))
    keys = [GROUP, "currency"]
    stand, money = standings(counted, keys), costs(counted, keys)
    sums = counted.groupby(keys, observed=True, dropna=False)[list(_CREDITS)].sum().reset_index()
    each = zip(known_amounts(money["cost"]), stand["delivered"], strict=True)
    table = sums.assign(
        accepted=stand["accepted"],
        delivered=stand["delivered"],
        credits_without_price=money["without_price"],
        cost_billed=money["cost"],
        cost_per_delivered=money_column(_per_message(amount, int(many)) for amount, many in each),
    )
    return own.named(table[[*keys, "accepted", "delivered", *_CREDITS, *_OF_MONEY]])


_OF_MONEY = ("credits_without_price", "cost_billed", "cost_per_delivered")


def _per_message(amount: Decimal | None, messages: int) -> Decimal | None:
    if amount is None or not messages:
        return None
    return (amount / messages).quantize(FINEST, ROUND_HALF_EVEN)


@checks_frames
def trends(
    messages: pd.DataFrame,
    by: By | None = None,
    *,
    tz: str = "UTC",
    person: str | None = None,
    now: datetime | None = None,
) -> pd.DataFrame:
    """Delivered shares month by month, with the range that each can end in.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: What each month is broken down by, as in `delivery_rates`; by nothing else if absent.
        tz: On whose calendar the months are. A message belongs to the month in which it was handed over.
        person: The column of messages that says who got each, such as "to".
        now: The current time, which decides what is final; the clock's if absent.

    Returns:
        month (midnight of its first day, aware, in `tz`), then the columns of `delivery_rates` for each month
        and group, in this order. Messages that were never handed over are in no month.

    Raises:
        DashboardError: There is no such time zone.

    Example:
        >>> trends(ledger.messages(), "country", tz="Europe/Berlin")
    """
    month = _months(times(messages, "handed_over_at"), zone_named(tz))
    return delivery_rates(messages, [month, *columns_of(messages, by)], person=person, now=now)


def _months(at: pd.Series, zone: ZoneInfo) -> pd.Series:
    """The first moment of each time's month on a clock."""
    local = at.dt.tz_convert(zone).dt.tz_localize(None)
    first = local.dt.normalize() - pd.to_timedelta(local.dt.day - 1, unit="D")
    found = first.dt.tz_localize(zone, ambiguous=True, nonexistent="shift_forward").dt.as_unit("us")
    return pd.Series(found, name="month")
