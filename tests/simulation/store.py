"""Where worlds live, one after the other: the same SQLite file, or the same PostgreSQL database, made new."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger import Ledger
from dashboard.ledger.copies.copying import put_back
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.migrations import migrate

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
TABLES = schema.tables.sorted_tables
NUMBERED = ("batch", "attempt", "decision", "opt_out", "cell")


class FailingDatabase(Database):
    """The ledger's database, which goes away when the world says so: before a commit, or right after it."""

    fails: str | None = None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        fails, self.fails = self.fails, None
        if fails == "before":
            raise LedgerUnavailableError("away")
        with super().write() as connection:
            yield connection
        if fails == "after":
            raise LedgerUnavailableError("away, though it was written")


class Store:
    """A database that can be made new in a millisecond, and copied and put back by every means."""

    def __init__(self, url: str | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="simulation", dir=MEMORY if MEMORY.is_dir() else None))
        self.file = self.folder / "ledger.sqlite"
        self.database = FailingDatabase(url or f"sqlite:///{self.file}")
        self.is_sqlite = self.database.is_sqlite
        self._driver: Any = None
        self.opened = 0  # how often the database was
        event.listen(self.database.engine, "connect", self._hurry)
        event.listen(self.database.engine, "close", self._closed)
        self.database.engine.dispose()
        migrate(self.database)
        self._fresh = self._as_new()

    def _hurry(self, connection: Any, _record: object) -> None:
        """Nobody pulls the plug of a world: its commits need not wait for a disk."""
        if self.is_sqlite:
            connection.execute("PRAGMA synchronous=OFF")
        else:
            connection.execute("SET synchronous_commit = off")
            connection.commit()
        self._driver, self.opened = connection, self.opened + 1

    def _closed(self, connection: Any, _record: object) -> None:
        if connection is self._driver:
            self._driver = None

    def _as_new(self) -> Any:
        if not self.is_sqlite:
            return self._rows()
        fresh = sqlite3.connect(":memory:")
        with self.raw() as raw:
            raw.backup(fresh)
        return fresh

    @contextmanager
    def raw(self) -> Iterator[Any]:
        """The driver's own connection: SQLAlchemy takes longer over a look than the database."""
        if self._driver is None:
            self.database.engine.raw_connection().close()
        driver = self._driver
        try:
            yield driver
        finally:
            driver.rollback()

    def changes(self) -> tuple[int, ...] | None:
        """Another value after each change of a row in a world's life; None where that cannot be told."""
        if not self.is_sqlite:
            return None
        with self.raw() as raw:
            return self.opened, raw.total_changes, raw.execute("PRAGMA data_version").fetchone()[0]

    def renew(self) -> None:
        """An empty ledger, as it was just made."""
        self.database.fails = None
        if not self.is_sqlite:
            self._write_rows(self._fresh)
            return
        for path in self.folder.iterdir():
            if path.name not in {self.file.name, f"{self.file.name}-wal", f"{self.file.name}-shm"}:
                path.unlink()
        with self.raw() as raw:
            self._fresh.backup(raw)

    def copy(self, ledger: Ledger, name: str) -> Any:
        """A copy: by `back_up`, or on PostgreSQL as pg_dump makes one."""
        if not self.is_sqlite:
            return self._rows()
        target = self.folder / name
        target.unlink(missing_ok=True)
        ledger.back_up(target)
        return target

    def put_back_by_hand(self, copy: Path) -> None:
        """Put a SQLite copy in the ledger's place while nothing has it open, and tell nobody."""
        self.database.close()
        for suffix in ("-wal", "-shm"):
            Path(f"{self.file}{suffix}").unlink(missing_ok=True)
        shutil.copyfile(copy, self.file)

    def restore(self, copy: Any, now: datetime) -> bool:
        """The command's first half; returns whether the opt-outs since were taken over."""
        if not self.is_sqlite:
            self._write_rows(copy)
            return False
        self.database.close()
        return put_back(copy, self.database, now) is not None

    def close(self) -> None:
        self.database.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _rows(self) -> dict[Any, list[tuple[Any, ...]]]:
        with self.database.engine.connect() as connection:
            found = {
                table: [tuple(row) for row in connection.exec_driver_sql(f'SELECT * FROM "{table.name}"')]
                for table in TABLES
            }
            connection.rollback()
        return found

    def _write_rows(self, rows: dict[Any, list[tuple[Any, ...]]]) -> None:
        """Everything as it was then; the triggers that refuse changes are for the product, not for us."""
        with self.raw() as raw:
            raw.execute("SET session_replication_role = replica")
            raw.execute(";".join(f'DELETE FROM "{table.name}"' for table in reversed(TABLES)))
            for table in TABLES:
                places = ", ".join(["%s"] * len(table.columns))
                for row in rows[table]:
                    raw.execute(f'INSERT INTO "{table.name}" VALUES ({places})', row)
            for name in NUMBERED:
                raw.execute(
                    f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "
                    f"coalesce((SELECT max(id) FROM {name}), 0) + 1, false)"
                )
            raw.execute("SET session_replication_role = DEFAULT")
            raw.commit()
