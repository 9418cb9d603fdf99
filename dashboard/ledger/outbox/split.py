"""Split a batch into two smaller ones with the same messages and uuids."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from dashboard.ledger.database import schema
from dashboard.ledger.evidence.merging import SUMS, counts
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.deltas import counted_of


def split(connection: Connection, batch: Row[Any], *, middle: int) -> list[int]:
    """Put two ready batches in place of one that was set to `split`; returns their ids.

    The first holds the messages before `middle`, the second the rest.
    """
    halves = []
    for first, last in ((batch.first_message, middle - 1), (middle, batch.last_message)):
        low, high = _credits(connection, first, last)
        half = connection.execute(
            insert(schema.batch)
            .values(
                campaign_id=batch.campaign_id,
                seq=batch.seq,
                parent=batch.id,
                first_message=first,
                last_message=last,
                messages=last - first + 1,
                credits_low=low,
                credits_high=high,
                state="ready",
                reason=batch.reason,
                claimed_at=batch.claimed_at,  # the day's cap uses both to count which of them were accepted
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


def _credits(connection: Connection, first: int, last: int) -> tuple[int, int]:
    table = schema.message
    low, high = connection.execute(
        select(func.sum(table.c.credits_low), func.sum(table.c.credits_high)).where(
            table.c.id.between(first, last)
        )
    ).one()
    return int(low), int(high)


def _sums(connection: Connection, first: int, last: int) -> dict[str, int]:
    """The sums of these messages' results; few have one, or the batch would not be split."""
    result, message = schema.result, schema.message
    query = select(result, message.c.credits_high).join(message, message.c.id == result.c.message_id)
    rows = connection.execute(query.where(result.c.message_id.between(first, last))).mappings().all()
    each = [counts(counted_of(dict(row)), row["credits_high"]) for row in rows]
    return {name: sum(sums[index] for sums in each) for index, name in enumerate(SUMS)}
