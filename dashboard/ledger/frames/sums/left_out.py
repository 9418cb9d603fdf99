"""Credits and money of people left out later: the estimate is of the others."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sqlalchemy import RowMapping

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.frames.sums.campaign_sums import CampaignSums

_ESTIMATE = ("credits_low", "credits_high")


def estimate(campaign: RowMapping, sums: CampaignSums) -> dict[str, Any]:
    """The estimate of one campaign's messages that were not left out later, from its row and its sums.

    Returns:
        credits_low, credits_high, cost_low and cost_high (None where a price is not known).
    """
    frozen = {name: campaign[name] for name in (*_ESTIMATE, "cost_low", "cost_high")}
    if not sums.left_out or frozen["credits_high"] is None:
        return frozen
    for place, (column, money) in enumerate((("credits_low", "cost_low"), ("credits_high", "cost_high"))):
        frozen[column] -= sum(each[place] for each in sums.left_out.values())
        if frozen[money] is not None:
            less = (cost(-each[place], Decimal(price)) for price, each in sums.left_out.items() if price)
            frozen[money] = total([frozen[money], *less])
    return frozen
