"""Whom the service does not text because they told it STOP, and who of them is on the list of opt-outs."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
from sqlalchemy import Connection, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import in_microseconds
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.frames.typed import frame
from dashboard.reports.measures.told_stop import told_stop

_message, _result, _opt_out = schema.message.c, schema.result.c, schema.opt_out.c


def who_told_stop(connection: Connection, first: int, last: int) -> pd.DataFrame:
    """Of the people of these messages, each once, as the service said it last.

    Whoever was on the list then or later and was taken off again, because they want texts after all, counts
    as being on it.
    """
    failed = _result.message_id.between(first, last) & _result.failure_reason.is_not(None)
    failed &= _result.delivered_at.is_(None)
    reasons = connection.execute(select(_result.failure_reason).where(failed).distinct()).scalars()
    query = (
        select(_message.to, _result.failure_reason, _result.failed_at, in_microseconds(_opt_out.added_at))
        .join(schema.message, _message.id == _result.message_id)
        .outerjoin(schema.opt_out, (_opt_out.phone == _message.to) & _opt_out.removed_at.is_(None))
        .where(failed, _message.to != "")
    )
    said: dict[str, tuple[str, datetime, int | None]] = {}
    for some in chunks(filter(told_stop, reasons)):
        for phone, reason, at, added in connection.execute(query.where(_result.failure_reason.in_(some))):
            if phone not in said or said[phone][1] < at:
                said[phone] = (reason, at, added)
    taken_off = _taken_off(connection) if said else {}
    rows = []
    for phone, (reason, at, added) in sorted(said.items()):
        removed, before = taken_off.get(phone, (at, None))
        rows.append((phone, reason, added or (before if removed > at else None)))
    return frame("Ledger.told_stop(...)", rows)


def _taken_off(connection: Connection) -> dict[str, tuple[datetime, int]]:
    """When people were taken off the list last, and since when they had been on it."""
    query = select(
        _opt_out.phone, func.max(_opt_out.removed_at), func.max(in_microseconds(_opt_out.added_at))
    )
    listed = query.where(_opt_out.removed_at.is_not(None)).group_by(_opt_out.phone)
    return {phone: (removed, added) for phone, removed, added in connection.execute(listed)}
