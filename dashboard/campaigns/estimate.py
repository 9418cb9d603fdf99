"""What a campaign will cost: credits as a range, money as Decimal; and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.campaigns.prices import Prices, one_price

_COUNTS = ("messages", "credits_low", "credits_high")


@dataclass(frozen=True)
class Estimate:
    """The cost of the messages that will be sent; those with a problem are not counted.

    Attributes:
        messages: How many will be sent.
        credits_low: Credits with the shortest short links.
        credits_high: Credits with the longest; the same as `credits_low` when no link is shortened.
        price_per_credit: The price for all, or None.
        cost_low: `credits_low` in money, or None where a price is missing.
        cost_high: `credits_high` in money, or None where a price is missing.
        currency: The price list's currency; None without a list.
        by_country: country, messages, credits_low, credits_high, price_per_credit, cost_low, cost_high; most
            messages first.
        by_line_type: line_type, messages, credits_low, credits_high; most messages first.
        by_variant: variant, messages, credits_low, credits_high, in the variants' order; empty without.
    """

    messages: int
    credits_low: int
    credits_high: int
    price_per_credit: Decimal | None
    cost_low: Decimal | None
    cost_high: Decimal | None
    currency: str | None
    by_country: pd.DataFrame
    by_line_type: pd.DataFrame
    by_variant: pd.DataFrame

    @property
    def is_exact(self) -> bool:
        """Whether the cost is one number, not a range."""
        return self.credits_low == self.credits_high

    @property
    def without_price(self) -> tuple[str, ...]:
        """Countries of messages for which the price list has no price; "" where the country is not known."""
        missing = self.by_country[self.by_country["price_per_credit"].isna()]
        return tuple(missing["country"].fillna("")) if self.currency else ()


def estimate_credits(
    messages: pd.DataFrame,
    *,
    price_per_credit: Decimal | float | str | None = None,
    prices: Prices | None = None,
) -> Estimate:
    """Add up what a campaign's messages will cost.

    Args:
        messages: MESSAGES, see `write_messages`.
        price_per_credit: Price of one credit; a float counts as it prints (0.1 is a tenth).
        prices: A price list by country, see `read_prices`; the one price counts
            where it has none.

    Raises:
        CampaignError: The price is negative or not a number.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447911123456"]})
        >>> estimate_credits(write_messages(people, "Hi!", campaign="x"), price_per_credit="0.05").cost_high
        Decimal('0.05')
    """
    known = _prices(price_per_credit, prices)
    sent = messages["problem"].isna().to_numpy()
    by_country = _priced(_totals(messages, "country", sent), known)
    low, high = (_sum(by_country[f"cost_{end}"]) if known else None for end in ("low", "high"))
    return Estimate(
        **{name: int(by_country[name].sum()) for name in _COUNTS},
        price_per_credit=known.elsewhere if known and not prices else None,
        cost_low=low,
        cost_high=high,
        currency=prices.currency if prices else None,
        by_country=by_country,
        by_line_type=_totals(messages, "line_type", sent),
        by_variant=_totals(messages, "variant", sent, keeps_order=True).dropna(ignore_index=True),
    )


def _prices(price_per_credit: Decimal | float | str | None, prices: Prices | None) -> Prices | None:
    """The list, with the one price wherever it has none."""
    if price_per_credit is None:
        return prices
    everywhere = one_price(price_per_credit)
    if prices is None:
        return everywhere
    return prices if prices.elsewhere is not None else replace(prices, elsewhere=everywhere.elsewhere)


def _totals(
    messages: pd.DataFrame, by: str, sent: npt.NDArray[np.bool_], *, keeps_order: bool = False
) -> pd.DataFrame:
    """Messages to be sent and their credits by a category column; the last row is for those without one."""
    column = messages[by].astype("category").cat
    places = column.codes.to_numpy() % (len(column.categories) + 1)  # -1, missing, comes last

    def total(weights: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
        return np.bincount(places, weights, len(column.categories) + 1).astype(np.int64)

    totals = pd.DataFrame(
        {
            by: pd.array([*column.categories, None], dtype="str"),
            "messages": total(sent),
            **{name: total(messages[name].to_numpy()) for name in _COUNTS[1:]},
        }
    )
    totals = totals[totals["messages"] > 0].reset_index(drop=True)
    if keeps_order:
        return totals
    return totals.sort_values(["messages", by], ascending=[False, True], ignore_index=True)


def _priced(totals: pd.DataFrame, prices: Prices | None) -> pd.DataFrame:
    """With price_per_credit, cost_low and cost_high: Decimal, None where the price is not known."""
    countries = totals["country"].astype(object).where(totals["country"].notna(), None)
    price = [prices.of(country) if prices else None for country in countries]
    columns: dict[str, list[Decimal | None]] = {"price_per_credit": price}
    for end in ("low", "high"):
        credits_ = totals[f"credits_{end}"].tolist()
        columns[f"cost_{end}"] = [
            None if each is None else number * each for number, each in zip(credits_, price, strict=True)
        ]
    return totals.assign(**{name: pd.Series(values, dtype=object) for name, values in columns.items()})


def _sum(costs: pd.Series) -> Decimal | None:
    return None if costs.isna().any() else sum(costs, Decimal())
