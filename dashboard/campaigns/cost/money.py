"""Exact money: sums without rounding, and the one type of every column of money."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pandas as pd
import pyarrow as pa

from dashboard.errors import CampaignError
from dashboard.settings.price import DECIMALS, EXACT, FINEST
from dashboard.words import _

MONEY = pa.decimal128(18, DECIMALS)
"""The type of money in Arrow and Parquet; DuckDB and polars multiply it with counts, exactly.

18 digits are up to a million million less a millionth. With more, pandas could not multiply it: Arrow adds
the 19 digits of a count, and has 38.
"""

MONEY_DTYPE = pd.ArrowDtype(MONEY)
"""The same in pandas."""


def cost(credit_count: int, price_per_credit: Decimal) -> Decimal:
    """What this many credits cost.

    Example:
        >>> cost(3, Decimal("0.045"))
        Decimal('0.135')
    """
    return EXACT.multiply(Decimal(int(credit_count)), price_per_credit)


def total(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum of the known amounts; None, not 0, if none is known.

    Example:
        >>> total([Decimal("0.045"), None])
        Decimal('0.045')
    """
    known: Decimal | None = None
    for amount in amounts:
        if amount is not None:
            known = amount if known is None else EXACT.add(known, amount)
    return known


def money_column(amounts: Iterable[Decimal | None], index: pd.Index | None = None) -> pd.Series:
    """Amounts as a column of money; missing where one is, rounded half-up where one is finer.

    Only a ledger from before prices had at most six decimals has finer ones.

    Raises:
        CampaignError: One is larger than money in tables can be.

    Example:
        >>> money_column([Decimal("0.045"), None]).tolist()
        [Decimal('0.045000'), <NA>]
    """
    return pd.Series(pd.arrays.ArrowExtensionArray(money_array(amounts)), index)


def money_array(amounts: Iterable[Decimal | None]) -> pa.Array:
    """The same for Arrow."""
    try:
        known = known_amounts(amounts)
        return pa.array([amount if amount is None else _rounded(amount) for amount in known], MONEY)
    except pa.ArrowInvalid:  # which quotes the amount
        raise CampaignError(
            _("An amount of money has more than 12 digits before the decimal point. Correct the price.")
        ) from None


def known_amounts(column: Iterable[Any]) -> list[Decimal | None]:
    """A column of money as Python has it: None where an amount is missing."""
    return [None if pd.isna(amount) else amount for amount in column]


def _rounded(amount: Decimal) -> Decimal:
    return EXACT.quantize(amount, FINEST)
