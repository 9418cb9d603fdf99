"""What a campaign's credits cost: one price for all its messages, or each batch at its country's price."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.campaigns import Prices
from dashboard.campaigns.cost.money import cost, total


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
    """The price that all messages share; None if they share none."""
    codes = np.unique(price.codes)
    return price.categories[codes[0]] if len(codes) == 1 and codes[0] >= 0 else None


def price_of_batches(price: pd.Categorical, starts: Sequence[int]) -> list[Decimal | None]:
    """The price of the batches that begin there; None for all if the campaign has one price."""
    if only_price(price) is not None:
        return [None] * len(starts)
    return [None if code < 0 else price.categories[code] for code in price.codes[list(starts)]]


def most_money(credits_high: npt.NDArray[np.int64], price: pd.Categorical) -> Decimal | None:
    """What messages cost at most, as far as their prices are known."""
    known = price.codes >= 0
    by_price = np.bincount(price.codes[known], credits_high[known], len(price.categories)).astype(np.int64)
    return total(cost(int(many), one) for one, many in zip(price.categories, by_price, strict=True))
