"""What counting a message needs of its frozen row, which never changes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement

from dashboard.ledger.database import schema


class Frozen(NamedTuple):
    """Where a message goes and what it is estimated to cost; its fields are columns of `message`."""

    country: str | None
    line_type: str | None
    variant: str | None
    credits_low: int
    credits_high: int
    scheduled_at: datetime | None


FROZEN: tuple[ColumnElement[Any], ...] = tuple(schema.message.c[name] for name in Frozen._fields)
