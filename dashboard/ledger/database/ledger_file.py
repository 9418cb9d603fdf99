"""Check what is where a SQLite ledger should be, before SQLite may change a byte of it.

SQLite turns an empty file into a new database, switches whatever database it opens to a write-ahead log, and
adds tables to another program's. So a file is opened only if it can be a ledger.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from dashboard.errors import LedgerDamagedError
from dashboard.own_connections import SQLITE, beginning, connected
from dashboard.words import _

_HEADER_BYTES = 100
_FORMATS, _SCHEMA_FORMAT = slice(18, 20), slice(44, 48)  # https://www.sqlite.org/fileformat.html, section 1.3
_KNOWN_FORMATS, _NEWEST_SCHEMA_FORMAT = {1, 2}, 4
_UNREADABLE = "Could not decode to UTF-8"
_BEING_MADE_S = 2.0
"""How long a file may be empty: another process has made it and is about to write its first page."""

TABLES, OF_MESSAGE = {"campaign", "batch", "message"}, {"uuid", "to", "body"}
"""Tables that every ledger has, and columns of the last."""

_PAGE_SIZE, _LARGEST_PAGE = slice(16, 18), 65_536
"""Where the header has the size of a page, and what it says as 1: the same page, section 1.3.2."""

_BESIDE = ("", "-wal", "-shm", "-journal")


def files_of(path: Path) -> list[Path]:
    """A SQLite ledger's files, including those that come and go with its use, whether they exist or not."""
    return [path.with_name(path.name + suffix) for suffix in _BESIDE]


def check_file(path: Path) -> None:
    """Refuse a file that is not a ledger, or not a complete one; it stays as it is.

    Raises:
        LedgerDamagedError: The sentence says what was found and what to do.
    """
    try:
        if not path.exists():
            _refuse_lost(path)
            return
        if not path.is_file():
            raise _refusal(path, _("is not a file"))
        header = _header(path)
    except (OSError, RuntimeError):
        raise _refusal(path, _("cannot be read; check its permissions")) from None
    if header is not None:
        _check_header(path, header)
    _check_tables(path)


def _check_header(path: Path, header: bytes) -> None:
    if not header:
        raise _refusal(path, _("is empty"))
    if not header.startswith(SQLITE) or len(header) < _HEADER_BYTES:
        raise _refusal(path, _("is not a SQLite database"))
    if _has_no_known_format(header) or _is_cut_off(path, header):
        raise damaged(str(path))


def _is_cut_off(path: Path, header: bytes) -> bool:
    """Whether the last page is there in part: SQLite would read zeros for the rest of it."""
    log = path.with_name(f"{path.name}-wal")
    page = int.from_bytes(header[_PAGE_SIZE])
    part = path.stat().st_size % (page if page > 1 else _LARGEST_PAGE)
    return bool(part) and not (log.exists() and log.stat().st_size)


def is_damage(error: BaseException | None) -> bool:
    """Whether SQLite found no database, or a damaged one; subclasses of its error mean other things.

    What it says about damage may contain bytes of the file: then Python cannot decode the sentence, or the
    text of a column, which it quotes.
    """
    is_said = type(error) is sqlite3.DatabaseError or isinstance(error, UnicodeDecodeError)
    return is_said or (isinstance(error, sqlite3.OperationalError) and _UNREADABLE in str(error))


def _refuse_lost(path: Path) -> None:
    """Refuse to start over where a ledger was: a new one would not know who has opted out."""
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and not path.exists():  # checked again: another process may be making it
        raise LedgerDamagedError(
            _(
                "The ledger at {path} is gone, but {beside} is still there. No new one was made, "
                "because it would not know who has opted out. Put the file back, or restore a "
                "backup with `python -m dashboard restore FILE`. To start over without everything "
                "it knew, remove {beside}."
            ).format(path=path, beside=log)
        )


def damaged(path: str) -> LedgerDamagedError:
    """The error for a ledger in which SQLite came across damage."""
    return _refusal(Path(path), _("is damaged"))


def _header(path: Path) -> bytes | None:
    """What the file begins with; None where SQLite has judged it, as this process has it open."""
    until = time.monotonic() + _BEING_MADE_S
    while True:
        header = beginning(path, _HEADER_BYTES)
        if header != b"" or time.monotonic() > until:
            return header
        time.sleep(0.05)


def _has_no_known_format(header: bytes) -> bool:
    """Whether SQLite would open the file for reading only, or not at all, without calling it damaged."""
    schema_format = int.from_bytes(header[_SCHEMA_FORMAT])
    return not _KNOWN_FORMATS.issuperset(header[_FORMATS]) or schema_format > _NEWEST_SCHEMA_FORMAT


def _check_tables(path: Path) -> None:
    try:
        with closing(connected(path, "ro")) as connection:
            connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # damaged names too
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            columns = connection.execute("SELECT name FROM pragma_table_info('message')").fetchall()
    except sqlite3.OperationalError:
        return  # locked, or its log cannot be read without writing: the engine says so in its own words
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        raise damaged(str(path)) from None
    named = {name for (name,) in tables} >= TABLES and {name for (name,) in columns} >= OF_MESSAGE
    if tables and not named:
        raise _refusal(path, _("is another program's database"))


def _refusal(path: Path, what: str) -> LedgerDamagedError:
    return LedgerDamagedError(
        _(
            "The ledger at {path} {what}. It was left as it is. Restore a backup with `python -m "
            "dashboard restore FILE`, which keeps this one next to it, or correct the settings that say "
            "where the ledger is."
        ).format(path=path, what=what)
    )
