"""The spans of time that messages are counted by, in microseconds since 1970, aligned to the clock."""

from __future__ import annotations

from datetime import datetime

from dashboard.ledger.database.column_types import microseconds

SECOND = 1_000_000
QUARTER = 900 * SECOND
_HOUR, _DAY = 3_600 * SECOND, 86_400 * SECOND
_FINE, _MEDIUM = 10 * SECOND, 60 * SECOND

QUARTER_SQL = f"coalesce({{0}}, 0) / {QUARTER} * {QUARTER}"
DUE_SQL = f"(coalesce({{0}}, 0) + {QUARTER - 1}) / {QUARTER} * {QUARTER}"
SPAN_SQL = (
    f"CASE WHEN {{0}} - {{1}} < {_HOUR} THEN {{0}} / {_FINE} * {_FINE} "
    f"WHEN {{0}} - {{1}} < {_DAY} THEN {{0}} / {_MEDIUM} * {_MEDIUM} ELSE {{0}} / {QUARTER} * {QUARTER} END"
)
"""The same in SQL, of a time as stored; the last also of the campaign's start."""


def quarter(at: datetime | None) -> int:
    """The start of a time's quarter of an hour; 0 without a time."""
    return 0 if at is None else microseconds(at) // QUARTER * QUARTER


def due(at: datetime | None) -> int:
    """The end of a time's quarter of an hour, when it has certainly come; 0 without a time."""
    return 0 if at is None else -(-microseconds(at) // QUARTER) * QUARTER


def span(at: datetime, started: datetime | None) -> int:
    """The start of a moment's span: of 10 s in a campaign's first hour, 1 min on its first day, then 15."""
    moment = microseconds(at)
    age = moment - (microseconds(started) if started else 0)
    width = _FINE if age < _HOUR else _MEDIUM if age < _DAY else QUARTER
    return moment // width * width
