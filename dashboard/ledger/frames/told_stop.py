"""Whom the service does not text because they told it STOP, and who of them is on the list of opt-outs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

import pandas as pd
from sqlalchemy import Connection, select

from dashboard.contacts.renumberings import every_spelling
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
        select(_message.to, _result.failure_reason, _result.failed_at)
        .join(schema.message, _message.id == _result.message_id)
        .where(failed, _message.to != "")
    )
    said: dict[str, tuple[str, datetime]] = {}
    for some in chunks(filter(told_stop, reasons)):
        for phone, reason, at in connection.execute(query.where(_result.failure_reason.in_(some))):
            if phone not in said or said[phone][1] < at:
                said[phone] = (reason, at)
    entries = _entries(connection, said)
    rows = []
    for phone, (reason, at) in sorted(said.items()):
        listed = [added for added, removed in entries[phone] if removed is None]
        taken_off = [added for added, removed in entries[phone] if removed is not None and removed > at]
        rows.append((phone, reason, min(listed, default=max(taken_off, default=None))))
    return frame("Ledger.told_stop(...)", rows)


def _entries(
    connection: Connection, phones: Collection[str]
) -> Mapping[str, list[tuple[int, datetime | None]]]:
    """When each phone was put on the list, in whichever spelling, and when it was taken off again."""
    spelled = defaultdict(list)
    for phone, spelling in every_spelling(phones):
        spelled[spelling].append(phone)
    query = select(_opt_out.phone, in_microseconds(_opt_out.added_at), _opt_out.removed_at)
    entries = defaultdict(list)
    for some in chunks(spelled):
        for spelling, added, removed in connection.execute(query.where(_opt_out.phone.in_(some))):
            for phone in spelled[spelling]:
                entries[phone].append((added, removed))
    return entries
