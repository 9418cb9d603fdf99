"""What campaigns were billed, in money where their credits have a price."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import RowMapping

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.frames.sums.campaign_sums import CampaignSums


def billed(campaign: RowMapping, sums: CampaignSums) -> tuple[Decimal | None, int]:
    """The bill of a campaign in money, None without a price; and the credits billed without one."""
    if campaign["price_per_credit"] is not None:
        return cost(sums.credits_billed, campaign["price_per_credit"]), 0
    money = total(cost(many, Decimal(price)) for price, many in sums.bills.items() if price and many)
    return (Decimal() if money is None and campaign["cost_low"] is not None else money), sums.bills.get("", 0)
