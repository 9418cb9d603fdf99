"""Connections to the ledger's database, and the promise that a commit is on disk.

SQLite runs with a write-ahead log and synchronous=FULL. Its writers queue for a lock in the process, because
its own sleeping busy handler made sending up to 2.5 times slower. PostgreSQL is refused if it confirms
commits before they are safe.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock, local
from typing import Any

import numpy as np
import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import ArgumentError, InvalidatePoolError, ProgrammingError

from dashboard.errors import LedgerError
from dashboard.ledger.database.addresses import unreadable, usable
from dashboard.ledger.database.failures import explained, hide_values, said_by_driver
from dashboard.ledger.database.ledger_file import check_file
from dashboard.own_connections import Mode, connected, identity, refuse_inherited
from dashboard.words import _

BUSY_TIMEOUT_S = 60
"""How long SQLite waits for another process; freezing a million messages holds the lock for about 20 s."""

EMPTY_TRIES = 20
EMPTY_WAIT_S = 0.2
"""How often and how long emptying the log waits for whoever reads."""

MAPPED_BYTES = 1 << 30
"""How much of a ledger open for reading is mapped into memory; saves a third of the time to read it all."""

POOL_SIZE = 16
POOL_OVERFLOW = 112

STANDSTILL_S = 10
"""A client that stalls in a transaction for longer loses it; otherwise everybody would wait for its locks."""

LONGEST_S = 600
"""Longer than any transaction: a million messages are frozen in a minute. Kept by PostgreSQL 17 and later."""

ISOLATION = "READ COMMITTED"
"""Whatever the server's default is: a claim that waited for a lock must see what was claimed meanwhile."""

SESSION = f"""
SET idle_in_transaction_session_timeout = '{STANDSTILL_S}s';
SET datestyle = 'ISO';
SET tcp_keepalives_idle = 30;
SET tcp_keepalives_interval = 10;
SET tcp_keepalives_count = 3;
SELECT set_config(
    'synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false
)
"""
"""A client that stalls or has lost its network gives its locks back within a minute; see `_Cursor`.

Whatever becomes of the server's setting, the session's commits are safe before they are confirmed. psycopg
reads dates of one style only.
"""

ENCODING = "UTF8"
"""Of the database, and of every session whatever it begins with: others lack characters."""

_UNSAFE = text(
    "SELECT name FROM pg_settings WHERE name IN ('synchronous_commit', 'fsync') AND reset_val = 'off' "
    "ORDER BY name DESC"
)

_LONGEST = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = 'transaction_timeout'"


class _Cursor(psycopg.Cursor[Any]):
    """One message to PostgreSQL per statement.

    psycopg sends many as a pipeline. To PostgreSQL, a session whose client is stopped within a pipeline is
    not idle, so it kept the campaign's lock for as long as the client was stopped.
    """

    def executemany(self, query: Any, params_seq: Any, *, returning: bool = False) -> None:
        """Run the statement once for each."""
        for parameters in params_seq:
            self.execute(query, parameters)


class _Here(local):
    """What a thread is reading with, as long as all that it reads is of one moment."""

    reading: Connection | None = None


for _code in f"?{np.typecodes['AllInteger']}{np.typecodes['Float']}":
    # SQLite would take a number from a frame for a blob, which is equal to nothing; psycopg knows them
    sqlite3.register_adapter(np.dtype(_code).type, np.generic.item)

_write_locks = dict[str, Lock]()
"""Of each SQLite ledger, by its file."""


class Database:
    """A ledger's database: one transaction per `with`, committed at its end, rolled back by an exception."""

    def __init__(self, url: str | Path | URL, *, read_only: bool = False, unseen: bool = False) -> None:
        """Open it.

        Args:
            url: SQLAlchemy address, or a path.
            read_only: Change and create nothing.
            unseen: Do not refuse what is there now, because it will be replaced or is only examined.
        """
        self.url = usable(url)
        self.read_only = read_only
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            _make_room(self.url, read_only=read_only)
            if not unseen:
                check_file(Path(str(self.url.database)))
        self.engine = (
            _sqlite(self.url, read_only=read_only) if self.is_sqlite else _postgresql(self.url, unseen=unseen)
        )
        self._reader = self.engine.execution_options(
            **({} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"})
        )
        self._writer = self.engine.execution_options(ledger_writes=True)
        self._lock = _write_locks.setdefault(self.place, Lock()) if self.is_sqlite else nullcontext()
        self._here = _Here()

    @property
    def place(self) -> str:
        """Where it is, for people: a file, or a database and its host, without who connects and with what."""
        if self.is_sqlite:
            return str(self.url.database)
        host = self.url.host or self.url.query.get("host")
        return f"{self.url.database} on {host}" if host else str(self.url.database)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees a single moment and changes nothing; within `one_moment`, that one."""
        self._refuse_inherited()
        if self._here.reading is not None:
            yield self._here.reading
            return
        with explained(self.url), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """Have all that this thread reads within it see the same moment."""
        before = self._here.reading
        with self.read() as connection:
            self._here.reading = connection
            try:
                yield
            finally:
                self._here.reading = before

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may change things; on SQLite it holds the only write lock from its start.

        Raises:
            LedgerUnavailableError: The database cannot be reached or written. Nothing says whether a commit
                that was under way took effect.
        """
        if self.read_only:
            raise LedgerError(_("This ledger is open for reading only. Open it without read_only=True."))
        self._refuse_inherited()
        with explained(self.url), self._lock, self._writer.begin() as connection:
            yield connection

    def empty_log(self) -> bool:
        """Move SQLite's write-ahead log into the file, so that nothing deleted is left in it.

        Returns:
            False if it was in use all the while; then it is for the next time.
        """
        if not self.is_sqlite:
            return True
        with (
            suppress(sqlite3.OperationalError),  # somebody has it for themselves
            explained(self.url),
            closing(connected(self.place, "rw", timeout=EMPTY_WAIT_S)) as connection,
        ):
            return any(_emptied(connection) for _ in range(EMPTY_TRIES))
        return False

    def _refuse_inherited(self) -> None:
        if self.is_sqlite:
            refuse_inherited(self.place)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _emptied(connection: sqlite3.Connection) -> bool:
    """Whether the log could be emptied within a moment; a reader may hold it, and writers wait meanwhile."""
    blocked: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if blocked:
        time.sleep(EMPTY_WAIT_S)
    return not blocked


def no_ledger(place: str) -> LedgerError:
    """The error for whoever would only read a ledger that is not there."""
    return LedgerError(
        _(
            "There is no ledger yet: {place}. Check the address, or start the dashboard, which makes one."
        ).format(place=place)
    )


def _make_room(url: URL, *, read_only: bool) -> None:
    path = Path(str(url.database))
    if read_only and not path.exists():
        raise no_ledger(str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(
            _("The folder of the ledger, {folder}, cannot be created ({strerror}).").format(
                folder=path.parent, strerror=error.strerror
            )
        ) from None


def _made_ours(path: Path) -> bool:
    """Make a file that others cannot read; False if it cannot be made, and SQLite has to say why."""
    with suppress(OSError):
        path.touch(mode=0o600)
        return True
    return False


def _sqlite(url: URL, *, read_only: bool) -> Engine:
    path = str(url.database)
    is_new = identity(path) is None

    def connect() -> sqlite3.Connection:
        """One that was there and is gone, say with its disk, is waited for and not made anew."""
        nonlocal is_new
        mode: Mode = "rwc" if is_new and not _made_ours(Path(path)) else "rw"
        made = connected(path, mode, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
        is_new = False
        return made

    engine = create_engine(
        url, creator=connect, hide_parameters=True, pool_size=POOL_SIZE, max_overflow=POOL_OVERFLOW
    )

    @event.listens_for(engine, "checkout")
    def renew(_connection: Any, record: Any, _proxy: Any) -> None:
        if record.info["file"] != identity(path):  # `restore` put another in its place
            raise InvalidatePoolError

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        record.info["file"] = identity(path)
        connection.isolation_level = None
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")  # deleted data is not left in freed pages
        if read_only:
            connection.execute("PRAGMA query_only=ON")
            connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("ledger_writes", False)
        with said_by_driver(connection):
            driver: Any = connection.connection.driver_connection
            driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: URL, *, unseen: bool) -> Engine:
    with _address_known():
        engine = create_engine(
            url,
            connect_args={"cursor_factory": _Cursor, "client_encoding": ENCODING},
            isolation_level=ISOLATION,
            hide_parameters=True,
            pool_size=POOL_SIZE,
            max_overflow=POOL_OVERFLOW,
            pool_pre_ping=True,
        )
    engine.dialect.use_insertmanyvalues_wo_returning = True
    hide_values(engine)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute(SESSION)
        connection.execute(_LONGEST, [f"{LONGEST_S}s"])
        connection.commit()

    try:
        with explained(url), _address_known(), engine.connect() as connection:
            _refuse_encoding(str(connection.execute(text("SHOW server_encoding")).scalar_one()))
            if not unseen:
                _refuse_unsafe(unsafe_settings(connection))
    except BaseException:
        engine.dispose()
        raise
    return engine


@contextmanager
def _address_known() -> Iterator[None]:
    try:
        yield
    except UnicodeError:  # of a host or a name
        raise unreadable() from None
    except (ArgumentError, ProgrammingError, TypeError, ValueError):  # which quote the option
        raise LedgerError(
            _("The ledger's address has an option that PostgreSQL does not know. Take it out.")
        ) from None


def unsafe_settings(connection: Connection) -> list[str]:
    """The settings of a PostgreSQL that are off, so that it confirms commits which a crash could undo.

    As they are without what `SESSION` sets.
    """
    return list(connection.execute(_UNSAFE).scalars())


def _refuse_unsafe(settings: list[str]) -> None:
    if settings:
        raise LedgerError(
            _(
                "This PostgreSQL has {setting}=off, so a crash could make the ledger forget what was "
                "sent. Set {setting}=on."
            ).format(setting=settings[0])
        )


def _refuse_encoding(found: str) -> None:
    if found != ENCODING:
        raise LedgerError(
            _(
                "This PostgreSQL database is in {encoding}, which lacks characters. Make another one: "
                "createdb --encoding=UTF8 --template=template0"
            ).format(encoding=found)
        )
