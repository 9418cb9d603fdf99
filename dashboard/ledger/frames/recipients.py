"""A campaign's people, a page at a time: the database finds what is asked for, and nothing more is read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Row, func, or_, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.evidence.reports import batch_of_message
from dashboard.ledger.frames.stages import stage_of
from dashboard.ledger.frames.typed import frame
from dashboard.reports.measures.stages import start_of_quarter

_message, _result = schema.message.c, schema.result.c

_STATE = func.coalesce(_result.state, batch_of_message(schema.batch.c.state))
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
        is_due_later = start_of_quarter(now) < _SCHEDULED_AT
        query = query.where(stage_of(_result.stage, _STATE, is_due_later=is_due_later).in_(stages))
    return frame("Ledger.recipients(...)", connection.execute(query))
