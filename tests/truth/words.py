"""Numbers and money as people read them in English, written here once more."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

SYMBOLS = {"EUR": "€", "USD": "$", "JPY": "¥"}
DIGITS = {"JPY": Decimal(1)}


def amount(value: Decimal, currency: str) -> str:
    shown = value.quantize(DIGITS.get(currency, Decimal("0.01")), ROUND_HALF_UP)
    return f"{SYMBOLS[currency]}{shown:,}"


def amounts(low: Decimal, high: Decimal, currency: str) -> str:
    return amount(low, currency) if low == high else f"{amount(low, currency)}–{amount(high, currency)}"


def many(number: int, one: str, more: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


def credits_(low: int, high: int | None = None) -> str:
    return many(low, "credit") if high in {None, low} else f"{low:,}–{high:,} credits"


def bill(money: Mapping[str, Decimal], without_price: int) -> str:
    """As `€782.55 and 1,951 credits without a price`; credits only where nothing has a price."""
    said = [amount(value, currency) for currency, value in money.items()]
    if not said:
        return credits_(without_price)
    if without_price:
        said.append(many(without_price, "credit without a price", "credits without a price"))
    *first, last = said
    comma = "," if len(first) > 1 else ""
    return f"{', '.join(first)}{comma} and {last}" if first else last


def percent(part: int, whole: int) -> str:
    """With a decimal where there is one."""
    shown = (Decimal(100 * part) / whole).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
    return f"{shown:f}%".replace(".0%", "%")


def sent_again(messages: int, at_most: int) -> str:
    """What a service may bill beside the bills that came."""
    which = "with an unknown outcome"
    again = f"{many(messages, f'message {which} was', f'messages {which} were')} to be sent again"
    return f"{again}, so the service may bill up to {credits_(at_most)} more."
