"""What time it is for a ledger: the machine's on SQLite, the database's on PostgreSQL.

Several machines share a PostgreSQL ledger, and their clocks differ. Guards compare times that different
machines wrote: when a batch may be sent again, until when the gate is closed, when a schedule is due. So one
clock counts, the database's. It is not asked each time: a machine measures how far its own clock is off, once
in half a minute and whenever that clock was set.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Lock

from sqlalchemy import Connection, text

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.database.connections import Database

log = logging.getLogger(__name__)

Clock = Callable[[], datetime]

MEASURED_EVERY_S = 30.0
STEP_S = 0.5
"""A clock that moved this much further than the other one was set, or the machine slept."""

SAID_FROM = timedelta(seconds=5)
"""From this difference on the operator is told."""


def utc_now() -> datetime:
    """The machine's time, aware."""
    return datetime.now(UTC)


def behind(before: datetime, there: datetime, after: datetime) -> timedelta:
    """How far our clock is behind another one, which told its time between two looks at ours."""
    return there - (before + (after - before) / 2)


def behind_database(connection: Connection, now: Clock) -> timedelta:
    """How far our clock is behind PostgreSQL's."""
    before = now()
    there = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
    return behind(before, there, now())


def clock_of(database: Database) -> Clock:
    """The clock that counts for a ledger."""
    return utc_now if database.is_sqlite else DatabaseClock(database)


class Part:
    """A part of a ledger: it works on its database, and by its clock."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now


class DatabaseClock:
    """The time of a PostgreSQL database. Safe to share between threads.

    Args:
        database: Whose time.
        wall: The machine's clock.
        monotonic: Seconds that are not affected by setting the clock.
    """

    def __init__(
        self, database: Database, wall: Clock = utc_now, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._wall = wall
        self._monotonic = monotonic
        self._guard = Lock()
        self._behind = timedelta()
        self._said = timedelta()
        self._apart_s = 0.0
        self._measured_at: float | None = None

    def __call__(self) -> datetime:
        """The database's time, aware.

        Raises:
            LedgerUnavailableError: It was never reached; later the difference last measured counts.
        """
        with self._guard:
            if self._is_stale():
                try:
                    self._measure()
                except LedgerUnavailableError:
                    if self._measured_at is None:
                        raise
            return self._wall() + self._behind

    def _is_stale(self) -> bool:
        if self._measured_at is None or self._monotonic() - self._measured_at > MEASURED_EVERY_S:
            return True
        return abs(self._apart() - self._apart_s) > STEP_S

    def _apart(self) -> float:
        """How far the machine's two clocks are apart, in seconds; it changes when one of them is set."""
        return (self._wall() - EPOCH).total_seconds() - self._monotonic()

    def _measure(self) -> None:
        with self._database.read() as connection:
            connection.execute(text("SELECT 1"))  # connects, which may take long
            self._behind = behind_database(connection, self._wall)
        self._apart_s, self._measured_at = self._apart(), self._monotonic()
        if abs(self._behind - self._said) >= SAID_FROM:
            self._said = self._behind
            self._say()

    def _say(self) -> None:
        seconds = self._behind.total_seconds()
        if abs(self._behind) < SAID_FROM:
            log.warning("This machine's clock and the database's agree again.")
        else:
            log.warning(
                "This machine's clock is %.0f seconds %s the database's. The database's time counts; set "
                "this machine's clock.",
                abs(seconds),
                "behind" if seconds > 0 else "ahead of",
            )
