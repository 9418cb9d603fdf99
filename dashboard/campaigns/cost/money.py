"""Exact money. Python's Decimal silently rounds to 28 digits unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


def cost(credits_: int, price_per_credit: Decimal) -> Decimal:
    """What this many credits cost.

    Example:
        >>> cost(3, Decimal("0.045"))
        Decimal('0.135')
    """
    return _EXACT.multiply(Decimal(int(credits_)), price_per_credit)


def total(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """The sum of the known amounts; None, not 0, if none is known.

    Example:
        >>> total([Decimal("0.045"), None])
        Decimal('0.045')
    """
    known: Decimal | None = None
    for amount in amounts:
        if amount is not None:
            known = amount if known is None else _EXACT.add(known, amount)
    return known
