"""Every status that the service ever reported for a message, each once, whatever order it came in.

`result` says where a message is now; this table says how it got there, so that nothing is lost that was
overtaken by newer news before anybody looked. A repeated status is not a new event, but an old one that comes
late is: the same reports in any order leave the same events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.database.said import digest
from dashboard.ledger.database.writing import insert_columns

STAGES = ("accepted", "sent", "failed", "delivered")
"""The words for evidence.py's stages, in their order."""

Event = tuple[int, int, datetime, int, str, str, str, datetime]
"""In the order of the table's columns."""

_SENT = ("sent_at", "created_at")
_TIMES_OF = (("created_at", "created_at"), _SENT, _SENT, ("delivered_at", "delivered_at"))
"""The field with each stage's time, or else the one before. The contract has no time of a failure."""


def append_events(connection: Connection, events: Sequence[Event]) -> None:
    """Record what was said, leaving out what was said before."""
    if events:
        columns = zip(schema.event.columns.keys(), zip(*events, strict=True), strict=True)
        insert_columns(connection, schema.event, dict(columns), only_new=True)


def event_of(row: Mapping[str, Any]) -> Event:
    """What a row of `result` says."""
    stage, status, reason = row["stage"], row["status"] or "", row["failure_reason"] or ""
    first, otherwise = _TIMES_OF[stage]
    at = row[first] or row[otherwise] or EPOCH
    source = "answer" if row["echoed"] else "report"
    return row["message_id"], stage, at, digest(status, reason), status, reason, source, row["changed_at"]
