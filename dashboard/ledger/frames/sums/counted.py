"""COUNTS and COURSE from the tallies: hundreds of rows, whatever the number of messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from operator import add
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Connection, Select, case, func, literal, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import HANDED_OVER, MESSAGE_STATES
from dashboard.ledger.evidence.events import STAGES
from dashboard.ledger.frames.declared import COUNTS, COURSE
from dashboard.ledger.frames.messages.message_rows import Chosen
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.causes import CAUSES, NOT_SENT, OF_BATCH
from dashboard.ledger.tallies.deltas import DROPPED
from dashboard.ledger.tallies.pool import STATE
from dashboard.ledger.tallies.spans import QUARTER
from dashboard.ledger.tallies.tables import cell, course, pool, tally, waiting
from dashboard.reports import Cause, Stage
from dashboard.reports.measures.stages import MAY_BE_SCHEDULED, STAGE_OF_STATE

_campaign, _batch, _cell, _tally, _waiting, _pool = (
    table.c for table in (schema.campaign, schema.batch, cell, tally, waiting, pool)
)
_SUMS = ("messages", "credits_low", "credits_high", "credits_billed", "difference")
_NEWS = (Stage.ACCEPTED, Stage.SENT, Stage.FAILED, Stage.DELIVERED, Stage.DROPPED)
_OWN_STAGE = {(code, waits): stage.value for code, stage in enumerate(_NEWS) for waits in (0, 1)}
_OWN_STAGE[0, 1] = Stage.SCHEDULED.value
_CAUSE_WORDS = [cause.value for cause in CAUSES]
_WORDS: dict[str, Sequence[str]] = {
    "state": MESSAGE_STATES,
    "stage": [stage.value for stage in Stage],
    "cause": [cause.value for cause in Cause],
}


def counts(connection: Connection, chosen: Chosen, now: datetime) -> pd.DataFrame:
    """Messages counted by everything that figures tell apart; see `Readings.counts`."""
    at = microseconds(now)
    rows = [_own(row) for row in connection.execute(_of_own_state(chosen, at))]
    rows += map(_following, connection.execute(_of_batches(chosen, at)))
    if not chosen.is_limited:  # none of these was handed over
        rows += map(_following, connection.execute(_of_pool(chosen, at)))
    totals: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0] * len(_SUMS))
    for row in rows:  # messages that are the same to COUNTS may be in several of the tables
        total = totals[row[: -len(_SUMS)]]
        total[:] = map(add, total, row[-len(_SUMS) :])
    found = frame(COUNTS, [(*key, *total) for key, total in totals.items()])
    words = {
        name: found[name].cat.set_categories(list(all_), ordered=name == "stage")
        for name, all_ in _WORDS.items()
    }
    return found.assign(**words)


def counted_course(connection: Connection, campaign_id: str | None) -> pd.DataFrame:
    """When messages were sent, failed and delivered; see `Readings.course`."""
    key = (course.c.campaign_id, course.c.stage, course.c.at)
    total = func.sum(course.c.messages)
    query = select(*key, total).group_by(*key).having(total != 0).order_by(*key)
    if campaign_id is not None:
        query = query.where(course.c.campaign_id == campaign_id)
    rows = [(one, STAGES[stage], at, int(many)) for one, stage, at, many in connection.execute(query)]
    return frame(COURSE, rows)


def _chosen(query: Select[Any], handed_over: ColumnElement[int], chosen: Chosen) -> Select[Any]:
    if chosen.campaign is not None:
        query = query.where(_cell.campaign_id == chosen.campaign)
    if chosen.is_limited:
        query = query.where(handed_over > 0)
    if chosen.since is not None:
        query = query.where(handed_over >= microseconds(chosen.since))
    if chosen.until is not None:
        query = query.where(handed_over < microseconds(chosen.until))
    return query


def _of_own_state(chosen: Chosen, now: int) -> Select[Any]:
    """What has a state of its own, summed over all shards: one by itself may be negative."""
    waits = case((_tally.due > now, 1), else_=0)
    key = (_tally.handed_over, _tally.stage, _tally.cause, waits, _tally.reason)
    query = (
        select(*_OF_CELL, *key, *(func.sum(_tally[name]) for name in _SUMS))
        .select_from(cell.join(schema.campaign, _campaign.id == _cell.campaign_id))
        .join(tally, _tally.cell_id == _cell.id)
        .group_by(_cell.id, _campaign.id, *key)
        .having(func.sum(_tally.messages) != 0)
    )
    return _chosen(query, _tally.handed_over, chosen)


def _of_batches(chosen: Chosen, now: int) -> Select[Any]:
    """What follows its batch."""
    claimed = in_microseconds(_batch.claimed_at) // QUARTER * QUARTER
    handed_over = case((_batch.state.in_(HANDED_OVER), func.coalesce(claimed, 0)), else_=0)
    waits = case((_waiting.due > now, 1), else_=0)
    query = (
        select(*_OF_CELL, handed_over, _batch.state, waits, *(func.sum(_waiting[n]) for n in _SUMS[:3]))
        .select_from(cell.join(schema.campaign, _campaign.id == _cell.campaign_id))
        .join(waiting, _waiting.cell_id == _cell.id)
        .join(schema.batch, _batch.id == _waiting.batch_id)
        .group_by(_cell.id, _campaign.id, handed_over, _batch.state, waits)
    )
    return _chosen(query, handed_over, chosen)


def _of_pool(chosen: Chosen, now: int) -> Select[Any]:
    """What waits in batches that nothing has happened to: ready, or cancelled with their campaign."""
    waits, never = case((_pool.due > now, 1), else_=0), literal(0)
    query = (
        select(*_OF_CELL, never, STATE, waits, *(func.sum(_pool[name]) for name in _SUMS[:3]))
        .select_from(cell.join(schema.campaign, _campaign.id == _cell.campaign_id))
        .join(pool, _pool.cell_id == _cell.id)
        .group_by(_cell.id, _campaign.id, waits)
        .having(func.sum(_pool.messages) != 0)
    )
    return _chosen(query, never, chosen)


_OF_CELL = (
    *(_cell.campaign_id, _cell.country, _cell.line_type, _cell.variant),
    *(_campaign.currency, _cell.price),
)


def _own(row: Sequence[Any]) -> tuple[Any, ...]:
    *of_cell, handed_over, stage, cause, waits, reason = row[: -len(_SUMS)]
    words = "dropped" if stage == DROPPED else "accepted", _OWN_STAGE[stage, waits], _CAUSE_WORDS[cause]
    return (*_cell_words(of_cell), handed_over or None, *words, reason or None, *map(int, row[-len(_SUMS) :]))


def _following(row: Sequence[Any]) -> tuple[Any, ...]:
    *of_cell, handed_over, state, waits, messages, low, high = row
    stage = STAGE_OF_STATE[state].value
    if waits and state in MAY_BE_SCHEDULED:
        stage = Stage.SCHEDULED.value
    words = (state, stage, _CAUSE_WORDS[OF_BATCH.get(state, NOT_SENT)], None)
    return (*_cell_words(of_cell), handed_over or None, *words, int(messages), int(low), int(high), 0, 0)


def _cell_words(of_cell: Sequence[Any]) -> tuple[Any, ...]:
    campaign, country, line_type, variant, currency, price = of_cell
    known = (country or None, line_type or None, variant or None)
    return (campaign, *known, currency, Decimal(price) if price else None)
