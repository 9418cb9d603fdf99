"""COUNTS and COURSE from the tallies: hundreds of rows, whatever the number of messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import HANDED_OVER, MESSAGE_STATES
from dashboard.ledger.evidence.events import STAGES
from dashboard.ledger.frames.declared import COUNTS, COURSE
from dashboard.ledger.frames.message_rows import Chosen
from dashboard.ledger.frames.of_rows import frame
from dashboard.ledger.tallies.causes import CAUSES, NOT_SENT, OF_BATCH
from dashboard.ledger.tallies.deltas import DROPPED
from dashboard.ledger.tallies.spans import QUARTER
from dashboard.ledger.tallies.tables import cell, course, tally, waiting
from dashboard.reports import Cause, Stage

_campaign, _batch, _cell, _tally, _waiting = (
    table.c for table in (schema.campaign, schema.batch, cell, tally, waiting)
)
_OWN_STAGE = (Stage.ACCEPTED, Stage.SENT, Stage.FAILED, Stage.DELIVERED)
_MAY_WAIT = (Stage.ACCEPTED, Stage.NOT_SENT_YET)
_WORDS: dict[str, Sequence[str]] = {
    "state": MESSAGE_STATES,
    "stage": [stage.value for stage in Stage],
    "cause": [cause.value for cause in Cause],
}


def counts(connection: Connection, chosen: Chosen, now: datetime) -> pd.DataFrame:
    """Messages counted by everything that figures tell apart; see `Readings.counts`."""
    sums: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0] * 5)
    for own in (True, False):
        query = _of_own_state(chosen) if own else _of_batches(chosen)
        for key, row in _rows(connection, query, _own if own else _following, microseconds(now)):
            total = sums[key]
            for place, value in enumerate(row):
                total[place] += int(value)
    found = frame(COUNTS, [(*key, *total) for key, total in sums.items() if total[0]])
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


def _of_own_state(chosen: Chosen) -> Select[Any]:
    """What has a state of its own, summed over all shards: one by itself may be negative."""
    key = (_tally.handed_over, _tally.stage, _tally.cause, _tally.due, _tally.reason)
    names = ("messages", "credits_low", "credits_high", "credits_billed", "difference")
    query = (
        select(*_OF_CELL, *key, *(func.sum(_tally[name]) for name in names))
        .select_from(cell.join(schema.campaign, _campaign.id == _cell.campaign_id))
        .join(tally, _tally.cell_id == _cell.id)
        .group_by(_cell.id, _campaign.id, *key)
        .having(func.sum(_tally.messages) != 0)
    )
    return _chosen(query, _tally.handed_over, chosen)


def _of_batches(chosen: Chosen) -> Select[Any]:
    """What follows its batch."""
    claimed = in_microseconds(_batch.claimed_at) // QUARTER * QUARTER
    handed_over = case((_batch.state.in_(HANDED_OVER), func.coalesce(claimed, 0)), else_=0)
    names = ("messages", "credits_low", "credits_high")
    query = (
        select(*_OF_CELL, handed_over, _batch.state, _waiting.due, *(func.sum(_waiting[n]) for n in names))
        .select_from(cell.join(schema.campaign, _campaign.id == _cell.campaign_id))
        .join(schema.batch, _batch.campaign_id == _campaign.id)
        .join(waiting, (_waiting.batch_id == _batch.id) & (_waiting.cell_id == _cell.id))
        .group_by(_cell.id, _campaign.id, handed_over, _batch.state, _waiting.due)
    )
    return _chosen(query, handed_over, chosen)


_OF_CELL = (
    *(_cell.campaign_id, _cell.country, _cell.line_type, _cell.variant),
    *(_campaign.currency, _cell.price),
)

_Read = Callable[[Sequence[Any], int], tuple[tuple[Any, ...], Sequence[int]]]


def _rows(
    connection: Connection, query: Select[Any], read: _Read, now: int
) -> Iterator[tuple[tuple[Any, ...], Sequence[int]]]:
    """The keys of COUNTS, and the sums."""
    width = len(_OF_CELL)
    for row in connection.execute(query):
        campaign, country, line_type, variant, currency, price = row[:width]
        key, sums = read(row[width:], now)
        words = (country or None, line_type or None, variant or None, currency)
        yield (campaign, *words, Decimal(price) if price else None, *key), sums


def _own(row: Sequence[Any], now: int) -> tuple[tuple[Any, ...], Sequence[int]]:
    handed_over, stage, cause, due, reason, *sums = row
    if stage == DROPPED:
        return (None, "dropped", Stage.DROPPED.value, CAUSES[cause].value, None), sums
    standing = _standing(_OWN_STAGE[stage], due, now)
    return (handed_over or None, "accepted", standing, CAUSES[cause].value, reason or None), sums


def _following(row: Sequence[Any], now: int) -> tuple[tuple[Any, ...], Sequence[int]]:
    handed_over, state, due, *sums = row
    stage = Stage.NOT_SENT_YET if state in {"ready", "sending"} else Stage(state)
    standing = stage.value if state == "sending" else _standing(stage, due, now)
    cause = CAUSES[OF_BATCH.get(state, NOT_SENT)].value
    return (handed_over or None, state, standing, cause, None), (*sums, 0, 0)


def _standing(stage: Stage, due: int, now: int) -> str:
    """The stage, or that its own time has not come."""
    return Stage.SCHEDULED.value if stage in _MAY_WAIT and due > now else stage.value
