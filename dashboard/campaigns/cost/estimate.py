"""What a campaign will cost, with credits as a range and money as Decimal, and how the cost breaks down."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns.cost.money import cost, money_column, total
from dashboard.campaigns.cost.prices import Prices, prices_from
from dashboard.campaigns.frame_check import checks_frames
from dashboard.campaigns.sent_with import is_sent, require_columns
from dashboard.display import Card
from dashboard.formatting import credit_count, money_range
from dashboard.words import N_, _, plural

_BREAKDOWNS = ("country", "line_type", "variant")
_COUNTS = ("messages", "credits_low", "credits_high")


@dataclass(frozen=True, repr=False)
class Estimate:
    """The cost of the messages that will be sent; those with a problem are not counted.

    Its tables are live, and for reading: changing one changes no cost.

    Attributes:
        messages: How many will be sent.
        credits_low: Credits with the shortest short links.
        credits_high: Credits with the longest; the same as `credits_low` if no link is shortened.
        credits_utf16: The most credits if the service counts UTF-16 units instead of code points, which the
            contract leaves open; more than `credits_high` only with emoji or other rare characters.
        price_per_credit: The single price, or None.
        cost_low: `credits_low` in money, or None if a price is missing.
        cost_high: `credits_high` in money, or None if a price is missing.
        currency: The prices' currency; None if they do not say.
        by_country: country, messages, credits_low, credits_high, price_per_credit, cost_low, cost_high; most
            messages first.
        by_line_type: line_type, messages, credits_low, credits_high; most messages first.
        by_variant: variant, messages, credits_low, credits_high, in the variants' order; empty without
            variants.

    Example:
        >>> estimate_credits(messages, price_per_credit="0.05").is_exact
        True
    """

    messages: int
    credits_low: int
    credits_high: int
    credits_utf16: int
    price_per_credit: Decimal | None
    cost_low: Decimal | None
    cost_high: Decimal | None
    currency: str | None
    by_country: pd.DataFrame
    by_line_type: pd.DataFrame
    by_variant: pd.DataFrame

    def __repr__(self) -> str:
        return f"<Estimate: {', '.join(self._facts())}>"

    def _repr_html_(self) -> str:
        priced = self.cost_high is not None
        shown = ["country", *_COUNTS, *(["price_per_credit", "cost_low", "cost_high"] if priced else [])]
        return Card(
            "Estimate", self._facts(), self.by_country[shown], self._remarks(), self._next_step()
        ).html()

    def _facts(self) -> list[str]:
        sent = plural(self.messages, "{count} message", "{count} messages")
        facts = [sent, credit_count(self.credits_low, self.credits_high)]
        if self.cost_low is not None and self.cost_high is not None:
            facts.append(_cost(self.cost_low, self.cost_high, self.currency))
        return facts

    def _remarks(self) -> list[str]:
        remarks = []
        if not self.is_exact:
            remarks.append(_("It depends on the length of the service's short links."))
        if self.without_price:
            remarks.append(_("The price list lacks countries; see without_price."))
        return remarks

    def _next_step(self) -> str:
        if self.cost_high is None:
            return 'd.estimate_credits(messages, price_per_credit="0.05")'
        return 'ledger.create_campaign("Spring", messages, batch_size=100)'

    @property
    def is_exact(self) -> bool:
        """Whether the cost is one number, not a range."""
        return self.credits_low == self.credits_high

    @property
    def without_price(self) -> tuple[str, ...]:
        """Countries of messages for which the price list has no price; "" if the country is not known."""
        missing = self.by_country[self.by_country["price_per_credit"].isna()]
        return tuple(missing["country"].fillna("")) if self.currency else ()


@checks_arguments(prices=N_("Read them with read_prices."))
@checks_frames
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
        prices: A price list by country, see `read_prices`; the single price applies where it has none.

    Raises:
        CampaignError: The price is negative or not a number, or columns of MESSAGES are missing.

    Example:
        >>> people = pd.DataFrame({"phone": ["+447911123456"]})
        >>> estimate_credits(write_messages(people, "Hi!", campaign="x"), price_per_credit="0.05").cost_high
        Decimal('0.05')
    """
    require_columns(messages)
    known = prices_from(price_per_credit, prices)
    totals = _totals(messages)
    by_country = _most_first(totals["country"])
    priced = _priced(by_country, known)
    by_country = by_country.assign(**{name: money_column(amounts) for name, amounts in priced.items()})
    low, high = (_sum(priced[f"cost_{end}"]) if known else None for end in ("low", "high"))
    return Estimate(
        **{name: int(by_country[name].sum()) for name in _COUNTS},
        credits_utf16=int(messages["credits_utf16"].sum()),
        price_per_credit=known.elsewhere if known and not known.by_country else None,
        cost_low=low,
        cost_high=high,
        currency=known.currency if known else None,
        by_country=by_country,
        by_line_type=_most_first(totals["line_type"]),
        by_variant=totals["variant"].dropna(ignore_index=True),
    )


def _cost(low: Decimal, high: Decimal, currency: str | None) -> str:
    """In the prices' currency; without one, as plain figures."""
    if currency:
        return money_range(low, high, currency)
    return _("cost {amount}").format(amount=f"{low:,f}" if low == high else f"{low:,f}–{high:,f}")


def _totals(messages: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Messages to be sent and their credits by country, by line type and by variant, counted in one pass."""
    columns = [messages[name].astype("category").cat for name in _BREAKDOWNS]
    shape = [len(column.categories) + 1 for column in columns]
    cells = np.zeros(len(messages), np.int64)
    for column, size in zip(columns, shape, strict=True):
        cells *= size
        cells += column.codes.to_numpy() % size  # -1, meaning missing, indexes the last place of its column
    sent = is_sent(messages)
    counted = [cells if sent.all() else cells[sent], cells, cells]
    weights = [None, *(messages[name].to_numpy() for name in _COUNTS[1:])]
    sums = [
        np.bincount(places, each, np.prod(shape)).reshape(shape).astype(np.int64)
        for places, each in zip(counted, weights, strict=True)
    ]
    tables = {}
    for axis, (name, column) in enumerate(zip(_BREAKDOWNS, columns, strict=True)):
        others = tuple(other for other in range(len(shape)) if other != axis)
        totals = dict(zip(_COUNTS, (each.sum(axis=others) for each in sums), strict=True))
        table = pd.DataFrame({name: pd.array([*column.categories, None], dtype="str"), **totals})
        tables[name] = table[table["messages"] > 0].reset_index(drop=True)
    return tables


def _most_first(totals: pd.DataFrame) -> pd.DataFrame:
    by = [str(totals.columns[0])]
    return totals.sort_values(["messages", *by], ascending=[False, True], ignore_index=True)


def _priced(totals: pd.DataFrame, prices: Prices | None) -> dict[str, list[Decimal | None]]:
    """price_per_credit, cost_low and cost_high of each country, None where the price is not known."""
    countries = totals["country"].astype(object).where(totals["country"].notna(), None)
    price = [prices.of(country) if prices else None for country in countries]
    columns = {"price_per_credit": price}
    for end in ("low", "high"):
        numbers = totals[f"credits_{end}"].tolist()
        columns[f"cost_{end}"] = [
            None if each is None else cost(number, each) for number, each in zip(numbers, price, strict=True)
        ]
    return columns


def _sum(costs: list[Decimal | None]) -> Decimal | None:
    return None if None in costs else total(costs) or Decimal()
