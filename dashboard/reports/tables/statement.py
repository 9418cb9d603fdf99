"""A month's statement: what was sent, what it was estimated at and what was billed, three ways that agree.

A message belongs to the month in which it was handed over to the service, by UTC. A bill the service has not
reported is shown as missing, with its estimate; it is never taken for 0. Money is added up exactly,
separately for each currency, and credits billed without a price are counted separately.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import cost, total
from dashboard.errors import DashboardError
from dashboard.reports.tables.costs import distinct_prices
from dashboard.reports.tables.reconcile import MAY_BE_BILLED, bills, reconcile
from dashboard.reports.tables.stages import HANDED_OVER, Stage, stages

_COUNTS = ("messages", "accepted", "delivered", "failed", "unknown", "credits_low", "credits_high")
_BILLED = ("credits_billed", "difference", "messages_not_billed", "open_low", "open_high")
_COUNTED = (*_COUNTS, *_BILLED)
SUMS = (*_COUNTED, "credits_without_price")
_TOLD = ("name", "sender", "currency")
_UNKNOWN = "not known"
_DEFAULT_SENDER = "the account's default"
_DECEMBER = 12
_LAST_YEAR = 9998


@dataclass(frozen=True)
class Statement:
    """A month, by campaign, by country and by sender, and the causes of differences.

    Attributes:
        month: Such as "2026-11".
        by_campaign: One row per campaign; columns in docs/columns.md, as of the next two.
        by_country: One row per country and currency.
        by_sender: One row per sender and currency.
        causes: From `reconcile`, for the whole month.
        totals: One row per currency: what the rows of each of the three add up to.
    """

    month: str
    by_campaign: pd.DataFrame
    by_country: pd.DataFrame
    by_sender: pd.DataFrame
    causes: pd.DataFrame
    totals: pd.DataFrame


@checks_arguments()
def month_bounds(month: str) -> tuple[datetime, datetime]:
    """The first moment of a month such as "2026-11", and that of the next; UTC.

    Raises:
        DashboardError: It is not a month.
    """
    found = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])", month)
    if found is None or not 1 <= int(found[1]) <= _LAST_YEAR:
        raise DashboardError(f"{month!r} is not a month. Write it like 2026-11.")
    year, number = int(found[1]), int(found[2])
    following = (year + 1, 1) if number == _DECEMBER else (year, number + 1)
    return datetime(year, number, 1, tzinfo=UTC), datetime(*following, 1, tzinfo=UTC)


@checks_frames
def monthly_statement(messages: pd.DataFrame, campaigns: pd.DataFrame, month: str) -> Statement:
    """The statement of a month.

    Args:
        messages: As `Ledger.messages` gives them; those of other months are left out.
        campaigns: As `Ledger.campaigns` gives them.
        month: Such as "2026-11".

    Raises:
        DashboardError: It is not a month.

    Example:
        >>> since, until = month_bounds("2026-11")
        >>> monthly_statement(ledger.messages(since=since, until=until), ledger.campaigns(), "2026-11")
    """
    since, until = month_bounds(month)
    handed_over = messages["handed_over_at"]
    left = messages["state"].isin(HANDED_OVER)  # not what was claimed and then proved unsent or dropped
    own = messages[left & (handed_over >= since) & (handed_over < until)]
    cells = _cells(own).join(_about(campaigns), on="campaign")
    told = cells[list(_TOLD)].astype("str").fillna(_UNKNOWN)
    cells = cells.assign(**{name: told[name] for name in _TOLD})
    return Statement(
        month,
        _totals(cells, ["campaign", *_TOLD]),
        _totals(cells, ["country", "currency"]),
        _totals(cells, ["sender", "currency"]),
        reconcile(own),
        _totals(cells, ["currency"]),
    )


def _cells(messages: pd.DataFrame) -> pd.DataFrame:
    """The sums by campaign, country and price, with what they cost; None without a price."""
    place, prices = distinct_prices(messages)
    finest = _each(messages).assign(place=place).groupby(["campaign", "country", "place"], sort=False)
    cells = finest[list(_COUNTED)].sum().reset_index()
    priced = cells["place"] >= 0
    costs = [
        cost(billed, prices[place]) if place >= 0 else None
        for billed, place in zip(cells["credits_billed"].tolist(), cells["place"].tolist(), strict=True)
    ]
    return cells.assign(
        credits_without_price=cells["credits_billed"].mask(priced, 0),
        cost_billed=pd.Series(costs, index=cells.index, dtype="object"),
    )


def _each(messages: pd.DataFrame) -> pd.DataFrame:
    """What each message adds to the sums."""
    stage, state = stages(messages), messages["state"].astype("str")
    bill = bills(messages)
    open_ = state.isin(MAY_BE_BILLED) & bill["credits_billed"].isna()
    counted: dict[str, pd.Series] = {
        "messages": pd.Series(1, messages.index),
        "accepted": state == "accepted",
        "delivered": stage == Stage.DELIVERED,
        "failed": stage == Stage.FAILED,
        "unknown": state == "unknown",
        "messages_not_billed": open_,
        "open_low": bill["credits_low"].where(open_, 0),
        "open_high": bill["credits_high"].where(open_, 0),
    }
    each = bill.drop(columns=["uuid", "cause"]).fillna({"credits_billed": 0, "difference": 0})
    each = each.assign(**counted)[list(_COUNTED)].astype("int64")
    return each.assign(
        campaign=messages["campaign"].astype("str"),
        country=messages["country"].astype("str").fillna(_UNKNOWN),
    )


def _about(campaigns: pd.DataFrame) -> pd.DataFrame:
    about = campaigns.set_index(campaigns["campaign"].astype("str"))
    sender = about["sender"].astype("str").fillna(_DEFAULT_SENDER)
    currency = about["currency"].astype("str")
    return about[["name"]].assign(sender=sender, currency=currency)


def _totals(cells: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Sums by some keys; the cost is that of the priced credits, and missing where nothing has a price."""
    groups = cells.groupby(keys, sort=True)
    totals = groups[list(SUMS)].sum().reset_index()
    costs = [total(group) for _, group in groups["cost_billed"]]
    return totals.assign(cost_billed=pd.Series(costs, index=totals.index, dtype="object"))
