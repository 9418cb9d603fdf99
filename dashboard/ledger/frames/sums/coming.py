"""COMING from the tallies: what goes out by itself, and when. A few rows, whatever the number of messages."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

import pandas as pd
from sqlalchemy import ColumnElement, Connection, Select, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import GO_OUT_ANYWAY
from dashboard.ledger.frames.declared import COMING
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.tables import cell, pool, tally, waiting

_campaign, _batch, _cell, _tally, _waiting, _pool = (
    table.c for table in (schema.campaign, schema.batch, cell, tally, waiting, pool)
)


def coming(connection: Connection, now: datetime, until: datetime | None) -> pd.DataFrame:
    """What goes out by itself; see `Readings.coming`."""
    at, last = microseconds(now), None if until is None else microseconds(until)
    found: dict[tuple[int, str], int] = defaultdict(int)
    for campaign, begins, due, many in connection.execute(_of_scheduled()):
        found[max(begins, due), campaign] += int(many)
    for query in (_held(at), _of_batches(at), _handed_over(at)):
        for campaign, due, many in connection.execute(query):
            found[due, campaign] += int(many)
    rows = [
        (campaign, when, many)
        for (when, campaign), many in sorted(found.items())
        if many and (last is None or when < last)
    ]
    return frame(COMING, rows)


def _of_scheduled() -> Select[Any]:
    """What waits for its campaign, and within it perhaps for a time of its own."""
    begins = in_microseconds(_campaign.scheduled_at)
    return _summed(pool, _pool.due, begins).where(_campaign.state == "scheduled")


def _held(now: int) -> Select[Any]:
    """What waits for its own time in batches that nothing has happened to."""
    return _summed(pool, _pool.due).where(_campaign.state == "running", _pool.due > now)


def _of_batches(now: int) -> Select[Any]:
    """What waits for its own time and follows its batch."""
    goes = _batch.state.in_(GO_OUT_ANYWAY) | ((_batch.state == "ready") & (_campaign.state == "running"))
    summed = _summed(waiting, _waiting.due).join(schema.batch, _batch.id == _waiting.batch_id)
    return summed.where(_waiting.due > now, goes)


def _handed_over(now: int) -> Select[Any]:
    """What waits for its own time at the service, which has answered."""
    return _summed(tally, _tally.due).where(_tally.stage == 0, _tally.due > now)


def _summed(table: Any, due: ColumnElement[int], *more: ColumnElement[Any]) -> Select[Any]:
    key = (_cell.campaign_id, *more, due)
    grouped = select(*key, func.sum(table.c.messages)).group_by(_cell.campaign_id, _campaign.id, *more, due)
    joined = grouped.select_from(cell.join(schema.campaign, _campaign.id == _cell.campaign_id))
    return joined.join(table, table.c.cell_id == _cell.id)
