"""Whether a ledger's database answers, and takes changes, asked from outside of everything else.

On a connection of its own, made anew each time: those of the pool may all be waiting for the very thing that
is asked about.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any, Literal

import psycopg

from dashboard.ledger.database.connections import ENCODING, Database
from dashboard.ledger.database.ledger_file import is_damage
from dashboard.ledger.database.version import READ_VERSION, VERSION
from dashboard.own_connections import connected

Pulse = Literal["ok", "busy", "no answer", "read-only", "other version", "damaged"]
"""Busy: somebody else is writing, say a large campaign. Other version: another program brought it there."""

WAIT_S = 1
BUSY_S = 0.3
"""How long SQLite waits for somebody who writes, before it is called busy."""

_OPTIONS: dict[str, Any] = {
    "client_encoding": ENCODING,
    "connect_timeout": 2,  # psycopg knows no less
    "tcp_user_timeout": 5000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""A network that is lost is noticed within seconds."""


def pulse(database: Database) -> Pulse:
    """Ask the database; returns within seconds, unless it or its disk has stopped in the middle of it."""
    try:
        return _of_sqlite(database) if database.is_sqlite else _of_postgresql(database)
    except (sqlite3.Error, psycopg.Error, UnicodeDecodeError) as error:
        return _meaning(error)


def _of_sqlite(database: Database) -> Pulse:
    with closing(connected(database.place, "rw", timeout=BUSY_S, isolation_level=None)) as connection:
        found = connection.execute(READ_VERSION).fetchone()[0]
        if found != str(VERSION):
            return "other version"
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    return "ok"


def _of_postgresql(database: Database) -> Pulse:
    _, given = database.engine.dialect.create_connect_args(database.url)
    with closing(psycopg.connect(**{**given, **_OPTIONS}, autocommit=True)) as connection:
        connection.execute(f"SET statement_timeout = '{WAIT_S}s'")
        found = connection.execute(READ_VERSION).fetchone()
        if found != (str(VERSION),):
            return "other version"
        with connection.transaction(force_rollback=True):  # what every claim reads, and a change locks
            connection.execute("SELECT 1 FROM gate WHERE id = 1 FOR UPDATE NOWAIT")
    return "ok"


def _meaning(error: BaseException) -> Pulse:
    if is_damage(error):
        return "damaged"
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return "busy"
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        return "read-only"
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    words: dict[int, Pulse] = {sqlite3.SQLITE_BUSY: "busy", sqlite3.SQLITE_READONLY: "read-only"}
    return words.get(code, "no answer")
