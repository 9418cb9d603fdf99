"""What can be a price of a credit, and what a currency, wherever somebody writes one."""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_HALF_UP, Context, Decimal

from dashboard.words import N_, _

DECIMALS = 6
"""Of every price and amount; the finest prices of texts that we know of have five."""

A_PRICE = N_("write a price from 0 to 1,000,000 with a point, such as 0.045")

_MOST = 1_000_000
"""Beyond this, a price is a typing error, and amounts have more digits than Decimal adds up exactly."""

FINEST = Decimal(1).scaleb(-DECIMALS)
"""The smallest part of a price or an amount that is kept."""

EXACT = Context(prec=MAX_PREC, rounding=ROUND_HALF_UP, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""For arithmetic without rounding, whatever a notebook has set: Decimal rounds to 28 digits by itself."""

_CURRENCY = re.compile(r"[A-Z]{3}")


def mistake_in_price(price: Decimal) -> str:
    """What to write instead, without a full stop; "" for a price."""
    if not (price.is_finite() and 0 <= price <= _MOST):
        return _(A_PRICE)
    if price != EXACT.quantize(price, FINEST):
        return _("write a price with up to {most} decimals, such as 0.045").format(most=DECIMALS)
    return ""


def mistake_in_currency(currency: str) -> str:
    """The same of a currency."""
    if _CURRENCY.fullmatch(currency):
        return ""
    return _("write the three letters of a currency (ISO 4217), such as EUR")
