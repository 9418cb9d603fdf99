"""A batch split into parts, with the same messages and uuids, and what was decided about the whole."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult, Row, insert, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.tallies import recount


def split(connection: Connection, batch: Row[Any], firsts: Sequence[int]) -> list[int]:
    """Put ready batches in place of one that was set to `split`; returns their ids.

    Each begins with one of `firsts`, in their order; the caller locked the campaign.
    """
    ends = zip(firsts, [*(one - 1 for one in firsts[1:]), batch.last_message], strict=True)
    rows: list[dict[str, Any]] = [
        {
            "campaign_id": batch.campaign_id,
            "seq": batch.seq,
            "parent": batch.id,
            "first_message": first,
            "last_message": last,
            "messages": last - first + 1,
            "state": "ready",
            "claimed_at": batch.claimed_at,
            "first_claimed_at": batch.first_claimed_at,
            "due_at": batch.due_at,
            "price_per_credit": batch.price_per_credit,
            "texting_hours": batch.texting_hours,
            **dict.fromkeys(("credits_low", "credits_high", "accepted", "dropped"), 0),
        }
        for first, last in ends
    ]
    for message_id, low, high, own in _messages(connection, batch):
        part = rows[bisect(firsts, message_id) - 1]
        part["credits_low"] += low
        part["credits_high"] += high
        if own:
            part[own] += 1
    made = insert(schema.batch).returning(schema.batch.c.id, sort_by_parameter_order=True)
    parts = list(connection.execute(made, rows).scalars())
    recount.divide(connection, batch, parts)
    return parts


def sent_again(connection: Connection, batch_ids: Collection[int]) -> set[int]:
    """Which of these batches a person had sent again, as they are or as part of one that was split."""
    decision, batch = schema.decision.c, schema.batch.c
    found, descendants = set[int](), {one: [one] for one in batch_ids}
    while descendants:
        above: dict[int, list[int]] = {}
        for chunk in chunks(descendants):
            decided = select(decision.batch_id).where(
                decision.batch_id.in_(chunk), decision.decision == "ready"
            )
            for one in connection.execute(decided.distinct()).scalars():
                found.update(descendants[one])
            split = select(batch.id, batch.parent).where(batch.id.in_(chunk), batch.parent.is_not(None))
            for one, parent in connection.execute(split):
                above.setdefault(parent, []).extend(descendants[one])
        descendants = above
    return found


def _messages(connection: Connection, batch: Row[Any]) -> CursorResult[*tuple[Any, ...]]:
    """Of each message its id, its estimate from low to high, and its own state if it has one."""
    message, result = schema.message.c, schema.result.c
    query = select(message.id, message.credits_low, message.credits_high, result.state)
    its_own = query.outerjoin_from(schema.message, schema.result, result.message_id == message.id)
    return connection.execute(its_own.where(message.id.between(batch.first_message, batch.last_message)))
