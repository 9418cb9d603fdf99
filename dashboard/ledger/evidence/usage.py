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
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, bindparam, case, func, or_, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import Instant
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.states import COUNTED_AS_USED

_batch, _result, _message, _decision = schema.batch.c, schema.result.c, schema.message.c, schema.decision.c

OPEN_CREDITS: ColumnElement[int] = _batch.credits_high - _batch.credits_own
"""For a batch: the highest estimates of its messages that have no state of their own."""

_IS_OPEN = or_(*(_batch.state == state for state in COUNTED_AS_USED))
USED_CREDITS: ColumnElement[int] = case(
    (_batch.state == "split", 0),
    (_IS_OPEN, _batch.credits_counted + OPEN_CREDITS),
    else_=_batch.credits_counted,
)
"""For a batch: what counts as used."""


def _sum(counted: ColumnElement[int]) -> Select[Any]:
    return select(func.coalesce(func.sum(counted), 0).label("credits"))


_START, _END = bindparam("start_", type_=Instant), bindparam("end_", type_=Instant)
_HANDED_OVER: ColumnElement[int] = (
    _sum(func.coalesce(func.nullif(_result.credits_used, 0), _message.credits_high))
    .join(schema.message, _message.id == _result.message_id)
    .where(
        _result.message_id.between(_batch.first_message, _batch.last_message),
        _result.state == "accepted",
        _result.handed_over_at >= _START,
        _result.handed_over_at < _END,
    )
    .correlate(schema.batch)
    .scalar_subquery()
)
"""For a batch: what counts of the messages accepted by themselves that were handed over then."""

_USED_THEN = case(
    (_batch.state == "split", 0),
    ((_batch.first_claimed_at >= _START) & (_batch.claimed_at < _END), USED_CREDITS),
    else_=_HANDED_OVER + case((_IS_OPEN & (_batch.claimed_at < _END), OPEN_CREDITS), else_=0),
)
_DECIDED_ABOUT = func.coalesce(
    select(func.max(schema.attempt.c.at, type_=schema.attempt.c.at.type))
    .where(
        schema.attempt.c.batch_id == _decision.batch_id,
        schema.attempt.c.attempt == _decision.attempt,
        or_(schema.attempt.c.event == "claimed", schema.attempt.c.event == "doubtful"),
    )
    .correlate(schema.decision)
    .scalar_subquery(),
    _batch.claimed_at,
)
"""For a decision: when the request was made whose outcome nobody knew."""


_AGAIN = (
    _sum(_decision.credits_high)
    .join(schema.batch, _batch.id == _decision.batch_id)
    .where(_decision.decision == "ready")
)
"""The highest estimates of what was unknown when a person decided to send it again."""

_OF_CAMPAIGN = _batch.campaign_id == bindparam("campaign_")
_THEN = (_batch.claimed_at >= _START) & (_batch.first_claimed_at < _END)
_USED = [Prepared(query.where(_OF_CAMPAIGN)) for query in (_sum(USED_CREDITS), _AGAIN)]
_USED_BETWEEN = [
    Prepared(_sum(_USED_THEN).where(_THEN)),
    Prepared(_AGAIN.where(_THEN, _DECIDED_ABOUT >= _START, _DECIDED_ABOUT < _END)),
]


def counted(credits_used: int | None, credits_high: int) -> int:
    """What an accepted message counts as: its bill, or else its highest estimate."""
    return credits_used or credits_high


def used(connection: Connection, campaign_id: str) -> int:
    """Credits of a campaign."""
    return sum(int(query.one(connection, campaign_=campaign_id).credits) for query in _USED)


def used_between(connection: Connection, start: datetime, end: datetime) -> int:
    """Credits of what was handed over from `start` until before `end`."""
    return sum(int(query.one(connection, start_=start, end_=end).credits) for query in _USED_BETWEEN)
