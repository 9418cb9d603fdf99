"""What a database error means: it is unavailable, damaged, or refuses what was to be written."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from sqlalchemy import URL, Connection, Engine, ExceptionContext, event
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from dashboard.errors import LedgerRefusedError, LedgerUnavailableError
from dashboard.ledger.database.ledger_file import damaged, is_damage
from dashboard.words import _

MAY_BE_AWAY = (OperationalError, InterfaceError, InternalError)
"""What a database raises when it has gone away, but also when it is there and refuses a statement."""

AWAY_CLASSES = {"08", "40", "53", "57", "58"}
"""SQLSTATE classes: connection, rollback, resources, intervention, system. Without one, no answer came."""

AWAY_STATES = {"25P03", "25P04", "25006", "55P03"}
"""A session stalled, a transaction took too long, the database is read-only, or somebody holds the lock."""

_NO_RIGHT = {"42501", "3F000"}
"""SQLSTATEs of a user who may not do this, or has no schema to make tables in."""

AWAY_CODES = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM),
    sqlite3.SQLITE_INTERRUPT,
}
"""The same for SQLite: another program, the disk or the machine is in the way, not what was to be written."""

_PRIMARY = 0xFF
"""SQLite's extended codes say more in the higher bits."""


_DATA_EXCEPTION = "22"
"""Class of the SQLSTATEs of values that cannot be used; PostgreSQL quotes them. Elsewhere it quotes names."""

_QUOTED = re.compile(r'".*"', re.DOTALL)


def is_away(error: DBAPIError) -> bool:
    """Whether the database cannot be used now, so that the same may succeed later.

    Everything else is due to what was to be written, and would be refused again and again.
    """
    original = error.orig
    if not isinstance(error, MAY_BE_AWAY):
        return False
    if isinstance(original, psycopg.Error):
        state = original.sqlstate
        return state is None or state[:2] in AWAY_CLASSES or state in AWAY_STATES
    code = getattr(original, "sqlite_errorcode", None)
    return code is None or code & _PRIMARY in AWAY_CODES


@contextmanager
def explained(url: URL) -> Iterator[None]:
    """Say in a sentence what went wrong, using only the driver's error class: its text may quote values."""
    try:
        yield
    except PoolTimeoutError as error:
        raise unavailable(error) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # past SQLAlchemy
        if url.get_backend_name() != "sqlite" or not is_damage(error):
            raise
        raise damaged(str(url.database)) from None  # it may quote what is in the file
    except DBAPIError as error:
        if is_damage(error.orig):
            raise damaged(str(url.database)) from None
        if is_away(error):
            raise unavailable(error.orig) from error
        if isinstance(error.orig, psycopg.Error) and error.orig.sqlstate in _NO_RIGHT:
            raise no_right() from error
        raise LedgerRefusedError(
            _("The ledger's database refuses this ({kind}). Report it, with this program's version.").format(
                kind=type(error.orig).__name__
            )
        ) from error


def no_right() -> LedgerRefusedError:
    """The error for a user whom PostgreSQL does not let work with the tables."""
    return LedgerRefusedError(
        _(
            "The database does not let this user make or change tables. Make it the owner of the database "
            "and its tables; if it is, check search_path."
        )
    )


def unavailable(error: BaseException | None) -> LedgerUnavailableError:
    """The error for a database that cannot be used now, by what its driver raised."""
    return LedgerUnavailableError(
        _(
            "The ledger's database cannot be used right now ({kind}). Check that it is running, that "
            "its address and password are right, that its disk has space and that no other program has "
            "locked it."
        ).format(kind=type(error).__name__)
    )


def hide_values(engine: Engine) -> None:
    """Keep row values out of what PostgreSQL says about a mistake, in the error and in its cause.

    `hide_parameters` hides what we sent. PostgreSQL quotes it back: "Key (phone)=(+44…) already exists".
    """

    @event.listens_for(engine, "handle_error")
    def without_values(context: ExceptionContext) -> None:
        cause, error = context.original_exception, context.sqlalchemy_exception
        if isinstance(cause, psycopg.Error) and cause.diag.message_primary is not None:
            said = _without_values(cause)
            if error is not None:
                error.args = (f"({type(cause).__module__}.{type(cause).__name__}) {said}",)


@contextmanager
def said_by_driver(connection: Connection) -> Iterator[None]:
    """Raise what a driver raises past SQLAlchemy as SQLAlchemy's error, without values."""
    try:
        yield
    except (sqlite3.Error, psycopg.Error) as error:
        raise as_sqlalchemy_says(error, connection) from error


def as_sqlalchemy_says(error: sqlite3.Error | psycopg.Error, connection: Connection) -> Exception:
    """SQLAlchemy's error for one that a driver raised past it, without values."""
    if isinstance(error, psycopg.Error) and error.diag.message_primary is not None:
        _without_values(error)
    base = psycopg.Error if isinstance(error, psycopg.Error) else sqlite3.Error
    made: Any = DBAPIError.instance(
        "past SQLAlchemy", None, error, base, hide_parameters=True, dialect=connection.dialect
    )
    said: Exception = made
    return said


def _without_values(error: psycopg.Error) -> str:
    said = str(error.diag.message_primary)
    if str(error.sqlstate).startswith(_DATA_EXCEPTION):
        said = _QUOTED.sub('"…"', said)
    error.args = (said,)
    return said
