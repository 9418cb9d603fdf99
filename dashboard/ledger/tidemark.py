"""How far a SQLite ledger had got, noted in a file beside it: an older copy of it has fewer attempts."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from dashboard.ledger.copies import Tide
from dashboard.ledger.engine import Database


class Tidemark:
    """The note beside a ledger; none beside one on PostgreSQL.

    Written without waiting for the disk: after a power cut it may be behind the ledger, never ahead.
    """

    def __init__(self, database: Database) -> None:
        self._path = Path(f"{database.url.database}.tide") if database.is_sqlite else None
        self._noted: Tide | None = None

    def read(self) -> Tide | None:
        """What is noted; None when there is no note that can be read."""
        try:
            identity, attempts = (self._path.read_text(encoding="ascii") if self._path else "").split()
            return identity, int(attempts)
        except (OSError, ValueError):
            return None

    def note(self, tide: Tide | None) -> None:
        """Note how far the ledger is now; a note that cannot be written is written the next time."""
        if self._path is None or tide is None or tide == self._noted:
            return
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            part.write_text(f"{tide[0]} {tide[1]}", encoding="ascii")
            part.replace(self._path)
            self._noted = tide
