"""The most credits that count as used: each message with its bill, or else its highest estimate.

A bill may be missing from an answer (contract 2.1: "present in some responses"), for some of its messages or
for all. A bill of 0 counts as none: a message costs at least one credit (contract 8). Unknown and abandoned
messages may have been taken, so they count as well; those proven not to have been taken do not. What a person
sends again may have been taken the first time too: it counts once for each time whose outcome nobody knows,
and once more while it is unknown again because the service refused it.

Batches carry the sums this needs, so a claim adds up batches and never messages: `credits_counted` for
messages that were accepted, and `credits_own`, the highest estimates of messages that are accepted or dropped
individually. Only for a batch that was claimed both within a time and outside it are the messages asked, each
of which keeps when it was handed over.
"""

from __future__ import annotations

from datetime import datetime

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


def used(connection: Connection, campaign_id: str) -> int:
    """Credits of a campaign."""
    which = _batch.campaign_id == campaign_id
    return _sum(connection, USED_CREDITS, which) + _perhaps_taken_before(connection, which)


def used_between(connection: Connection, start: datetime, end: datetime) -> int:
    """Credits of what was handed over from `start` until before `end`."""
    claimed = (_batch.claimed_at >= start) & (_batch.first_claimed_at < end)
    within = (_batch.first_claimed_at >= start) & (_batch.claimed_at < end)
    is_open = _batch.state.in_(COUNTED_AS_USED) & (_batch.claimed_at < end)
    each = case(
        (_batch.state == "split", 0),
        (within, USED_CREDITS),
        else_=_handed_over(start, end) + case((is_open, OPEN_CREDITS), else_=0),
    )
    at = func.coalesce(_decided_about, _batch.claimed_at)
    again = _perhaps_taken_before(connection, claimed & (at >= start) & (at < end))
    return _sum(connection, each, claimed) + again


def _sum(connection: Connection, counted: ColumnElement[int], which: ColumnElement[bool]) -> int:
    query = select(func.coalesce(func.sum(counted), 0)).where(which)
    return int(connection.execute(query).scalar_one())


def _handed_over(start: datetime, end: datetime) -> ColumnElement[int]:
    """For a batch: what counts of the messages accepted by themselves that were handed over then."""
    result, message = schema.result.c, schema.message.c
    each = func.coalesce(func.nullif(result.credits_used, 0), message.credits_high)
    return (
        select(func.coalesce(func.sum(each), 0))
        .join(schema.message, message.id == result.message_id)
        .where(
            result.message_id.between(_batch.first_message, _batch.last_message),
            result.state == "accepted",
            result.handed_over_at >= start,
            result.handed_over_at < end,
        )
        .correlate(schema.batch)
        .scalar_subquery()
    )


_decided_about = (
    select(func.max(schema.attempt.c.at, type_=schema.attempt.c.at.type))
    .where(
        schema.attempt.c.batch_id == schema.decision.c.batch_id,
        schema.attempt.c.attempt == schema.decision.c.attempt,
        schema.attempt.c.event.in_(["claimed", "doubtful"]),
    )
    .correlate(schema.decision)
    .scalar_subquery()
)
"""For a decision: when the request was made whose outcome nobody knew."""


def _perhaps_taken_before(connection: Connection, which: ColumnElement[bool]) -> int:
    """Highest estimates of what was unknown when a person decided to send it again."""
    decision = schema.decision.c
    query = (
        select(func.coalesce(func.sum(decision.credits_high), 0))
        .join(schema.batch, _batch.id == decision.batch_id)
        .where(decision.decision == "ready", which)
    )
    return int(connection.execute(query).scalar_one())
