"""What a campaign is estimated and billed: in money where a price is known, in credits where not."""

from __future__ import annotations

from dashboard.app.pure.formatting import count_range, money, money_range, plural
from dashboard.ledger import Campaign


def estimate_words(campaign: Campaign) -> str:
    """What it was estimated to cost."""
    price, low, high = campaign.price_per_credit, campaign.credits_low, campaign.credits_high
    if price is None:
        return count_range(low, high, "credit")
    return money_range(low * price, high * price, campaign.currency)


def billed_words(campaign: Campaign) -> str:
    """What the service has billed so far."""
    price, credits_ = campaign.price_per_credit, campaign.credits_billed
    return plural(credits_, "credit") if price is None else money(credits_ * price, campaign.currency)
