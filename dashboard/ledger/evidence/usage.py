"""The most credits that count as used: each message with its bill, or else its highest estimate.

A bill may be missing from an answer (contract 2.1: "present in some responses"), for some of its messages or
for all. A bill of 0 counts as none: a message costs at least one credit (contract 8). Unknown and abandoned
messages may have been taken, so they count as well; those proven not to have been taken do not. What a person
sends again may have been taken the first time too: it counts once for each time whose outcome nobody knows.

Batches carry the sums this needs, so a claim adds up batches and never messages: `credits_counted` for
messages that were accepted, and `credits_own`, the highest estimates of messages that are accepted or dropped
individually.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, case, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.states import COUNTED_AS_USED

_batch = schema.batch.c

OPEN_CREDITS: ColumnElement[int] = _batch.credits_high - _batch.credits_own
"""For a batch: the highest estimates of its messages that have no state of their own."""

USED_CREDITS: ColumnElement[int] = case(
    (_batch.state == "split", 0),
    (_batch.state.in_(COUNTED_AS_USED), _batch.credits_counted + OPEN_CREDITS),
    else_=_batch.credits_counted,
)
"""For a batch: what counts as used."""


def counted(credits_used: int | None, credits_high: int) -> int:
    """What an accepted message counts as: its bill, or else its highest estimate."""
    return credits_used or credits_high


def used(connection: Connection, which: ColumnElement[bool]) -> int:
    """Credits of the batches that match `which`."""
    query = select(func.coalesce(func.sum(USED_CREDITS), 0)).where(which)
    return int(connection.execute(query).scalar_one()) + _perhaps_taken_before(connection, which)


def _perhaps_taken_before(connection: Connection, which: ColumnElement[bool]) -> int:
    """Highest estimates of what was unknown when a person decided to send it again."""
    decision = schema.decision.c
    query = (
        select(func.coalesce(func.sum(decision.credits_high), 0))
        .join(schema.batch, _batch.id == decision.batch_id)
        .where(decision.decision == "ready", which)
    )
    return int(connection.execute(query).scalar_one())
