"""What campaigns were billed, in money where their credits have a price."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
from sqlalchemy import Connection, bindparam, func, select

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.database import schema

_Bill = tuple[Decimal | None, int]
"""The bill in money, None without a price; and the credits billed without one."""


def billed(connection: Connection, campaigns: pd.DataFrame) -> dict[str, pd.Series]:
    """The columns cost_billed and credits_without_price of these rows of `Ledger.campaigns()`."""
    by_batch = _by_batch_prices(connection, campaigns)
    names = ("campaign", "price_per_credit", "credits_billed", "cost_low")
    rows = zip(*(campaigns[name].tolist() for name in names), strict=True)
    bills = [
        _bill(price, credits_, estimate, by_batch.get(campaign, (None, 0)))
        for campaign, price, credits_, estimate in rows
    ]
    return {
        "cost_billed": pd.Series([money for money, _ in bills], campaigns.index, dtype=object),
        "credits_without_price": pd.Series([without for _, without in bills], campaigns.index, dtype="Int64"),
    }


def _bill(price: Decimal | None, credits_: int, estimate: Decimal | None, by_batch: _Bill) -> _Bill:
    if price is not None:
        return cost(credits_, price), 0
    money, without = by_batch
    return (Decimal() if money is None and estimate is not None else money), without


def _by_batch_prices(connection: Connection, campaigns: pd.DataFrame) -> dict[str, _Bill]:
    """The bill of campaigns whose batches have their own prices, or none, as far as there is a bill."""
    batch = schema.batch.c
    query = (
        select(batch.price_per_credit, func.sum(batch.credits_billed))
        .where(batch.campaign_id == bindparam("campaign"), batch.state != "split", batch.credits_billed > 0)
        .group_by(batch.price_per_credit)
    )
    concerned = campaigns["price_per_credit"].isna() & (campaigns["credits_billed"] > 0)
    found: dict[str, _Bill] = {}
    for campaign in campaigns.loc[concerned, "campaign"]:
        sums = [(price, int(many)) for price, many in connection.execute(query, {"campaign": campaign})]
        found[campaign] = (
            total(cost(many, price) for price, many in sums if price is not None),
            sum(many for price, many in sums if price is None),
        )
    return found
