"""COUNTS and COURSE from the tallies: hundreds of rows, whatever the number of messages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from operator import add
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Connection, Select, case, func, literal_column, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import HANDED_OVER, MESSAGE_STATES
from dashboard.ledger.evidence.reading import STAGES
from dashboard.ledger.frames.declared import COUNTS, COURSE
from dashboard.ledger.frames.messages.message_rows import Chosen
from dashboard.ledger.frames.sums.campaign_sums import of_campaign
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.causes import CAUSES, NOT_SENT, OF_BATCH
from dashboard.ledger.tallies.tables import DROPPED, FOLLOWS, QUARTER, SPAN_SQL, cell, course, tally
from dashboard.reports import Cause, Stage
from dashboard.reports.measures.stages import MAY_BE_SCHEDULED, STAGE_OF_STATE

MOST = 200
"""How many reasons of a campaign are named, the most frequent: each message may have one of its own."""

OTHER = "other reasons"

_campaign, _batch, _cell, _tally = (table.c for table in (schema.campaign, schema.batch, cell, tally))
_SUMS = ("messages", "credits_low", "credits_high", "credits_billed", "difference")
_NEWS = (Stage.ACCEPTED, Stage.SENT, Stage.FAILED, Stage.DELIVERED, Stage.DROPPED)
_OWN_STAGE = {(code, waits): stage.value for code, stage in enumerate(_NEWS) for waits in (False, True)}
_OWN_STAGE[0, True] = Stage.SCHEDULED.value
_CAUSE_WORDS = [cause.value for cause in CAUSES]
_WORDS: dict[str, Sequence[str]] = {
    "state": MESSAGE_STATES,
    "stage": [stage.value for stage in Stage],
    "cause": [cause.value for cause in Cause],
}
_Key = tuple[Any, ...]
"""From the campaign to the reason, as COUNTS has them."""

_Measures = tuple[int, ...]


def counts(connection: Connection, chosen: Chosen, now: datetime) -> pd.DataFrame:
    """Messages counted by everything that figures tell apart; see `Readings.counts`."""
    at, cells = microseconds(now), _cells(connection, chosen)
    rows = [_own(cells, row, at) for row in connection.execute(_of_own_state(chosen)).all()]
    rows += [_following(cells, row, at) for row in connection.execute(_of_batches(chosen)).all()]
    totals: dict[_Key, _Measures] = {}
    for key, measures in _named(rows):
        before = totals.get(key)
        totals[key] = measures if before is None else tuple(map(add, before, measures))
    found = frame(COUNTS, [(*key, *total) for key, total in totals.items() if any(total)])
    words = {
        name: found[name].cat.set_categories(list(all_), ordered=name == "stage")
        for name, all_ in _WORDS.items()
    }
    return found.assign(**words)


def counted_course(connection: Connection, campaign_id: str | None) -> pd.DataFrame:
    """When messages were sent, failed and delivered; see `Readings.course`."""
    key = (course.c.campaign_id, course.c.stage, course.c.at)
    summed = select(*key, func.sum(course.c.messages).label("messages")).group_by(*key)  # as they are stored
    if campaign_id is not None:
        summed = summed.where(course.c.campaign_id == campaign_id)
    moments = summed.subquery("moments")
    span: ColumnElement[int] = literal_column(SPAN_SQL.format("moments.at", "coalesce(started_at, 0)"))
    spans = (moments.c.campaign_id, moments.c.stage, span)
    total = func.sum(moments.c.messages)
    query = select(*spans, total).join(schema.campaign, _campaign.id == moments.c.campaign_id)
    found = connection.execute(query.group_by(*spans).having(total != 0).order_by(*spans))
    return frame(COURSE, [(one, STAGES[stage], at, int(many)) for one, stage, at, many in found])


def _cells(connection: Connection, chosen: Chosen) -> dict[int, _Key]:
    """What cells are made up of, as COUNTS has it."""
    columns = (_cell.id, _cell.campaign_id, _cell.country, _cell.line_type, _cell.variant)
    query = select(*columns, _campaign.currency, _cell.price)
    query = query.join(schema.campaign, _campaign.id == _cell.campaign_id)
    if chosen.campaign is not None:
        query = query.where(_cell.campaign_id == chosen.campaign)
    return {
        cell_id: (campaign, *(word or None for word in words), currency, Decimal(price) if price else None)
        for cell_id, campaign, *words, currency, price in connection.execute(query)
    }


def _named(rows: Sequence[tuple[_Key, _Measures]]) -> Iterator[tuple[_Key, _Measures]]:
    """The rows, in which rare reasons are one."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (campaign, *_known, reason), (messages, *_credits) in rows:
        if reason is not None:
            found[campaign][reason] += messages
    rare = {(one, reason) for one, many in found.items() for reason, _n in many.most_common()[MOST:]}
    for key, measures in rows:
        yield (*key[:-1], OTHER) if (key[0], key[-1]) in rare else key, measures


def _limited(query: Select[Any], handed_over: ColumnElement[int], chosen: Chosen) -> Select[Any]:
    query = query.where(of_campaign(chosen.campaign))
    if chosen.is_limited:
        query = query.where(handed_over > 0)
    if chosen.since is not None:
        query = query.where(handed_over >= microseconds(chosen.since))
    if chosen.until is not None:
        query = query.where(handed_over < microseconds(chosen.until))
    return query


def _of_own_state(chosen: Chosen) -> Select[Any]:
    """What has a state of its own."""
    key = (_tally.cell_id, _tally.stage, _tally.handed_over, _tally.cause, _tally.due, _tally.reason)
    query = select(*key, *(func.sum(_tally[name]) for name in _SUMS)).group_by(*key)
    return _limited(query, _tally.handed_over, chosen).where(_tally.stage > FOLLOWS)


def _of_batches(chosen: Chosen) -> Select[Any]:
    """What follows its batch."""
    claimed = in_microseconds(_batch.claimed_at) // QUARTER * QUARTER
    handed_over = case((_batch.state.in_(HANDED_OVER), func.coalesce(claimed, 0)), else_=0)
    key = (_tally.cell_id, handed_over, _batch.state, _tally.due)
    query = select(*key, *(func.sum(_tally[name]) for name in _SUMS[:3])).group_by(*key)
    query = query.join(schema.batch, _batch.id == _tally.batch_id)
    return _limited(query, handed_over, chosen).where(_tally.stage == FOLLOWS)


def _own(cells: Mapping[int, _Key], row: Sequence[Any], now: int) -> tuple[_Key, _Measures]:
    cell_id, stage, handed_over, cause, due, reason, *sums = row
    words = "dropped" if stage == DROPPED else "accepted", _OWN_STAGE[stage, due > now], _CAUSE_WORDS[cause]
    return (*cells[cell_id], handed_over or None, *words, reason or None), tuple(map(int, sums))


def _following(cells: Mapping[int, _Key], row: Sequence[Any], now: int) -> tuple[_Key, _Measures]:
    cell_id, handed_over, state, due, *sums = row
    is_scheduled = due > now and state in MAY_BE_SCHEDULED
    stage = Stage.SCHEDULED.value if is_scheduled else STAGE_OF_STATE[state].value
    words = (state, stage, _CAUSE_WORDS[OF_BATCH.get(state, NOT_SENT)], None)
    return (*cells[cell_id], handed_over or None, *words), (*map(int, sums), 0, 0)
