"""The spans of time that messages are counted by, in microseconds since 1970, aligned to the clock."""

from __future__ import annotations

from datetime import datetime

from dashboard.ledger.database.column_types import microseconds

SECOND = 1_000_000
MOMENT, MINUTE, QUARTER = 10 * SECOND, 60 * SECOND, 900 * SECOND
HOUR, DAY = 3_600 * SECOND, 86_400 * SECOND

QUARTER_SQL = f"coalesce({{0}}, 0) / {QUARTER} * {QUARTER}"
DUE_SQL = f"(coalesce({{0}}, 0) + {QUARTER - 1}) / {QUARTER} * {QUARTER}"
SPAN_SQL = (
    f"CASE WHEN {{0}} - {{1}} < {HOUR} THEN {{0}} WHEN {{0}} - {{1}} < {DAY} "
    f"THEN {{0}} / {MINUTE} * {MINUTE} ELSE {{0}} / {QUARTER} * {QUARTER} END"
)
"""What is shown of a moment: 10 s in a campaign's first hour, 1 min on its first day, then 15."""


def quarter(at: datetime | None) -> int:
    """The start of a time's quarter of an hour; 0 without a time."""
    return 0 if at is None else microseconds(at) // QUARTER * QUARTER


def due(at: datetime | None) -> int:
    """The end of a time's quarter of an hour, when it has certainly come; 0 without a time."""
    return 0 if at is None else -(-microseconds(at) // QUARTER) * QUARTER


def moment(at: datetime) -> int:
    """The start of a time's 10 s."""
    return microseconds(at) // MOMENT * MOMENT
