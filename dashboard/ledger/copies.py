"""Copies of a SQLite ledger, and what it means when one of them becomes the ledger again.

A copy knows nothing of what was sent after it was taken: what it calls ready may have been sent. So a copy
carries a mark, and beside the ledger stands a note of how many attempts there were (tidemark.py), for copies
that were made by other means. Before anything is sent from either, all that is ready becomes unknown, and a
person decides.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, delete, func, insert, select, update

from dashboard.errors import LedgerDamagedError, LedgerError, OutputError
from dashboard.ledger import schema
from dashboard.ledger.engine import Database, insert_new, upsert, usable
from dashboard.ledger.evidence import close_complete
from dashboard.ledger.states import UNFINISHED
from dashboard.ledger.version import refuse_newer
from dashboard.output import check_output, is_same_file, whole
from dashboard.words import _

COPIED_AT = "copied_at"
IDENTITY = "identity"
_SUFFIXES = ("", "-wal", "-shm", "-journal", ".tide")

Tide = tuple[str, int]
"""A ledger's identity and its number of attempts, which only grows."""

_MARK = f"INSERT OR REPLACE INTO fact (name, value) VALUES ('{COPIED_AT}', ?)"  # noqa: S608 - our own word


@contextmanager
def _as_ledger_errors() -> Iterator[None]:
    """Whoever copies a ledger has one kind of error to expect."""
    try:
        yield
    except OutputError as error:
        raise LedgerError(str(error)) from error


@_as_ledger_errors()
def back_up(database: Database, target: Path, now: datetime) -> None:
    """Copy a SQLite ledger to a new file, as it stands at one moment, while it is in use.

    Raises:
        LedgerError: It is not on SQLite, the file is there already, or it cannot be written.
    """
    if not database.is_sqlite:
        raise LedgerError(_("This ledger is on PostgreSQL. Back it up with pg_dump."))
    if target.exists():
        raise LedgerError(_("{target} is there already. Choose another name.").format(target=target))
    check_output(target, keep=files_at(str(database.url)))
    with (
        whole(target, private=True) as part,
        _sqlite_errors_as_os(),
        database.read() as connection,
        closing(sqlite3.connect(part)) as copy,
    ):
        source: Any = connection.connection.driver_connection
        source.backup(copy)  # all pages in one step: writers do not make it start again
        copy.execute(_MARK, [now.isoformat()])
        copy.commit()


def files_at(url: str) -> list[Path]:
    """The files of a SQLite ledger, those that come and go with its use as well; none on PostgreSQL."""
    address = usable(url)
    path = Path(str(address.database))
    is_sqlite = address.get_backend_name() == "sqlite"
    return [path.with_name(path.name + suffix) for suffix in _SUFFIXES] if is_sqlite else []


@_as_ledger_errors()
def put_back(copy: Path, database: Database, now: datetime) -> None:
    """Make a copy the ledger's file again; the present file is kept beside it. Nobody may use it meanwhile.

    Raises:
        LedgerError: The copy is the ledger itself, no ledger, damaged or of a newer program, or cannot be put
            there.
    """
    target = Path(str(database.url.database)).resolve()
    if is_same_file(copy, target):
        raise LedgerError(_("This file is the ledger itself. Choose a copy that `backup` has written."))
    with whole(target, private=True) as part:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as source:
            _check_ledger(source)
            with _sqlite_errors_as_os(), closing(sqlite3.connect(part)) as ledger:
                source.backup(ledger)
        for suffix in ("", "-wal", "-shm"):
            present = target.with_name(target.name + suffix)
            if present.exists():
                present.rename(target.with_name(f"{target.name}.before-{now:%Y%m%dT%H%M%S}{suffix}"))


def mark_as_copy(connection: Connection) -> None:
    """Say of a ledger that it is an older copy, which was put back by whatever means."""
    insert_new(connection, schema.fact, [{"name": COPIED_AT, "value": ""}])


def distrust_copy(connection: Connection, noted: Tide | None, now: datetime) -> int:
    """When this ledger is an older copy: make what is ready unknown, and pause its campaigns.

    Args:
        connection: A write transaction, before anything is claimed.
        noted: How far the ledger was when that was last noted beside it.
        now: The time.

    Returns:
        How many batches became unknown.
    """
    copied_at = fact(connection, COPIED_AT)
    if copied_at is None and not _is_behind(connection, noted):
        return 0
    since = f"of {datetime.fromisoformat(copied_at):%Y-%m-%d %H:%M} UTC" if copied_at else "that is older"
    reason = f"This ledger is a copy {since}. Nobody can tell whether this batch was sent after that."
    table, campaign = schema.batch, schema.campaign
    unfinished = select(campaign.c.id).where(campaign.c.state.in_(UNFINISHED))
    doubtful = (table.c.state == "ready") & table.c.campaign_id.in_(unfinished)
    hit = select(table.c.campaign_id).where(doubtful)
    paused = update(campaign).where(campaign.c.id.in_(hit))
    connection.execute(
        paused.values(
            state="paused",
            reason=f"This ledger is a copy {since}. Decide about the unknown batches, then resume.",
        )
    )
    batches = connection.execute(
        update(table)
        .where(doubtful)
        .values(state="unknown", reason=reason, claimed_at=now, settled_at=now)
        .returning(table.c.id, table.c.attempt)
    ).all()
    rows = [
        {
            "batch_id": one.id,
            "attempt": one.attempt,
            "owner": "",
            "at": now,
            "event": "doubtful",
            "detail": reason,
        }
        for one in batches
    ]
    if rows:
        connection.execute(insert(schema.attempt), rows)
    close_complete(connection, [one.id for one in batches])
    connection.execute(delete(schema.fact).where(schema.fact.c.name == COPIED_AT))
    return len(batches)


def identify(connection: Connection) -> str:
    """The ledger's identity, which its copies share; given to it here when it has none."""
    found = fact(connection, IDENTITY)
    if found is None:
        found = uuid4().hex
        upsert(connection, schema.fact, {"name": IDENTITY, "value": found})
    return found


def tide(connection: Connection) -> Tide | None:
    """How far the ledger is: its identity, if it has one, and its number of attempts."""
    identity = fact(connection, IDENTITY)
    attempts = connection.execute(select(func.coalesce(func.max(schema.attempt.c.id), 0))).scalar_one()
    return None if identity is None else (identity, attempts)


def fact(connection: Connection, name: str) -> str | None:
    """What the ledger knows of itself under a name."""
    table = schema.fact
    return connection.execute(select(table.c.value).where(table.c.name == name)).scalar_one_or_none()


def _is_behind(connection: Connection, noted: Tide | None) -> bool:
    now = tide(connection)
    return noted is not None and now is not None and now[0] == noted[0] and now[1] < noted[1]


def _check_ledger(source: sqlite3.Connection) -> None:
    """Refuse what could not be used, before the present ledger makes room for it."""
    try:
        version = source.execute("SELECT max(version) FROM ledger_version").fetchone()[0]
        sound = source.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        raise LedgerError(
            _("This file is not a copy of a ledger. Choose one that `backup` has written.")
        ) from None
    if not sound:
        raise LedgerDamagedError(_("This copy is damaged, so nothing was restored. Choose another copy."))
    refuse_newer(version or 0)


@contextmanager
def _sqlite_errors_as_os() -> Iterator[None]:
    """What SQLite cannot write is a file that cannot be written."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
