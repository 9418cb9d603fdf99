"""Number the commits of a SQLite ledger in its first page, so that a foreign log is recognised.

SQLite applies a write-ahead log to whatever file is next to it, even to an older copy put there by hand while
a killed program's log was still present. The result is neither the copy nor the ledger. As every commit
raises the number (`user_version`), the first one in a log is one more than the file had when that log began,
so a file that has less is a different one.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_LARGEST = 0x7FFF_FFFF
_NUMBER = slice(60, 64)  # https://www.sqlite.org/fileformat.html, section 1.3
_LOG_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24  # the same, section 4.1
_PAGE_SIZE, _LOG_SALTS = slice(8, 12), slice(16, 24)
_PAGE, _FRAME_SALTS = slice(0, 4), slice(8, 16)


def number_commits(engine: Engine) -> None:
    """Make every commit of this engine that changes rows raise the number."""
    from sqlalchemy import event  # noqa: PLC0415 - a file is looked at without SQL

    from dashboard.ledger.database.failures import said_by_driver  # noqa: PLC0415 - the same

    @event.listens_for(engine, "commit")
    def number(connection: Connection) -> None:
        raw: Any = connection.connection.driver_connection
        if raw.total_changes != connection.info.get("changes_numbered", 0):
            with said_by_driver(connection):  # SQLAlchemy takes ten times as long around each
                (last,) = raw.execute("PRAGMA user_version").fetchone()
                raw.execute(f"PRAGMA user_version={(last + 1) & _LARGEST}")
            connection.info["changes_numbered"] = raw.total_changes


def has_log_of_another(path: Path) -> bool:
    """Whether the log next to a ledger's file began over a later state than the file is in.

    The log is read first: if the ledger is in use, the file has caught up by then with what was read.
    """
    with suppress(OSError):
        first = _first_number(path.with_name(f"{path.name}-wal"))
        with path.open("rb") as file:
            own = int.from_bytes(file.read(_NUMBER.stop)[_NUMBER])
        return first is not None and own < first - 1
    return False  # there is no log


def _first_number(log: Path) -> int | None:
    """The number in a log's first image of the first page; frames of an older log end the search."""
    with log.open("rb") as file:
        header = file.read(_LOG_HEADER_BYTES)
        page_size = int.from_bytes(header[_PAGE_SIZE])
        while len(frame := file.read(_FRAME_HEADER_BYTES)) == _FRAME_HEADER_BYTES:
            if frame[_FRAME_SALTS] != header[_LOG_SALTS]:
                return None
            if int.from_bytes(frame[_PAGE]) == 1:
                image = file.read(_NUMBER.stop)
                return int.from_bytes(image[_NUMBER]) if len(image) == _NUMBER.stop else None
            file.seek(page_size, 1)
    return None
