"""What a campaign is estimated and billed: in money where a price is known, in credits where not."""

from __future__ import annotations

from dashboard.app.pure.formatting import count_range, money, money_range, plural
from dashboard.ledger import Campaign


def estimate_words(campaign: Campaign) -> str:
    """What it was estimated to cost."""
    if campaign.cost_low is None or campaign.cost_high is None:
        return count_range(campaign.credits_low, campaign.credits_high, "credit")
    return money_range(campaign.cost_low, campaign.cost_high, campaign.currency)


def billed_words(campaign: Campaign) -> str:
    """What the service has billed so far."""
    if campaign.cost_billed is None:
        return plural(campaign.credits_billed, "credit")
    return money(campaign.cost_billed, campaign.currency)
