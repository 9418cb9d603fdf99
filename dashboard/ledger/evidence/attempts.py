"""Notes on what became of many batches at once, written by the database itself, however many there are."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, insert, literal, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import Instant
from dashboard.ledger.database.locks import lock_batches_where
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.evidence.merging import close_complete

_batch = schema.batch.c


def make_unknown(
    connection: Connection, which: ColumnElement[bool], *, event: str, reason: str, now: datetime
) -> int:
    """Make batches unknown, none of which is so yet, with a note; returns how many."""
    noted = select(
        *(_batch.id, _batch.attempt, _batch.owner if event == "lost" else literal("")),
        *(literal(now, Instant), literal(event), literal(reason)),
    )
    names = ["batch_id", "attempt", "owner", "at", "event", "detail"]
    values: dict[str, Any] = {"state": "unknown", "reason": reason, "settled_at": now}
    if event == "doubtful":
        values["claimed_at"] = now
        made = select(schema.campaign.c.created_at).where(schema.campaign.c.id == _batch.campaign_id)
        values["first_claimed_at"] = func.coalesce(_batch.first_claimed_at, made.scalar_subquery())
    locked = lock_batches_where(connection, which)
    for chunk in chunks(locked):
        these = _batch.id.in_(chunk)
        connection.execute(insert(schema.attempt).from_select(names, noted.where(these).order_by(_batch.id)))
        connection.execute(update(schema.batch).where(these).values(values))
    close_complete(connection, locked)
    return len(locked)
