"""Notes on what became of many batches at once, written by the database itself, however many there are."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, insert, literal, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import Instant
from dashboard.ledger.database.locks import lock_batches_where
from dashboard.ledger.evidence.merging import close_complete_where

_batch = schema.batch.c


def make_unknown(
    connection: Connection, which: ColumnElement[bool], *, event: str, reason: str, now: datetime
) -> int:
    """Make batches unknown, with a note; returns how many.

    Args:
        connection: A write transaction.
        which: Which batches; none of them is unknown yet.
        event: The word of the note.
        reason: A sentence for people.
        now: The time.
    """
    if not lock_batches_where(connection, which):
        return 0
    noted = select(
        *(_batch.id, _batch.attempt, _batch.owner if event == "lost" else literal("")),
        *(literal(now, Instant), literal(event), literal(reason)),
    )
    names = ["batch_id", "attempt", "owner", "at", "event", "detail"]
    connection.execute(insert(schema.attempt).from_select(names, noted.where(which).order_by(_batch.id)))
    values = {"state": "unknown", "reason": reason, "settled_at": now}
    if event == "doubtful":
        values["claimed_at"] = now
    moved = connection.execute(update(schema.batch).where(which).values(values))
    close_complete_where(connection, (_batch.state == "unknown") & (_batch.settled_at == now))
    return moved.rowcount
