"""Connections to the ledger's database, and the promise that a commit is on disk.

SQLite runs with a write-ahead log and synchronous=FULL. Its writers queue for a lock in the process: its
own sleeping busy handler made sending up to 2.5 times slower. PostgreSQL is refused when it answers commits
before they are safe.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import psycopg
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    ExceptionContext,
    Table,
    create_engine,
    event,
    insert,
    make_url,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from dashboard.errors import LedgerError, LedgerRefusedError, LedgerUnavailableError
from dashboard.ledger.database.ledger_file import check_file, damaged
from dashboard.words import _

BUSY_TIMEOUT_S = 60
"""How long SQLite waits for another process; to freeze a million messages takes the lock for about 20 s."""

MAPPED_BYTES = 1 << 30
"""How much of a ledger open for reading is mapped into memory: a third less time to read all of it."""

POOL_SIZE = 16
POOL_OVERFLOW = 112

NAMED_AT_ONCE = 10_000
"""SQLite takes 32,766 values in a statement, PostgreSQL 65,535."""

MIGRATION = 7_201
FREEZE = 7_202
"""What `serialize` lets one transaction at a time do."""

STANDSTILL_S = 10
"""A client that stands still in a transaction for longer loses it, or everybody would wait for its locks."""

LONGEST_S = 600
"""Longer than any transaction: a million messages are frozen in a minute. Kept by PostgreSQL 17 and later."""

_SESSION = f"""
SET idle_in_transaction_session_timeout = '{STANDSTILL_S}s';
SET tcp_keepalives_idle = 30;
SET tcp_keepalives_interval = 10;
SET tcp_keepalives_count = 3
"""
"""A client that stands still or lost its network gives its locks back within a minute; see `_Cursor`."""

_LONGEST = "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = 'transaction_timeout'"

MAY_BE_AWAY = (OperationalError, InterfaceError, InternalError)
"""What a database raises that went away; also one that is there and does not take a statement."""

AWAY_CLASSES = {"08", "40", "53", "57", "58"}
"""Of SQLSTATE: connection, rollback, resources, intervention, system. Without one, no answer came at all."""

AWAY_STATES = {"25P03", "25P04", "25006", "55P03"}
"""It ended a session that stood still, or a transaction that took too long; it follows another database and
only reads; somebody holds the lock."""

AWAY_CODES = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_NOMEM),
    sqlite3.SQLITE_INTERRUPT,
}
"""The same of SQLite: another program, the disk or the machine is in the way, not what was to be written."""

_PRIMARY = 0xFF
"""SQLite's extended codes say more in the higher bits."""


_DATA_EXCEPTION = "22"
"""Class of the SQLSTATEs of values that cannot be used; PostgreSQL quotes them. Elsewhere it quotes names."""

_QUOTED = re.compile(r'".*"', re.DOTALL)


class _Cursor(psycopg.Cursor[Any]):
    """One statement, one message to PostgreSQL.

    psycopg sends many as a pipeline. A session whose client is stopped within a pipeline is not idle for
    PostgreSQL, so it kept the campaign's lock for as long as the client stood still.
    """

    def executemany(self, query: Any, params_seq: Any, *, returning: bool = False) -> None:
        """Run the statement once for each."""
        for parameters in params_seq:
            self.execute(query, parameters)


_Value = TypeVar("_Value")

_write_locks: dict[str, Lock] = {}
_write_locks_guard = Lock()


class Database:
    """A ledger's database: one transaction per `with`, committed at its end, rolled back by an exception."""

    def __init__(self, url: str, *, read_only: bool = False, unseen: bool = False) -> None:
        """Open it.

        Args:
            url: SQLAlchemy address.
            read_only: Changes nothing and makes nothing.
            unseen: Do not look at what is there now, for it is to be replaced.
        """
        self.url = usable(url)
        self.read_only = read_only
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        if self.is_sqlite:
            _make_room(self.url, read_only=read_only)
            if not unseen:
                check_file(Path(str(self.url.database)))
        self.engine = _sqlite(self.url, read_only=read_only) if self.is_sqlite else _postgresql(self.url)
        self._reader = self.engine.execution_options(
            **({} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"})
        )
        self._writer = self.engine.execution_options(ledger_writes=True)
        self._lock = _lock_of(self.url) if self.is_sqlite else nullcontext()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one moment and changes nothing."""
        with _explained(self.url), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may change things; on SQLite it holds the only write lock from its start.

        Raises:
            LedgerUnavailableError: The database cannot be reached or written. Nothing says whether a commit
            that was
                under way took effect.
        """
        if self.read_only:
            raise LedgerError(_("This ledger is open for reading only. Open it without read_only=True."))
        with _explained(self.url), self._lock, self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def parts(values: Iterable[_Value]) -> Iterator[list[_Value]]:
    """The values, as many at a time as any statement can name."""
    left = iter(values)
    while part := list(islice(left, NAMED_AT_ONCE)):
        yield part


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, leaving out those whose key is there already."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), list(rows))


def insert_columns(connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert many rows given column by column; columns of nothing but None are left out.

    To SQLite they go past SQLAlchemy, which takes longer over the values of a row than SQLite over the row.
    """
    names = tuple(name for name, values in columns.items() if any(value is not None for value in values))
    if connection.dialect.name != "sqlite":
        rows = zip(*(columns[name] for name in names), strict=True)
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
        return
    statement, ordered = _plan(table, names)
    stored = [
        columns[name] if stores is None else [stores(value) for value in columns[name]]
        for name, stores in ordered
    ]
    connection.exec_driver_sql(statement, list(zip(*stored, strict=True)))


@cache
def _plan(table: Table, names: tuple[str, ...]) -> tuple[str, list[tuple[str, Any]]]:
    """SQLite's statement that inserts these columns, and in its order what makes values of each storable."""
    dialect = sqlite.dialect()
    compiled: Any = insert(table).compile(dialect=dialect, column_keys=names)
    return str(compiled), [
        (name, table.c[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in compiled.positiontup
    ]


def insert_or_nothing(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row; False when there is one with its key already."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    added = dialect.insert(table).values(row).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(added).first() is not None


def upsert(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Insert a row, or give the one with its key these values."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    key = [column.name for column in table.primary_key]
    values = {name: value for name, value in row.items() if name not in key}
    connection.execute(
        dialect.insert(table).values(row).on_conflict_do_update(index_elements=key, set_=values)
    )


def serialize(connection: Connection, what: int) -> None:
    """Let one transaction at a time do `what`; SQLite's writers take turns anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:what)"), {"what": what})


def usable(address: str) -> URL:
    """The ledger's address, with the driver that we use.

    Raises:
        LedgerError: It cannot be read, or is of another database.
    """
    try:
        url = make_url(address)
        if "@" in (url.host or ""):  # the rest of a password, which would be looked up as a host's name
            raise ValueError  # noqa: TRY301
    except (
        ArgumentError,
        ValueError,
    ):  # a ValueError quotes what it takes for the port, such as half a password
        raise LedgerError(
            _(
                "The ledger's address cannot be read. Use sqlite:///folder/ledger.sqlite or "
                "postgresql://user@host/database; write @ and / in a password as %40 and %2F."
            )
        ) from None
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise LedgerError(
            _("The ledger runs on SQLite or PostgreSQL, not on {backend}.").format(backend=backend)
        )
    if url.database in {None, "", ":memory:"}:
        raise LedgerError(_("The ledger needs a file, for example sqlite:///folder/ledger.sqlite."))
    return url


def _make_room(url: URL, *, read_only: bool) -> None:
    path = Path(str(url.database))
    if read_only and not path.exists():
        raise LedgerError(
            _("There is no ledger at {path}. Check the path, or open it without read_only=True.").format(
                path=path
            )
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(
            _("The folder of the ledger, {folder}, cannot be made ({strerror}).").format(
                folder=path.parent, strerror=error.strerror
            )
        ) from None


def _lock_of(url: URL) -> Lock:
    with _write_locks_guard:
        return _write_locks.setdefault(str(Path(str(url.database)).resolve()), Lock())


def _sqlite(url: URL, *, read_only: bool) -> Engine:
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_TIMEOUT_S, "check_same_thread": False},
        hide_parameters=True,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")  # what is forgotten is not left in freed pages
        if read_only:
            connection.execute("PRAGMA query_only=ON")
            connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("ledger_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url,
        connect_args={"cursor_factory": _Cursor},
        hide_parameters=True,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_pre_ping=True,
    )
    engine.dialect.use_insertmanyvalues_wo_returning = True
    hide_values(engine)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute(_SESSION)
        connection.execute(_LONGEST, [f"{LONGEST_S}s"])
        connection.commit()

    try:
        with _explained(url), engine.connect() as connection:
            _refuse_unsafe(connection)
    except ProgrammingError:  # which quotes the option
        engine.dispose()
        raise LedgerError(
            _("The ledger's address has an option that PostgreSQL does not know. Take it out.")
        ) from None
    except BaseException:
        engine.dispose()
        raise
    return engine


def hide_values(engine: Engine) -> None:
    """Keep values of rows out of what PostgreSQL says of a mistake, in the error and in its cause.

    `hide_parameters` hides what we sent. PostgreSQL quotes it back: "Key (phone)=(+44…) already exists".
    """

    @event.listens_for(engine, "handle_error")
    def without_values(context: ExceptionContext) -> None:
        cause, error = context.original_exception, context.sqlalchemy_exception
        if isinstance(cause, psycopg.Error) and cause.diag.message_primary is not None:
            said = cause.diag.message_primary
            if str(cause.sqlstate).startswith(_DATA_EXCEPTION):
                said = _QUOTED.sub('"…"', said)
            cause.args = (said,)
            if error is not None:
                error.args = (f"({type(cause).__module__}.{type(cause).__name__}) {said}",)


def _refuse_unsafe(connection: Connection) -> None:
    for setting in ("synchronous_commit", "fsync"):
        if connection.execute(text(f"SHOW {setting}")).scalar_one() == "off":
            raise LedgerError(
                _(
                    "This PostgreSQL has {setting}=off, so a crash could make the ledger forget what was "
                    "sent. Set {setting}=on."
                ).format(setting=setting)
            )


def is_away(error: DBAPIError) -> bool:
    """Whether the database cannot be used now, so that the same may go well later.

    Everything else lies in what was to be written, and would be refused again and again.
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
def _explained(url: URL) -> Iterator[None]:
    """Say in a sentence what went wrong, by the driver's class only: its text may quote values."""
    try:
        yield
    except PoolTimeoutError as error:
        raise _unavailable(error) from error
    except sqlite3.DatabaseError as error:  # past SQLAlchemy
        if not _is_damage(error):
            raise
        raise damaged(str(url.database)) from error
    except DBAPIError as error:
        if _is_damage(error.orig):
            raise damaged(str(url.database)) from error
        if is_away(error):
            raise _unavailable(error.orig) from error
        if isinstance(error, MAY_BE_AWAY):
            raise LedgerRefusedError(
                _(
                    "The ledger's database does not take this ({kind}). Report it, with this program's "
                    "version."
                ).format(kind=type(error.orig).__name__)
            ) from error
        raise


def _is_damage(error: BaseException | None) -> bool:
    """Whether SQLite found no database, or a damaged one; the kinds of its error mean other things."""
    return type(error) is sqlite3.DatabaseError


def _unavailable(error: BaseException | None) -> LedgerUnavailableError:
    return LedgerUnavailableError(
        _(
            "The ledger's database cannot be used now ({kind}). Check that it runs, that its address and "
            "password are right, that its disk has room and that no other program locks it."
        ).format(kind=type(error).__name__)
    )
