"""When messages were sent and how many got through, counted in the database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Row, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.frames.of_rows import frame

_QUARTER_US = 15 * 60 * 1_000_000
_PIECES = 10


def hours(connection: Connection, campaigns: Sequence[str], at_most: int) -> pd.DataFrame:
    """Messages sent and delivered per quarter of an hour, from about `at_most` messages picked evenly."""
    table, result = schema.campaign, schema.result
    query = select(table.c.first_message, table.c.last_message)
    found = sorted(
        (int(first), int(last))
        for chunk in chunks(campaigns)
        for first, last in connection.execute(query.where(table.c.id.in_(chunk)))
    )
    quarter = in_microseconds(result.c.sent_at) // _QUARTER_US * _QUARTER_US
    counted = (
        select(quarter, func.count(), func.count(result.c.delivered_at))
        .where(result.c.sent_at.is_not(None))
        .group_by(quarter)
    )
    counts: list[Row[Any, Any, Any]] = []
    for first, last in _picked(found, at_most):
        counts += connection.execute(counted.where(result.c.message_id.between(first, last))).all()
    return frame("Ledger.hours(...)", counts)


def _picked(listed: Sequence[tuple[int, int]], at_most: int) -> Iterator[tuple[int, int]]:
    """First and last message of the ranges looked at: whole campaigns, or pieces spread evenly over them."""
    share = min(1.0, at_most / max(1, sum(last - first + 1 for first, last in listed)))
    for first, last in listed:
        if share == 1:
            yield first, last
            continue
        size = last - first + 1
        for piece in range(_PIECES):
            start = first + piece * size // _PIECES
            yield start, start + int(share * size / _PIECES) - 1
