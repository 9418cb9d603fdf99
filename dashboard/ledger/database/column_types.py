"""How the ledger stores time and money: the same, exactly, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, String, Table, type_coerce
from sqlalchemy.types import TypeDecorator

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(at: datetime) -> int:
    """Microseconds since 1970 in UTC.

    Raises:
        ValueError: The time has no zone.
    """
    if at.tzinfo is None:
        raise ValueError("times in the ledger need a time zone, for example datetime.now(UTC)")
    since = at - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def in_microseconds(time: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column's times as they are stored, to be converted for a whole frame at once."""
    return type_coerce(time, BigInteger)


def as_stored(table: Table, *names: str) -> list[ColumnElement[Any]]:
    """These columns of a table, in this order, for a frame: times as `in_microseconds` has them."""
    columns = (table.c[name] for name in names)
    return [in_microseconds(one) if isinstance(one.type, Instant) else one for one in columns]


class Instant(TypeDecorator[datetime]):
    """An aware UTC datetime, stored as microseconds since 1970.

    It provides its processors directly: process_bind_param would be called through another function, and a
    batch has thousands of times.
    """

    impl = BigInteger
    cache_ok = True

    def bind_processor(self, dialect: Any) -> Any:  # noqa: D102
        return _stored

    def result_processor(self, dialect: Any, coltype: Any) -> Any:  # noqa: D102
        return instant


def _stored(value: datetime | None) -> int | None:
    return None if value is None else microseconds(value)


def instant(value: int | None) -> datetime | None:
    """A time from microseconds since 1970."""
    return None if value is None else EPOCH + timedelta(microseconds=value)


class Money(TypeDecorator[Decimal]):
    """A Decimal, stored as text, because SQLite would make it a float."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Any) -> str | None:  # noqa: D102
        return None if value is None else str(value)

    def process_result_value(self, value: str | None, dialect: Any) -> Decimal | None:  # noqa: D102
        return None if value is None else Decimal(value)
