"""COMING from the tallies: what goes out by itself, and when. A few rows, whatever the number of messages."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Select, and_, case, func, or_, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds, microseconds
from dashboard.ledger.database.states import GO_OUT_ANYWAY
from dashboard.ledger.frames.sums.campaign_sums import of_campaign
from dashboard.ledger.frames.typed import frame
from dashboard.ledger.tallies.tables import ACCEPTED, FOLLOWS, cell, tally

_campaign, _batch, _tally = schema.campaign.c, schema.batch.c, tally.c


def coming(connection: Connection, now: datetime, until: datetime | None) -> pd.DataFrame:
    """What goes out by itself; see `Readings.coming`."""
    at, last = microseconds(now), None if until is None else microseconds(until)
    found: dict[tuple[int, str], int] = defaultdict(int)
    for query in (_of_batches(at), _handed_over(at)):
        for campaign, when, many in connection.execute(query):
            found[when, campaign] += int(many)
    rows = [
        (campaign, when, many)
        for (when, campaign), many in sorted(found.items())
        if many and (last is None or when < last)
    ]
    return frame("Ledger.coming(...)", rows)


def _of_batches(now: int) -> Select[Any]:
    """What follows its batch and waits, for its campaign or for a time of its own."""
    is_ready, begins = _batch.state == "ready", in_microseconds(_campaign.scheduled_at)
    of_scheduled = and_(_campaign.state == "scheduled", is_ready)
    goes = or_(_batch.state.in_(GO_OUT_ANYWAY), and_(_campaign.state == "running", is_ready))
    when = case((and_(of_scheduled, begins > _tally.due), begins), else_=_tally.due)
    query = select(_batch.campaign_id, when, func.sum(_tally.messages)).group_by(_batch.campaign_id, when)
    query = query.join(tally, _tally.batch_id == _batch.id)
    query = query.join(schema.campaign, _campaign.id == _batch.campaign_id)
    waits = or_(of_scheduled, and_(_tally.due > now, goes))
    return query.where(of_campaign(None), _tally.stage == FOLLOWS, waits)


def _handed_over(now: int) -> Select[Any]:
    """What waits for its own time at the service, which has answered."""
    query = select(cell.c.campaign_id, _tally.due, func.sum(_tally.messages))
    query = query.join(tally, _tally.cell_id == cell.c.id).group_by(cell.c.campaign_id, _tally.due)
    return query.where(of_campaign(None), _tally.stage == ACCEPTED, _tally.due > now)
