"""What campaigns were going to cost, and what was billed."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import known_amounts
from dashboard.reports.measures.counting import as_counts
from dashboard.reports.measures.money import costs

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

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> cost_by_campaign(ledger.campaigns())[["name", "currency", "cost_high", "cost_billed"]]
    """
    return campaigns[_KEPT].sort_values("created_at", ascending=False, kind="stable", ignore_index=True)


@checks_frames
def billed_cost(messages: pd.DataFrame) -> tuple[Decimal | None, int]:
    """What was billed for some messages in one currency, in money.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.

    Returns:
        credits_billed times price_per_credit, exactly, of the messages with a price, None when none has one;
        and the credits billed without a price.
    """
    whole = costs(as_counts(messages, ["price_per_credit"]), []).iloc[0]
    (amount,) = known_amounts([whole["cost"]])
    return amount, int(whole["without_price"])
