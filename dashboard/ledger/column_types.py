"""How the ledger stores time and money: the same, exactly, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, String
from sqlalchemy.types import TypeDecorator

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(at: datetime) -> int:
    """Microseconds since 1970 in UTC.

    Raises:
        ValueError: The time has no zone.
    """
    if at.tzinfo is None:
        raise ValueError("times in the ledger need a time zone, for example datetime.now(UTC)")
    return (at - EPOCH) // _MICROSECOND


class Instant(TypeDecorator[datetime]):
    """An aware UTC datetime, stored as microseconds since 1970."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> int | None:  # noqa: D102
        return None if value is None else microseconds(value)

    def process_result_value(self, value: int | None, dialect: Any) -> datetime | None:  # noqa: D102
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Money(TypeDecorator[Decimal]):
    """A Decimal, stored as text, because SQLite would make it a float."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Any) -> str | None:  # noqa: D102
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Any) -> Decimal | None:  # noqa: D102
        return None if value is None else Decimal(value)
