"""What a campaign will cost: credits as a range, money as Decimal."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import pandas as pd

from dashboard.errors import CampaignError

_CREDITS = ["credits_low", "credits_high"]


@dataclass(frozen=True)
class Estimate:
    """The cost of the messages that will be sent; those with a problem are not counted.

    Attributes:
        messages: How many will be sent.
        credits_low: Credits with the shortest short links.
        credits_high: Credits with the longest; the same as `credits_low` when no link is shortened.
        price_per_credit: The price that was given, or None.
        cost_low: `credits_low` in money, or None without a price.
        cost_high: `credits_high` in money, or None without a price.
        by_country: country, messages, credits_low, credits_high; most messages first.
    """

    messages: int
    credits_low: int
    credits_high: int
    price_per_credit: Decimal | None
    cost_low: Decimal | None
    cost_high: Decimal | None
    by_country: pd.DataFrame

    @property
    def is_exact(self) -> bool:
        """Whether the cost is one number, not a range."""
        return self.credits_low == self.credits_high


def estimate_credits(
    messages: pd.DataFrame, *, price_per_credit: Decimal | float | str | None = None
) -> Estimate:
    """Add up what a campaign's messages will cost.

    Args:
        messages: MESSAGES, see `write_messages`.
        price_per_credit: Price of one credit; a float counts as it prints (0.1 is a tenth).

    Raises:
        CampaignError: The price is negative or not a number.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447911123456"]})
        >>> estimate_credits(write_messages(people, "Hi!", campaign="x"), price_per_credit="0.05").cost_high
        Decimal('0.05')
    """
    price = None if price_per_credit is None else _price(price_per_credit)
    sent = messages[messages["problem"].isna()] if messages["problem"].notna().any() else messages
    low, high = (int(sent[column].sum()) for column in _CREDITS)
    return Estimate(
        messages=len(sent),
        credits_low=low,
        credits_high=high,
        price_per_credit=price,
        cost_low=None if price is None else low * price,
        cost_high=None if price is None else high * price,
        by_country=_by_country(sent),
    )


def _price(given: Decimal | float | str) -> Decimal:
    try:
        price = Decimal(str(given))
    except InvalidOperation:
        price = Decimal("NaN")
    if not price.is_finite() or price < 0:
        raise CampaignError("The price of a credit is not a number of 0 or more. Write it as in 0.045.")
    return price


def _by_country(sent: pd.DataFrame) -> pd.DataFrame:
    totals = (
        sent.groupby("country", observed=True, dropna=False)
        .agg(
            messages=("credits_low", "size"),
            credits_low=("credits_low", "sum"),
            credits_high=("credits_high", "sum"),
        )
        .reset_index()
    )
    return totals.assign(country=totals["country"].astype("str")).sort_values(
        ["messages", "country"], ascending=[False, True], ignore_index=True
    )
