"""A campaign's estimate and bill: in money where a price is known, otherwise in credits."""

from __future__ import annotations

from dashboard.formatting import bill_words, credit_count, money_range
from dashboard.ledger import Campaign


def estimate_words(campaign: Campaign) -> str:
    """What it was estimated to cost."""
    if campaign.cost_low is None or campaign.cost_high is None:
        return credit_count(campaign.credits_low, campaign.credits_high)
    return money_range(campaign.cost_low, campaign.cost_high, campaign.currency)


def billed_words(campaign: Campaign) -> str:
    """What the service has billed so far."""
    if campaign.cost_billed is None:
        return credit_count(campaign.credits_billed)
    return bill_words({campaign.currency: campaign.cost_billed}, campaign.credits_without_price)
