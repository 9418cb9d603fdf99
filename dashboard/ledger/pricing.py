"""What a campaign's credits cost: one price for all its messages, or each batch at its country's price."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sqlalchemy import Connection, bindparam, func, select

from dashboard.campaigns import Prices
from dashboard.campaigns.money import cost, total
from dashboard.ledger import schema

Cost = tuple[Decimal | None, Decimal | None]

_Bill = tuple[Decimal | None, int]
"""What was billed in money, None without a price; and the credits billed without one."""


def price_of_each(messages: pd.DataFrame, prices: Prices | None) -> pd.Categorical:
    """The price of a credit of each message, by its country; missing where it is not known."""
    if prices is None or "country" not in messages:
        elsewhere = prices.elsewhere if prices else None
        return _categorical(np.zeros(len(messages), np.int64), [elsewhere])
    country = messages["country"].astype("category").cat
    by_code = [*map(prices.of, country.categories), prices.of(None)]
    return _categorical(country.codes.to_numpy(), by_code)


def _categorical(places: npt.NDArray[Any], prices: Sequence[Decimal | None]) -> pd.Categorical:
    """Each place's price, with the prices in ascending order."""
    known = sorted({price for price in prices if price is not None})
    codes = np.array([-1 if price is None else known.index(price) for price in prices])
    return pd.Categorical.from_codes(codes[places], pd.Index(known, dtype=object))


def only_price(price: pd.Categorical) -> Decimal | None:
    """The price that all messages share; None when they share none."""
    codes = np.unique(price.codes)
    return price.categories[codes[0]] if len(codes) == 1 and codes[0] >= 0 else None


def price_of_batches(price: pd.Categorical, starts: Sequence[int]) -> list[Decimal | None]:
    """The price of the batches that begin there; None for all when the campaign has one price."""
    if only_price(price) is not None:
        return [None] * len(starts)
    return [None if code < 0 else price.categories[code] for code in price.codes[list(starts)]]


def costs(credits_: npt.NDArray[np.int64], price: pd.Categorical) -> Cost:
    """Low and high credits (n × 2) in money, low and high; None where a price is not known."""
    if (price.codes < 0).any():
        return None, None
    sums = [np.bincount(price.codes, each, len(price.categories)).astype(np.int64) for each in credits_.T]
    low, high = (
        total(cost(int(many), one) for one, many in zip(price.categories, each, strict=True)) or Decimal()
        for each in sums
    )
    return low, high


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
    """The bill of campaigns whose batches have prices of their own, or none, as far as there is one."""
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
