"""Credits in money: exact sums, separately for each currency, and what has no price beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.campaigns.cost.money import cost, known_amounts, money_column, total
from dashboard.reports.measures.causes import BILL_MISSING
from dashboard.reports.measures.counting import as_counts

ESTIMATE = ("credits_low", "credits_high")


@dataclass(frozen=True)
class Money:
    """What credits are worth.

    Attributes:
        amounts: Exact, by currency; "" where the currency is not known. None without a price.
        without_price: Credits that have no price, and so are in none of them.
    """

    amounts: dict[str, Decimal] = field(default_factory=dict)
    without_price: int = 0


@dataclass(frozen=True)
class Missing:
    """Bills that have not come: of how many messages, and the most and least credits that they may be."""

    messages: int
    credits_low: int
    credits_high: int


@checks_frames
def worth(frame: pd.DataFrame) -> Money:
    """What the billed credits are worth, in each currency.

    Args:
        frame: As `Ledger.messages` gives them, or COUNTS.

    Returns:
        The money by currency (Decimal), and the credits that have no price.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> worth(messages).amounts
    """
    counted = as_counts(frame, ["price_per_credit", "currency"])
    currencies = counted["currency"].astype("str").fillna("")
    sums: dict[str, Decimal] = {}
    for currency, group in counted.groupby(currencies):
        (amount,) = known_amounts(costs(group, [])["cost"])
        if amount is not None:
            sums[str(currency)] = amount
    unpriced = counted.loc[counted["price_per_credit"].isna(), "credits_billed"]
    return Money(sums, int(unpriced.sum()))


@checks_frames
def costs(counted: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """What the billed credits of each group are worth; a group has one currency.

    Returns:
        The columns in `by`, sorted; cost (exact, of the credits with a price; missing without any) and
        without_price (the other credits).
    """
    keys = [counted[name] for name in by] or [pd.Series(0, counted.index)]
    amounts = pd.Series(
        [
            None if pd.isna(price) else cost(int(many), Decimal(str(price)))
            for many, price in zip(counted["credits_billed"], counted["price_per_credit"], strict=True)
        ],
        index=counted.index,
        dtype="object",
    )
    without = counted["credits_billed"].where(counted["price_per_credit"].isna(), 0)
    groups = pd.DataFrame({"cost": amounts, "without_price": without}).groupby(
        keys, observed=True, dropna=False
    )
    table = groups[["without_price"]].sum().astype("int64")
    sums = [total(group) for _, group in groups["cost"]] or ([None] if not by else [])
    if not by and table.empty:
        table = pd.DataFrame({"without_price": [0]})
    table.insert(0, "cost", money_column(sums, table.index))
    return table.reset_index(drop=not by)


@checks_frames
def estimated(frame: pd.DataFrame) -> pd.DataFrame:
    """COUNTS of what the estimate is of: messages that were approved and not left out later."""
    counted = as_counts(frame, ["state"])
    return counted[counted["state"].astype("str") != "dropped"]


@checks_frames
def bill_missing(frame: pd.DataFrame) -> Missing:
    """Messages that the service has, or may have, without a bill so far; never a bill of 0.

    Returns:
        messages, and credits_low and credits_high: the least and the most that they may be.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> bill_missing(messages).messages
        11
    """
    counted = as_counts(frame, ["cause"])
    open_ = counted[counted["cause"].isin(BILL_MISSING)]
    return Missing(*(int(open_[name].sum()) for name in ("messages", *ESTIMATE)))
