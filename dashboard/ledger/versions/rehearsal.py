"""What the next opening would do to an older ledger, and whether it works: tried on a copy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from sqlalchemy import text

from dashboard.errors import LedgerError
from dashboard.ledger.copies.before_upgrade import trial_copy
from dashboard.ledger.copies.copying import is_sound
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.ledger_file import damaged
from dashboard.ledger.versions.migrations import migrate


def size_bytes(database: Database) -> int:
    """How large the database is; on SQLite with its write-ahead log."""
    if not database.is_sqlite:
        with database.read() as connection:
            size: int = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return size
    ledger = Path(str(database.url.database))
    files = (ledger, ledger.with_name(f"{ledger.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def rehearse(database: Database) -> float:
    """Bring a copy of a SQLite ledger up to date, in a folder next to it that is gone afterwards.

    Returns:
        How many seconds it took.

    Raises:
        LedgerError: A step failed, or what came out is damaged; the ledger itself was not touched.
    """
    ledger = Path(str(database.url.database))
    with TemporaryDirectory(prefix=".upgrade-", dir=ledger.parent, ignore_cleanup_errors=True) as folder:
        copy = Path(folder, ledger.name)
        try:
            trial_copy(database, copy)
            began = monotonic()
            with closing(Database(copy)) as tried:
                migrate(tried, keep_copy=False)
            _check(copy)
        except (LedgerError, sqlite3.Error, OSError) as error:
            raise LedgerError(
                "It does not work on a copy; the ledger is as it was. Keep the program that you have. "
                f"{error}"
            ) from error
    return monotonic() - began


def _check(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as made:
        if not is_sound(made):
            raise damaged(str(copy))
