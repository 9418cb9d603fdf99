"""A campaign's people, a page at a time: the database finds what is asked for, and nothing more is read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Connection, Row, case, func, or_, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.tables import ACCEPTED, DELIVERED, FAILED, SENT
from dashboard.reports.measures.stages import MAY_BE_SCHEDULED, STAGE_OF_STATE, Stage, start_of_quarter

_message, _result, _batch = (table.c for table in (schema.message, schema.result, schema.batch))

_STATE = func.coalesce(
    _result.state,
    select(_batch.state)
    .where(_batch.first_message <= _message.id, _batch.state != "split")
    .order_by(_batch.first_message.desc())
    .limit(1)
    .correlate(schema.message)
    .scalar_subquery(),
)
_NEWS = {SENT: Stage.SENT.value, FAILED: Stage.FAILED.value, DELIVERED: Stage.DELIVERED.value}
_SCHEDULED_AT = func.coalesce(_result.scheduled_at, _message.scheduled_at)


def recipients(
    connection: Connection,
    campaign: Row[Any],
    stages: Collection[str],
    numbers: Collection[str] | None,
    *,
    after: int,
    limit: int,
    now: datetime,
) -> pd.DataFrame:
    """A campaign's messages after a place in it, in the order of sending; `limit` of those that match."""
    before = campaign.first_message - 1
    query = (
        select(
            (_message.id - before).label("place"),
            *(_message.row, _message.to, _STATE.label("state"), _result.failure_reason),
            _result.credits_used,
            *(in_microseconds(at) for at in (_SCHEDULED_AT, _result.sent_at, _result.delivered_at)),
            *(_message.country, _message.body),
        )
        .select_from(schema.message)
        .outerjoin(schema.result, _result.message_id == _message.id)
        .where(_message.id > before + after, _message.id <= campaign.last_message)
        .order_by(_message.id)
        .limit(limit)
    )
    if numbers is not None:
        whole = [number for number in numbers if number.startswith("+") and not number.endswith("*")]
        others = {*numbers}.difference(whole)
        # "+44*" finds only beginnings, although any place counts: a + stands nowhere else
        parts = [_message.to.contains(part.removesuffix("*"), autoescape=True) for part in others]
        query = query.where(or_(_message.to.in_(whole), *parts))
    if len(stages):
        query = query.where(_stage(now).in_(stages))
    return frame("Ledger.recipients(...)", connection.execute(query))


def _stage(now: datetime) -> ColumnElement[str]:
    """The stage of a message, as `reports.stages` has it."""
    waiting = _STATE.in_(MAY_BE_SCHEDULED) & (start_of_quarter(now) < _SCHEDULED_AT)
    return case(
        (_result.stage > ACCEPTED, case(_NEWS, value=_result.stage)),
        (waiting, Stage.SCHEDULED.value),
        else_=case({state: stage.value for state, stage in STAGE_OF_STATE.items()}, value=_STATE),
    )
