"""Every status that the service ever reported for a message, each once, whatever order it came in.

`result` says where a message is now; this table says how it got there, so that nothing is lost that was
overtaken by newer news before anybody looked. A repeated status is not a new event, but an old one that comes
late is: the same reports in any order leave the same events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import EPOCH, microseconds
from dashboard.ledger.database.said import digest
from dashboard.ledger.database.writing import insert_new

STAGES = ("accepted", "sent", "failed", "delivered")
"""The words for evidence.py's stages, in their order."""

_TIMES_OF = (("created_at",), ("sent_at", "created_at"), ("sent_at", "created_at"), ("delivered_at",))
"""The fields with each stage's time. The contract has none for a failure: the last time before it counts."""


_INSERT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


def append_events(connection: Connection, said: Iterable[Mapping[str, Any]]) -> None:
    """Record what was said, given as rows of `result`, leaving out what was said before."""
    rows = [_event(row) for row in said]
    if not rows:
        return
    if connection.dialect.name == "sqlite":  # by the driver: 2 instead of 6 µs per message while sending
        stored = [
            (*key, microseconds(at), said, *words, microseconds(now)) for *key, at, said, words, now in rows
        ]
        connection.exec_driver_sql(_INSERT, stored)
    else:
        names = [column.name for column in schema.event.columns]
        values = [
            dict(zip(names, (*key, at, said, *words, now), strict=True))
            for *key, at, said, words, now in rows
        ]
        insert_new(connection, schema.event, values)


def _event(row: Mapping[str, Any]) -> tuple[int, int, datetime, int, tuple[str, str, str], datetime]:
    """Message, stage, time, digest, words and time of writing, in the order of the table's columns."""
    stage = row["stage"]
    at = next((row[name] for name in _TIMES_OF[stage] if row[name]), EPOCH)
    words = (row["status"] or "", row["failure_reason"] or "", "answer" if row["echoed"] else "report")
    return row["message_id"], stage, at, digest(words[0], words[1]), words, row["changed_at"]
