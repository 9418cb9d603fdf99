"""Split a batch into two smaller ones with the same messages and uuids."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, case, func, insert, select

from dashboard.ledger.database import schema
from dashboard.ledger.tallies import recount


def split(connection: Connection, batch: Row[Any], *, middle: int) -> list[int]:
    """Put two ready batches in place of one that was set to `split`; returns their ids.

    The first holds the messages before `middle`, the second the rest.
    """
    halves = []
    for first, last in ((batch.first_message, middle - 1), (middle, batch.last_message)):
        half = connection.execute(
            insert(schema.batch)
            .values(
                campaign_id=batch.campaign_id,
                seq=batch.seq,
                parent=batch.id,
                first_message=first,
                last_message=last,
                messages=last - first + 1,
                state="ready",
                claimed_at=batch.claimed_at,
                first_claimed_at=batch.first_claimed_at,
                due_at=batch.due_at,
                price_per_credit=batch.price_per_credit,
                texting_hours=batch.texting_hours,
                **_sums(connection, first, last),
            )
            .returning(schema.batch.c.id)
        )
        halves.append(half.scalar_one())
    recount.divide(connection, batch, halves)
    return halves


def _sums(connection: Connection, first: int, last: int) -> dict[str, int]:
    """The estimate of these messages, and how many of them have a state of their own."""
    message, state = schema.message.c, schema.result.c.state
    sums = (
        *(func.sum(message[name]).label(name) for name in ("credits_low", "credits_high")),
        *(func.sum(case((state == name, 1), else_=0)).label(name) for name in ("accepted", "dropped")),
    )
    query = select(*sums).outerjoin_from(
        schema.message, schema.result, schema.result.c.message_id == message.id
    )
    found = connection.execute(query.where(message.id.between(first, last))).mappings().one()
    return {name: int(value) for name, value in found.items()}
