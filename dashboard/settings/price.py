"""What can be a price of a credit, and what a currency, wherever somebody writes one."""

from __future__ import annotations

import re
from decimal import Context, Decimal

from dashboard.words import N_, _

DECIMALS = 6
"""Of every price and amount; the finest prices of texts that we know of have five."""

A_PRICE = N_("write a price from 0 to 1,000,000 with a point, such as 0.045")

_MOST = 1_000_000
"""Beyond this, a price is a typing error, and amounts have more digits than Decimal adds up exactly."""

_FINEST = Decimal(1).scaleb(-DECIMALS)
_CONTEXT = Context(prec=28)  # whatever a notebook has set

_CURRENCY = re.compile(r"[A-Z]{3}")


def mistake_in_price(price: Decimal) -> str:
    """What to write instead, without a full stop; "" for a price."""
    if not (price.is_finite() and 0 <= price <= _MOST):
        return _(A_PRICE)
    if price != price.quantize(_FINEST, context=_CONTEXT):
        return _("write a price with up to {most} decimals, such as 0.045").format(most=DECIMALS)
    return ""


def mistake_in_currency(currency: str) -> str:
    """The same of a currency."""
    if _CURRENCY.fullmatch(currency):
        return ""
    return _("write the three letters of a currency (ISO 4217), such as EUR")
