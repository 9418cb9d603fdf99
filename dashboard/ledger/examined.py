"""What a ledger's database is like, seen without changing anything in it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, text

from dashboard.ledger.database.addresses import usable
from dashboard.ledger.database.clock import behind_database, utc_now
from dashboard.ledger.database.connections import Database, unsafe_settings
from dashboard.ledger.database.failures import no_right
from dashboard.ledger.database.ledger_file import check_file, files_of
from dashboard.ledger.database.version import version_of


@dataclass(frozen=True)
class Examined:
    """A ledger's database.

    Attributes:
        file: Where a SQLite ledger is; None on PostgreSQL.
        ledger_version: Version of the tables; None while there are none.
        unsafe: The database's settings with which a crash could make it forget what it confirmed.
        is_read_only: Whether nothing can be written, as on a standby.
        server_version: Of PostgreSQL, such as 160014; None on SQLite.
        behind: How far the machine's clock is behind the database's; on SQLite, behind the last change.
    """

    file: Path | None
    ledger_version: int | None = None
    unsafe: tuple[str, ...] = ()
    is_read_only: bool = False
    server_version: int | None = None
    behind: timedelta = timedelta()


def examine(address: str, *, now: Callable[[], datetime] = utc_now) -> Examined:
    """Look at the database at an address, as `Ledger.open` takes it.

    Raises:
        LedgerError: It cannot be reached, is damaged, of a version that this program does not know, lets us
            make no ledger, or the address cannot be used.
    """
    url = usable(address)
    if url.get_backend_name() == "sqlite":
        return _sqlite(Path(str(url.database)), address, now)
    with closing(Database(address, unseen=True)) as database, database.write() as connection:
        return _postgresql(connection, now)


_MAY_CREATE = text("SELECT has_schema_privilege(current_schema(), 'CREATE')")


def _sqlite(path: Path, address: str, now: Callable[[], datetime]) -> Examined:
    check_file(path)
    if not path.exists():
        return Examined(path)
    late = max(_changed_at(path) - now(), timedelta())
    with closing(Database(address, read_only=True)) as database, database.read() as connection:
        mode = connection.execute(text("PRAGMA journal_mode")).scalar_one()
        unsafe = () if mode == "wal" else (f"journal_mode={mode}",)
        return Examined(path, version_of(connection), unsafe, behind=late)


def _changed_at(path: Path) -> datetime:
    """When a SQLite ledger was last written, by the clock of whoever did."""
    times = [0.0]
    for one in files_of(path):
        with suppress(OSError):
            times.append(one.stat().st_mtime)
    return datetime.fromtimestamp(max(times), UTC)


def _postgresql(connection: Connection, now: Callable[[], datetime]) -> Examined:
    def shown(setting: str) -> str:
        return str(connection.execute(text(f"SHOW {setting}")).scalar_one())

    version = version_of(connection)
    if version is None and not connection.execute(_MAY_CREATE).scalar_one():  # NULL without a schema
        raise no_right()
    return Examined(
        None,
        version,
        tuple(f"{setting}=off" for setting in unsafe_settings(connection)),
        shown("transaction_read_only") == "on",
        int(shown("server_version_num")),
        behind_database(connection, now),
    )
