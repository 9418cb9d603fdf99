"""SQLite's connections of this process, and which files they have open.

SQLite's locks are the whole process's: closing any other descriptor of a file drops them all. Another program
that closes the ledger then deletes the log of one that is sending. A process forked from this one has none of
them and takes them for its own. https://www.sqlite.org/howtocorrupt.html, sections 2.2 and 2.6
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any, Literal
from weakref import WeakSet

from dashboard.errors import LedgerError
from dashboard.words import _

SQLITE = b"SQLite format 3\x00"
"""How each of its files begins. https://www.sqlite.org/fileformat.html, section 1.3"""

Identity = tuple[int, int]
"""Which file it is, whatever names lead to it."""

Mode = Literal["ro", "rw", "rwc"]
"""For reading; for writing too; for making a ledger if there is none."""


class _Connection(sqlite3.Connection):
    """A connection that is known for as long as it is open."""

    file: Identity | None = None

    def close(self) -> None:
        if self not in _INHERITED:  # they stay open: closing them would be a use
            super().close()
            self.file = None


_OPENING = RLock()
"""Held while a file is opened, by SQLite or by us; a search for garbage may close a connection meanwhile."""

_MADE = WeakSet[_Connection]()

_INHERITED = list[_Connection]()
"""Those that were open in the process from which this one was forked."""


def connected(path: str | Path, mode: Mode, **options: Any) -> sqlite3.Connection:
    """A connection to a SQLite ledger, with the options of `sqlite3.connect`.

    Raises:
        LedgerError: As for `refuse_inherited`.
    """
    refuse_inherited(path)
    address = f"{Path(path).absolute().as_uri()}?mode={mode}"
    with _OPENING:
        connection = sqlite3.connect(address, uri=True, factory=_Connection, **options)
        connection.file = identity(path)
        _MADE.add(connection)
        return connection


def content(path: Path, count: int = -1) -> bytes:
    """A file's bytes, or so many; `SQLITE` alone of a database, whether this process has it open or not."""
    start = _start(path)
    if start == SQLITE or len(start) < len(SQLITE):  # all of it; opened again, it may have become a database
        return start
    with path.open("rb") as file:  # however long that takes, nobody waits for it to open a ledger
        return file.read(count)


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database, whether this process has it open or not."""
    return _start(path) == SQLITE


def _start(path: Path) -> bytes:
    start = beginning(path, len(SQLITE))
    return SQLITE if start is None else start


def beginning(path: Path, count: int) -> bytes | None:
    """The first bytes of a file; None while this process has connections to it."""
    with _OPENING:
        found = identity(path)
        if found and any(connection.file == found for connection in _MADE):
            return None
        with path.open("rb") as file:
            return file.read(count)


def refuse_inherited(path: str | Path) -> None:
    """Refuse a ledger that was open in the process from which this one was forked.

    Raises:
        LedgerError: It was.
    """
    if _INHERITED and identity(path) in {connection.file for connection in _INHERITED}:
        raise LedgerError(
            _("This process was forked from one that has the ledger open. Start a process of its own.")
        )


def _inherit() -> None:
    _INHERITED.extend(connection for connection in _MADE if connection.file)
    _OPENING.release()


if sys.platform != "win32":
    os.register_at_fork(before=_OPENING.acquire, after_in_parent=_OPENING.release, after_in_child=_inherit)


def identity(path: str | Path) -> Identity | None:
    """Which file is there; None if there is none, or its disk does not answer."""
    with suppress(OSError):
        found = os.stat(path)  # noqa: PTH116 - at each checkout; a Path costs more than the question
        return found.st_dev, found.st_ino
    return None
