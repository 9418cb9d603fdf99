"""Copies of a SQLite ledger from before its tables were upgraded, next to it."""

from __future__ import annotations

from datetime import datetime
from glob import escape
from pathlib import Path

from dashboard.errors import LedgerDamagedError, LedgerError
from dashboard.ledger.copies.copying import as_ledger_errors, copy_to
from dashboard.ledger.database.connections import Database
from dashboard.output import whole
from dashboard.words import _

KEPT = 3
"""How many of these copies stay; an older one goes once a new one is complete."""


def copy_before_upgrade(database: Database, version: int, now: datetime) -> None:
    """Copy a ledger before its first step, readable only by its owner; on PostgreSQL nothing is copied.

    Whoever calls holds its write lock, so that nothing changes meanwhile.

    Raises:
        LedgerError: It cannot be written, or the ledger is damaged. Then the ledger must stay as it is.
    """
    if not database.is_sqlite:
        return
    ledger = Path(str(database.url.database))
    copy = ledger.with_name(f"{ledger.name}.version-{version}.{now:%Y%m%dT%H%M%S}")
    try:
        with as_ledger_errors(), whole(copy, private=True) as part:
            copy_to(part, database, now)
    except LedgerDamagedError:
        raise
    except LedgerError as error:
        raise LedgerError(
            _("The ledger was not brought up to date, as no copy of it could be made first. {why}").format(
                why=error
            )
        ) from error
    for old in upgrade_copies(ledger)[:-KEPT]:
        old.unlink(missing_ok=True)


def upgrade_copies(ledger: Path) -> list[Path]:
    """The copies that upgrades left next to a ledger, the oldest first."""
    found = ledger.parent.glob(f"{escape(ledger.name)}.version-*")
    copies = (one for one in found if not one.name.endswith(("-wal", "-shm")))
    return sorted(copies, key=lambda copy: copy.name.rpartition(".")[2])
