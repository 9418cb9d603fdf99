"""COUNTS and COURSE from the tallies: hundreds of rows, whatever the number of messages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from datetime import datetime
from decimal import Decimal
from operator import add
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Connection, Select, case, func, literal_column, null, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import HANDED_OVER, MESSAGE_STATES
from dashboard.ledger.evidence.reading import STAGES
from dashboard.ledger.frames.declared import COUNTS, COURSE
from dashboard.ledger.frames.messages.message_rows import Chosen, only_known
from dashboard.ledger.frames.sums.campaign_sums import of_campaign
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.causes import CAUSES, NOT_SENT, OF_BATCH
from dashboard.ledger.tallies.tables import DROPPED, FOLLOWS, QUARTER, SPAN_SQL, cell, course, tally
from dashboard.reports import Cause, Stage
from dashboard.reports.measures.counting import KEYS, SUMS
from dashboard.reports.measures.stages import MAY_BE_SCHEDULED, STAGE_OF_STATE

MOST = 200
"""How many reasons of a campaign are named, the most frequent: each message may have one of its own."""

OTHER = "other reasons"

_campaign, _batch, _cell, _tally = (table.c for table in (schema.campaign, schema.batch, cell, tally))
_NEWS = (Stage.ACCEPTED, Stage.SENT, Stage.FAILED, Stage.DELIVERED, Stage.DROPPED)
_OWN_STAGE = {(code, waits): stage.value for code, stage in enumerate(_NEWS) for waits in (False, True)}
_OWN_STAGE[0, True] = Stage.SCHEDULED.value
_CAUSE_WORDS = [cause.value for cause in CAUSES]
_CAUSE_OF_STATE: dict[str, str] = {
    state: _CAUSE_WORDS[OF_BATCH.get(state, NOT_SENT)] for state in MESSAGE_STATES
}
_WORDS: dict[str, Sequence[str]] = {
    "state": MESSAGE_STATES,
    "stage": [stage.value for stage in Stage],
    "cause": [cause.value for cause in Cause],
}
_Key = tuple[Any, ...]
"""Values of KEYS, or of some of them."""

_Measures = tuple[int, ...]


def counts(connection: Connection, chosen: Chosen, keys: Sequence[str], now: datetime) -> pd.DataFrame:
    """Messages counted by what figures tell apart; see `Readings.counts`."""
    told = only_known(keys, KEYS, "key")
    needed, at = {"campaign", "state", "stage", *told}, microseconds(now)
    summed = (_of_own_state(chosen, with_reason="reason" in told), _of_batches(chosen))
    queries = [_told_apart(sums, needed, at) for sums in summed]
    rows = [_counted(row) for query in queries for row in connection.execute(query).all()]
    totals: dict[_Key, _Measures] = {}
    places = [KEYS.index(key) for key in told]
    for whole, measures in _named(rows):
        key = tuple(whole[place] for place in places)
        before = totals.get(key)
        totals[key] = measures if before is None else tuple(map(add, before, measures))
    found = frame(COUNTS, [(*key, *total) for key, total in totals.items() if any(total)], [*told, *SUMS])
    words = {
        name: found[name].cat.set_categories(list(all_), ordered=name == "stage")
        for name, all_ in _WORDS.items()
        if name in told
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
    found = connection.execute(query.group_by(*spans).having(total != 0).order_by(*spans)).all()
    return frame(COURSE, [(one, STAGES[stage], at, int(many)) for one, stage, at, many in found])


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


def _of_own_state(chosen: Chosen, *, with_reason: bool) -> Select[Any]:
    """What has a state of its own, added up in the order in which it is stored."""
    key = (_tally.cell_id, _tally.stage, _tally.handed_over, _tally.cause, _tally.due)
    reason = _tally.reason if with_reason else null().label("reason")
    query = select(*key, reason, *(func.sum(_tally[name]).label(name) for name in SUMS))
    query = query.group_by(*key, *([_tally.reason] if with_reason else []))
    return _limited(query, _tally.handed_over, chosen).where(_tally.stage > FOLLOWS)


def _of_batches(chosen: Chosen) -> Select[Any]:
    """What follows its batch, by the state of that."""
    claimed = in_microseconds(_batch.claimed_at) // QUARTER * QUARTER
    handed_over = case((_batch.state.in_(HANDED_OVER), func.coalesce(claimed, 0)), else_=0)
    key = (_tally.cell_id, _batch.state.label("stage"), handed_over.label("handed_over"), _tally.due)
    sums = (func.sum(_tally[name]).label(name) for name in SUMS)
    query = select(*key, null().label("cause"), null().label("reason"), *sums).group_by(*key)
    query = query.join(schema.batch, _batch.id == _tally.batch_id)
    return _limited(query, handed_over, chosen).where(_tally.stage == FOLLOWS)


def _told_apart(summed: Select[Any], needed: Set[str], now: int) -> Select[Any]:
    """The sums by what is needed of KEYS, in their order; as stage, whether a time of its own is to come."""
    told = summed.subquery("told")
    of_cell = (
        _cell.campaign_id,
        _cell.country,
        _cell.line_type,
        _cell.variant,
        _campaign.currency,
        _cell.price,
    )
    known = (told.c.handed_over, told.c.stage, told.c.due > now, told.c.cause, told.c.reason)
    columns: dict[str, ColumnElement[Any]] = dict(zip(KEYS, (*of_cell, *known), strict=True))
    key = [columns[name].label(name) if name in needed else null().label(name) for name in KEYS]
    adds_up = not needed >= set(KEYS)
    query = select(*key, *(func.sum(told.c[name]) if adds_up else told.c[name] for name in SUMS))
    query = query.select_from(told).join(cell, _cell.id == told.c.cell_id)
    query = query.join(schema.campaign, _campaign.id == _cell.campaign_id)
    return query.group_by(*(columns[name] for name in KEYS if name in needed)) if adds_up else query


def _counted(row: Sequence[Any]) -> tuple[_Key, _Measures]:
    *words, price, handed_over, told, waits, cause, reason = row[: len(KEYS)]
    if isinstance(told, str):  # the state of its batch
        is_scheduled = waits and told in MAY_BE_SCHEDULED
        stands = (told, Stage.SCHEDULED.value if is_scheduled else STAGE_OF_STATE[told].value)
        why: str | None = _CAUSE_OF_STATE[told]
    else:
        why = None if cause is None else _CAUSE_WORDS[cause]
        stands = ("dropped" if told == DROPPED else "accepted", _OWN_STAGE[told, bool(waits)])
    key = (
        *(word or None for word in words),
        Decimal(price) if price else None,
        *(handed_over or None, *stands, why, reason or None),
    )
    return key, tuple(map(int, row[len(KEYS) :]))
