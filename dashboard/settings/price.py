"""What can be a price of a credit, and what a currency, wherever somebody writes one."""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_HALF_UP, Context, Decimal, InvalidOperation

from dashboard.words import _

DECIMALS = 6
"""Of every price and amount; the finest prices of texts that we know of have five."""

_MOST = 1_000_000
"""Beyond this, a price is a typing error, and amounts have more digits than Decimal adds up exactly."""

FINEST = Decimal(1).scaleb(-DECIMALS)
"""The smallest part of a price or an amount that is kept."""

EXACT = Context(prec=MAX_PREC, rounding=ROUND_HALF_UP, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""For arithmetic without rounding, whatever a notebook has set: Decimal rounds to 28 digits by itself."""

_PRICE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(E[+-]?\d{1,4})?", re.ASCII | re.IGNORECASE)
_CURRENCY = re.compile(r"[A-Z]{3}")


def read_price(given: object) -> Decimal:
    """A price, from what somebody wrote or a number of any kind.

    Raises:
        ValueError: It is none; says what to write instead, without a full stop.
    """
    price = _exact(given)
    if not (price.is_finite() and 0 <= price <= _MOST):
        raise ValueError(_("write a price from 0 to 1,000,000 with a point, such as 0.045"))
    if price != EXACT.quantize(price, FINEST):
        raise ValueError(_("write a price with up to {most} decimals, such as 0.045").format(most=DECIMALS))
    return price.copy_abs()


def _exact(given: object) -> Decimal:
    """The number that it is; NaN where it is none."""
    if isinstance(given, str) and not _PRICE.fullmatch(given.strip()):
        return Decimal("NaN")
    try:
        return Decimal(given if isinstance(given, Decimal) or type(given) is int else str(given).strip())
    except InvalidOperation:
        return Decimal("NaN")


def mistake_in_currency(currency: str) -> str:
    """What to write instead of a currency, without a full stop; "" for one."""
    if _CURRENCY.fullmatch(currency):
        return ""
    return _("write the three letters of a currency (ISO 4217), such as EUR")
