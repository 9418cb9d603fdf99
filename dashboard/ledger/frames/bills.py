"""What campaigns were billed, in money where their credits have a price."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Connection, RowMapping, func, select

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.database import schema

Bill = tuple[Decimal | None, int]
"""The bill in money, None without a price; and the credits billed without one."""


def billed(connection: Connection, campaign: RowMapping) -> Bill:
    """What one campaign was billed, from its row of `Ledger.campaigns()` without these two columns."""
    if campaign["price_per_credit"] is not None:
        return cost(int(campaign["credits_billed"]), campaign["price_per_credit"]), 0
    money, without_price = _by_batch_prices(connection, campaign) if campaign["credits_billed"] else (None, 0)
    return (Decimal() if money is None and campaign["cost_low"] is not None else money), without_price


def _by_batch_prices(connection: Connection, campaign: RowMapping) -> Bill:
    """The bill of a campaign whose batches have their own prices, or none."""
    batch = schema.batch.c
    query = (
        select(batch.price_per_credit, func.sum(batch.credits_billed))
        .where(batch.campaign_id == campaign["campaign"], batch.state != "split", batch.credits_billed > 0)
        .group_by(batch.price_per_credit)
    )
    sums = [(price, int(many)) for price, many in connection.execute(query)]
    return (
        total(cost(many, price) for price, many in sums if price is not None),
        sum(many for price, many in sums if price is None),
    )
