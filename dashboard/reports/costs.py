"""What campaigns were going to cost, and what was billed."""

from __future__ import annotations

from decimal import Decimal

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
    "cost_low",
    "cost_high",
    "cost_billed",
]


def cost_by_campaign(campaigns: pd.DataFrame) -> pd.DataFrame:
    """Estimate and bill of each campaign, newest first.

    Args:
        campaigns: As `Ledger.campaigns` gives them.

    Returns:
        campaign, name, state, currency, price_per_credit, credits_low, credits_high, credits_billed,
        created_at, and cost_low, cost_high, cost_billed (Decimal; missing where a price is not known).
    """
    return campaigns[_KEPT].sort_values("created_at", ascending=False, kind="stable", ignore_index=True)


def billed_cost(messages: pd.DataFrame) -> Decimal | None:
    """What was billed for some messages, in money.

    Args:
        messages: As `Ledger.messages` gives them.

    Returns:
        credits_billed times price_per_credit, exactly; None when the price of a billed message is not known.
    """
    billed = messages[messages["credits_billed"].fillna(0) > 0]
    if billed["price_per_credit"].isna().any():
        return None
    credits_ = billed.groupby("price_per_credit", observed=True)["credits_billed"].sum()
    each = zip(credits_.index.tolist(), credits_.tolist(), strict=True)
    return sum((price * many for price, many in each), Decimal())
