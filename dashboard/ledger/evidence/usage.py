"""The most credits that count as used: each message with its bill, or else its highest estimate.

A bill may be missing from an answer (contract 2.1: "present in some responses"), for some of its messages or
for all. A bill of 0 counts as none: a message costs at least one credit (contract 8). Unknown and abandoned
messages may have been taken, so they count as well; those proven not to have been taken do not. What a person
sends again may have been taken the first time too: it counts once for each time whose outcome nobody knows,
and once more while it is unknown again, or given up, without another request that may have been taken: the
service refused it, the campaign was cancelled, or the person opted out.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, FromClause, Select, bindparam, func, or_, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import Instant, microseconds
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.states import COUNTED_AS_USED
from dashboard.ledger.tallies.counting import quarter
from dashboard.ledger.tallies.tables import ACCEPTED, DELIVERED, FOLLOWS, cell, tally

_batch, _campaign, _decision, _tally = schema.batch.c, schema.campaign.c, schema.decision.c, tally.c
_note = schema.attempt.c

FOLLOWING: FromClause = schema.batch.join(tally, (_tally.batch_id == _batch.id) & (_tally.stage == FOLLOWS))
"""Batches with what they hold that has no state of its own."""

_DECIDED_ABOUT = func.coalesce(
    select(func.max(_note.at, type_=_note.at.type))
    .where(
        _note.batch_id == _decision.batch_id,
        _note.attempt == _decision.attempt,
        or_(_note.event == "claimed", _note.event == "doubtful"),
    )
    .correlate(schema.decision)
    .scalar_subquery(),
    _decision.at,
)
"""For a decision: when the request was made whose outcome nobody knew."""


def _sum(counted: ColumnElement[int]) -> Select[Any]:
    return select(func.coalesce(func.sum(counted), 0).label("credits"))


def _of_batches(which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a decision is about one of these batches, which are looked up once.

    PostgreSQL would make a join of the bare condition, and may look at all of them for each decision.
    """
    return _decision.batch_id.in_(select(_batch.id).where(which)).is_(True)


_OWN = _sum(_tally.credits_counted).where(
    or_(*(_tally.stage == stage for stage in range(ACCEPTED, DELIVERED + 1)))
)
_OPEN = (
    _sum(_tally.credits_high)
    .select_from(FOLLOWING)
    .where(
        or_(*(_batch.state == state for state in COUNTED_AS_USED)),
        _batch.accepted + _batch.dropped < _batch.messages,
    )
)
_AGAIN = _sum(_decision.credits_high).where(_decision.decision == "ready")
"""The highest estimates of what was unknown when a person decided to send it again."""

_OF_CAMPAIGN = _batch.campaign_id == bindparam("campaign_")
_CELLS = select(cell.c.id).where(cell.c.campaign_id == bindparam("campaign_"))
_USED = [
    Prepared(_OWN.where(_tally.cell_id.in_(_CELLS))),
    Prepared(_OPEN.where(_OF_CAMPAIGN)),
    Prepared(_AGAIN.where(_of_batches(_OF_CAMPAIGN))),
]

_START, _END = bindparam("start_", type_=Instant), bindparam("end_", type_=Instant)
_FROM, _UNTIL = bindparam("from_", type_=BigInteger), bindparam("until_", type_=BigInteger)
_GOING_ON = select(_campaign.id).where(or_(_campaign.finished_at.is_(None), _campaign.finished_at >= _START))
_CELLS_THEN = select(cell.c.id).where(cell.c.campaign_id.in_(_GOING_ON))
_USED_BETWEEN = [
    Prepared(
        _OWN.where(_tally.cell_id.in_(_CELLS_THEN), _tally.handed_over >= _FROM, _tally.handed_over < _UNTIL)
    ),
    Prepared(_OPEN.where(_batch.claimed_at >= _START, _batch.claimed_at < _END)),
    Prepared(
        _AGAIN.where(
            _of_batches(_batch.claimed_at >= _START), _DECIDED_ABOUT >= _START, _DECIDED_ABOUT < _END
        )
    ),
]


def used(connection: Connection, campaign_id: str) -> int:
    """Credits of a campaign."""
    return sum(int(query.one(connection, campaign_=campaign_id).credits) for query in _USED)


def used_between(connection: Connection, start: datetime, end: datetime) -> int:
    """Credits of what was handed over from `start` until before `end`, and in the rest of their quarters."""
    given = {"start_": start, "end_": end, "from_": quarter(start), "until_": microseconds(end)}
    return sum(int(query.one(connection, **given).credits) for query in _USED_BETWEEN)
