"""Single values of an answer, read leniently: anything absent or odd becomes None."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from numbers import Integral
from typing import Any

from pandas import isna

_WHOLE = re.compile(r"(\d{1,19})(\.0*)?", re.ASCII)
_FIRST = datetime(2000, 1, 1, tzinfo=UTC)
_SECONDS = (946_684_800, 4_102_444_800)
"""Unix times from then until 2100. Other numbers mean something else: 46359.58 is a day in a spreadsheet."""

_DIGITS_OF_A_DAY = 8


def read_text(value: object) -> str | None:
    """A text as it is, or a number in digits; None where nothing is said."""
    if isinstance(value, str):
        return None if is_blank(value) else value
    number = read_count(value)
    return None if number is None else str(number)


def read_reason(value: object) -> str | None:
    """A text as it is, or the code of an error in its digits, even if written as 30003.0."""
    text = None if is_no_reason(value) else read_text(value)
    code = _WHOLE.fullmatch((text or "").strip())
    return code[1] if code else text


def is_no_reason(value: object) -> bool:
    """Whether nothing is said, or 0: the code of no error."""
    return is_blank(value) or read_count(value) == 0


def read_count(value: object) -> int | None:
    """A whole number, even if written as text, or as 2.0, as a column is with a blank in it, or Decimal."""
    if type(value) is int:
        return value
    if isinstance(value, str):
        whole = _WHOLE.fullmatch(value.strip())
        return int(whole[1]) if whole else None
    if isinstance(value, Decimal):
        value = float(value) if value.is_finite() else None
    if isinstance(value, Integral | float) and not isinstance(value, bool) and value % 1 == 0:
        return int(value)
    return None


def read_time(value: object) -> datetime | None:
    """A timestamp as aware UTC: ISO 8601 (without a zone it is UTC, as the contract says) or Unix time.

    Unix time is in seconds or milliseconds, as a number or in digits, with a fraction or without.
    """
    at = _time(value)
    return at if at is not None and at >= _FIRST else None


def is_no_time(value: object) -> bool:
    """Whether nothing is said, or 0, or a time before 2000: 0001-01-01 stands for no time at all."""
    if is_blank(value) or read_count(value) == 0:
        return True
    at = _time(value)
    return at is not None and at < _FIRST


def _time(value: object) -> datetime | None:
    """A timestamp of any year, or Unix time of those in `_SECONDS`."""
    if is_blank(value):
        return None
    try:
        if isinstance(value, str):
            value = value.strip()
            digits = value.replace(".", "", 1).isdecimal()  # CSV writes a column of numbers as 1795170600.0
            digits = digits and len(value.partition(".")[0]) != _DIGITS_OF_A_DAY
            value = float(value) if digits else datetime.fromisoformat(value)
        if isinstance(value, datetime):
            at = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
            if type(at) is not datetime:  # but a pandas Timestamp, which may have nanoseconds
                at = datetime.combine(at.date(), at.time(), UTC)
            return at
    except (ValueError, OverflowError):
        return None
    return _unix_time(value)


def _unix_time(value: object) -> datetime | None:
    number = value if isinstance(value, float) else read_count(value)
    if number is None:
        return None
    first, last = _SECONDS
    if first <= number < last:
        return datetime.fromtimestamp(number, UTC)
    return datetime.fromtimestamp(number / 1000, UTC) if first * 1000 <= number < last * 1000 else None


def is_blank(value: Any) -> bool:
    """Whether nothing is said: None, an empty text, or what a frame has for a missing value."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or isna(value) is True  # of an array it says so of each
