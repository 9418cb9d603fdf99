"""Times in delivery reports that cannot be read, and how the first of them is shown to people."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from dashboard.ledger.database.said import MASK, without_numbers
from dashboard.service.models import Message
from dashboard.service.values import is_no_time

_TIMES = ("created_at", "scheduled_at", "sent_at", "delivered_at")
_LONGEST = 40
_FEWEST_DIGITS = 7
"""Fewer make no phone number."""

_THESE_YEARS = timedelta(days=2 * 366)


def other_numbers(messages: Iterable[Message], now: datetime) -> frozenset[str]:
    """The fields in which some number is no Unix time of these years: then none is, but a phone, say."""
    return frozenset(
        name
        for message in messages
        for name in _TIMES
        if _is_number(message.raw.get(name))
        and ((at := getattr(message, name)) is None or abs(at - now) > _THESE_YEARS)
    )


def unread_time(message: Message, others: Collection[str] = ()) -> str | None:
    """The first field with a time that cannot be read, unless it stands for none; None if there is none.

    In `others`, as `other_numbers` says, numbers are no times.
    """
    for name in _TIMES:
        said = message.raw.get(name)
        is_read = getattr(message, name) is not None and not (name in others and _is_number(said))
        if not is_read and not is_no_time(said):
            return name
    return None


def _is_number(said: object) -> bool:
    digits = str(said).strip().removesuffix(".0")
    return len(digits) >= _FEWEST_DIGITS and digits.isdecimal()


def example_of(message: Message, others: Collection[str] = ()) -> str:
    """Its time that cannot be read, and the field: `delivered_at: 03/12/2026 14:05`; "" if there is none.

    Whatever may be a phone number that got into the wrong column is left out.
    """
    field = unread_time(message, others)
    if field is None:
        return ""
    value = " ".join(str(message.raw[field]).split())
    value = MASK if "@" in value else without_numbers(value)
    return f"{field}: {value if len(value) <= _LONGEST else value[:_LONGEST] + '…'}"
