"""Single values of an answer, read leniently: anything absent or odd becomes None."""

from __future__ import annotations

from datetime import UTC, datetime

_NUMBER_OF_DIGITS = 20


def read_text(value: object) -> str | None:
    """A text as it is."""
    return value if isinstance(value, str) else None


def read_count(value: object) -> int | None:
    """A whole number, even if written as text."""
    if type(value) is int:
        return value
    if isinstance(value, str) and value.isdecimal() and len(value) < _NUMBER_OF_DIGITS:
        return int(value)
    return None


def read_time(value: object) -> datetime | None:
    """A timestamp as aware UTC: ISO 8601 (without a zone it is UTC, as the contract says) or Unix seconds."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            if time.tzinfo is UTC:
                return time
            return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
