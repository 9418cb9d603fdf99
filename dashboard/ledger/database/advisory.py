"""PostgreSQL's advisory locks: every key and every use of them; no other module has any of its own.

A key is one number, or two, of which the second says which of several; PostgreSQL keeps the two kinds apart.
No first number stands for two locks all the same. On SQLite, whose writers take turns, these locks do not
exist.
"""

from __future__ import annotations

from enum import IntEnum, unique

from sqlalchemy import CTE, ColumnElement, Connection, func, select, text


@unique
class Advisory(IntEnum):
    """What is locked. A key that programs of different versions share, as during an upgrade, stays."""

    MIGRATION = 7_201
    """Changing the tables; until the transaction ends, as with all locks of one number."""

    FREEZE = 7_202
    """Making campaigns, and changing whom they may text."""

    SLOT = 7_203
    """The slot of a process that sends, by its number; until its session ends."""

    AUDIT = 7_204
    """Adding to the audit trail."""

    PEOPLE = 7_205
    """Changing who may sign in, and signing in."""

    STARTS = 7_206
    """Judging whether somebody may start a campaign alone."""

    SETTINGS = 7_207
    """Changing settings, the caps in the gate that follow from them, saved texts, and remembered answers."""

    STRAYS = 7_208
    """Keeping reports about unknown messages, and deleting those of the forgotten; the last lock of all."""

    CAMPAIGN = 7_210
    """The queue for a campaign's row, by a hash of its id; until the transaction ends. See `queued`."""


_QUEUE = {True: func.pg_advisory_xact_lock_shared, False: func.pg_advisory_xact_lock}
_SERIALIZE = text("SELECT pg_advisory_xact_lock(:what)")
_ALL = text("SELECT bool_and(pg_try_advisory_xact_lock(:what, n)) FROM generate_series(0, :last) n")
_HOLD = text("SELECT pg_try_advisory_lock(:what, :number)")
_LET_GO = text("SELECT pg_advisory_unlock(:what, :number)")


def serialize(connection: Connection, what: Advisory) -> None:
    """Let only one transaction at a time do this."""
    if connection.dialect.name == "postgresql":
        connection.execute(_SERIALIZE, {"what": what.value})


def queued(of: ColumnElement[str], *, shared: bool) -> CTE:
    """What to join to a campaign's row, so that it is locked in the order in which it was asked for.

    PostgreSQL lets whoever shares a row go ahead of whoever waits to change it, which many that send could
    keep waiting for good. It serves those who ask for an advisory lock in turn.
    """
    turn = _QUEUE[shared](Advisory.CAMPAIGN.value, func.hashtext(of))
    return select(turn.label("turn")).cte("queued")


def all_free(connection: Connection, what: Advisory, many: int) -> bool:
    """Whether no other session has one of so many; what is free is ours until this transaction ends."""
    free: bool = connection.execute(_ALL, {"what": what.value, "last": many - 1}).scalar_one()
    return free


def hold(connection: Connection, what: Advisory, number: int) -> bool:
    """Take one for as long as the session lives, unless another session has it; never waits."""
    taken: bool = connection.execute(_HOLD, {"what": what.value, "number": number}).scalar_one()
    return taken


def let_go(connection: Connection, what: Advisory, number: int) -> None:
    """Give back what the session holds."""
    connection.execute(_LET_GO, {"what": what.value, "number": number})
