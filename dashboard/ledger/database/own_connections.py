"""SQLite's connections of this process, and which files they have open.

SQLite's locks are the whole process's: closing any other descriptor of a file drops them all. Another program
that closes the ledger then deletes the log of one that is sending. https://www.sqlite.org/howtocorrupt.html,
section 2.2
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any, Literal
from weakref import WeakSet

Identity = tuple[int, int]
"""Which file it is, whatever names lead to it."""


class _Connection(sqlite3.Connection):
    """A connection that is known for as long as it is open."""

    file: Identity | None = None

    def close(self) -> None:
        super().close()
        self.file = None


_OPENING = RLock()
"""Held while a file is opened, by SQLite or by us; a search for garbage may close a connection meanwhile."""

_MADE = WeakSet[_Connection]()


def connected(path: str | Path, mode: Literal["ro", "rw", "rwc"], **options: Any) -> sqlite3.Connection:
    """A connection to a SQLite ledger, with the options of `sqlite3.connect`; only "rwc" makes one."""
    address = f"{Path(path).absolute().as_uri()}?mode={mode}"
    with _OPENING:
        connection = sqlite3.connect(address, uri=True, factory=_Connection, **options)
        connection.file = identity(path)
        _MADE.add(connection)
        return connection


def beginning(path: Path, count: int) -> bytes | None:
    """The first bytes of a file; None while this process has connections to it."""
    with _OPENING:
        found = identity(path)
        if found and any(connection.file == found for connection in _MADE):
            return None
        with path.open("rb") as file:
            return file.read(count)


def identity(path: str | Path) -> Identity | None:
    """Which file is there; None if there is none."""
    with suppress(FileNotFoundError):
        found = os.stat(path)  # noqa: PTH116 - at each checkout; a Path costs more than the question
        return found.st_dev, found.st_ino
    return None
