"""What campaigns were going to cost, and what was billed."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import cost, total

_KEPT = [
    "campaign",
    "name",
    "state",
    "currency",
    "price_per_credit",
    "credits_low",
    "credits_high",
    "credits_billed",
    "created_at",
    "cost_low",
    "cost_high",
    "cost_billed",
    "credits_without_price",
]


@checks_frames
def cost_by_campaign(campaigns: pd.DataFrame) -> pd.DataFrame:
    """Estimate and bill of each campaign, newest first.

    Args:
        campaigns: As `Ledger.campaigns` gives them.

    Returns:
        campaign, name, state, currency, price_per_credit, credits_low, credits_high, credits_billed,
        created_at, cost_low, cost_high (Decimal; missing where a price is not known), cost_billed (Decimal:
        the credits with a price; missing without any) and credits_without_price (billed, in no money).
    """
    return campaigns[_KEPT].sort_values("created_at", ascending=False, kind="stable", ignore_index=True)


@checks_frames
def distinct_prices(messages: pd.DataFrame) -> tuple[np.ndarray, list[Decimal]]:
    """The place of each message's price in a list of the distinct prices; -1 without a price.

    pandas sorts what it groups by, and a Decimal cannot be compared with a missing price. So messages are
    grouped by this place instead.

    Args:
        messages: As `Ledger.messages` gives them; prices from Parquet are texts, which is fine too.
    """
    prices = messages["price_per_credit"].astype("category").cat
    return prices.codes.to_numpy(), [Decimal(str(price)) for price in prices.categories]


@checks_frames
def billed_cost(messages: pd.DataFrame) -> tuple[Decimal | None, int]:
    """What was billed for some messages in one currency, in money.

    Args:
        messages: As `Ledger.messages` gives them.

    Returns:
        credits_billed times price_per_credit, exactly, of the messages with a price, None when none has one;
        and the credits billed without a price.
    """
    place, prices = distinct_prices(messages)
    credits_ = messages["credits_billed"].astype("Int64").fillna(0).to_numpy("int64")
    present = np.unique(place).tolist()
    sums = {nth: int(credits_[place == nth].sum()) for nth in present}
    without = sums.pop(-1, 0)
    return total(cost(many, prices[nth]) for nth, many in sums.items()), without
