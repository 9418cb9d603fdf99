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
from dashboard.ledger import schema

Cost = tuple[Decimal | None, Decimal | None]


def price_of_each(messages: pd.DataFrame, prices: Prices | None) -> pd.Categorical:
    """The price of a credit of each message, by its country; missing where it is not known."""
    if prices is None:
        return _categorical(np.zeros(len(messages), np.int64), [None])
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
        sum((one * int(many) for one, many in zip(price.categories, each, strict=True)), Decimal())
        for each in sums
    )
    return low, high


def cost_billed(connection: Connection, campaigns: pd.DataFrame) -> pd.Series:
    """What was billed for these rows of `Ledger.campaigns()`, in money; None where it is not known."""
    without_one = campaigns["price_per_credit"].isna() & (campaigns["credits_billed"] > 0)
    by_batch = _billed_by_batch_prices(connection, campaigns.loc[without_one, "campaign"].tolist())
    columns = (campaigns[name] for name in ("campaign", "price_per_credit", "credits_billed", "cost_low"))
    money = [
        by_batch.get(campaign, None if estimate is None else Decimal()) if price is None else price * billed
        for campaign, price, billed, estimate in zip(*(each.tolist() for each in columns), strict=True)
    ]
    return pd.Series(money, campaigns.index, dtype=object)


def _billed_by_batch_prices(connection: Connection, campaign_ids: Sequence[str]) -> dict[str, Decimal | None]:
    """The bill of campaigns whose batches have prices of their own, as far as there is one."""
    batch = schema.batch.c
    query = (
        select(batch.campaign_id, batch.price_per_credit, func.sum(batch.credits_billed))
        .where(batch.campaign_id == bindparam("campaign"), batch.state != "split", batch.credits_billed > 0)
        .group_by(batch.campaign_id, batch.price_per_credit)
    )
    sums: dict[str, Decimal | None] = {}
    for campaign in campaign_ids:
        for each, price, credits_ in connection.execute(query, {"campaign": campaign}):
            so_far = sums.get(each, Decimal())
            sums[each] = None if price is None or so_far is None else so_far + price * int(credits_)
    return sums
