"""What campaigns were going to cost, and what was billed."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pandas as pd

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
]


def cost_by_campaign(campaigns: pd.DataFrame) -> pd.DataFrame:
    """Estimate and bill of each campaign, newest first.

    Args:
        campaigns: As `Ledger.campaigns` gives them.

    Returns:
        campaign, name, state, currency, price_per_credit, credits_low, credits_high, credits_billed,
        created_at, and cost_low, cost_high, cost_billed (Decimal; missing where the campaign has no price).
    """
    costs = {
        f"cost_{which}": _money(campaigns[f"credits_{which}"], campaigns["price_per_credit"])
        for which in ("low", "high", "billed")
    }
    kept = campaigns[_KEPT].assign(**costs)
    return kept.sort_values("created_at", ascending=False, kind="stable", ignore_index=True)


def _money(credits_: pd.Series, prices: pd.Series) -> pd.Series:
    amounts = [_product(count, price) for count, price in zip(credits_, prices, strict=True)]
    return pd.Series(amounts, index=credits_.index, dtype="object")


def _product(credits_: Any, price: Any) -> Decimal | None:
    return None if pd.isna(price) or pd.isna(credits_) else int(credits_) * Decimal(price)
