"""Copies of a SQLite ledger: taken while it is in use, and restored in its place.

What that means for messages still to be sent is in doubt.py. Opt-outs only grow: a restored copy takes over
those of the ledger it replaces.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from dashboard.errors import LedgerDamagedError, LedgerError, LedgerVersionError, OutputError
from dashboard.ledger.copies.doubt import OPT_OUTS_KEPT, OPT_OUTS_MISSING
from dashboard.ledger.database import schema
from dashboard.ledger.database.addresses import usable
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.failures import unavailable
from dashboard.ledger.database.ledger_file import check_file, damaged, files_of, is_damage
from dashboard.ledger.database.locks import COPIED_AT
from dashboard.ledger.database.version import version_in
from dashboard.ledger.database.writing import upsert
from dashboard.ledger.forgotten import KEY, PREFIX
from dashboard.output import check_output, is_same_file, to_disk, whole
from dashboard.words import _

_NO_LOG = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY_DIRECTORY)
"""What SQLite says where it can make no log, in a folder and on a disk for reading only."""

BACKED_UP_AT = "backed_up_at"
"""When the newest backup was complete, as the ledger itself notes it."""

_MARK = f"INSERT OR REPLACE INTO fact (name, value) VALUES ('{COPIED_AT}', ?)"  # noqa: S608 - our own word
_MARK_OTHER = f"INSERT OR IGNORE INTO fact (name, value) VALUES ('{COPIED_AT}', '')"  # noqa: S608 - the same
_NOT_KEPT = f"DELETE FROM fact WHERE name = '{OPT_OUTS_KEPT}'"  # noqa: S608 - the same
_KEPT = f"INSERT OR REPLACE INTO fact (name, value) VALUES ('{OPT_OUTS_KEPT}', '1')"  # noqa: S608 - the same
_SAME = "SELECT 1 FROM opt_out o WHERE o.phone = p.phone AND"
_SOURCE = "coalesce(p.source || ', ', '') || ?"
_TAKE_OVER = (
    "INSERT INTO opt_out (phone, reason, source, added_at) "  # noqa: S608 - the same
    f"SELECT p.phone, p.reason, {_SOURCE}, p.added_at FROM present.opt_out p "
    f"WHERE p.removed_at IS NULL AND NOT EXISTS ({_SAME} o.removed_at IS NULL) ORDER BY p.id"
)
_TAKE_OVER_HISTORY = (
    "INSERT INTO opt_out (phone, reason, source, added_at, removed_at, removed_by, removed_why) "  # noqa: S608
    f"SELECT p.phone, p.reason, {_SOURCE}, p.added_at, p.removed_at, p.removed_by, p.removed_why "
    "FROM present.opt_out p "
    f"WHERE p.removed_at IS NOT NULL AND NOT EXISTS ({_SAME} o.added_at = p.added_at) ORDER BY p.id"
)

_TAKE_OVER_FORGOTTEN = (
    f"INSERT OR IGNORE INTO secret SELECT * FROM present.secret WHERE name = '{KEY}'",  # noqa: S608 - our own
    f"INSERT INTO secret (name, value) SELECT '{KEY} ' || hex(randomblob(16)), value "  # noqa: S608 - the same
    f"FROM present.secret WHERE name LIKE '{KEY}%' AND value NOT IN (SELECT value FROM main.secret)",
    "INSERT OR IGNORE INTO fact SELECT * FROM present.fact "  # noqa: S608 - our own words
    f"WHERE name LIKE '{PREFIX}%'",
)
"""Whom the replaced ledger had forgotten since, by whichever key: never texted again."""

_AUDIT = "number, at, who, what, about, details, hash"
_TAKE_OVER_AUDIT = (
    f"INSERT INTO audit ({_AUDIT}) SELECT {_AUDIT} FROM present.audit "  # noqa: S608 - our own words
    "WHERE number > (SELECT coalesce(max(number), 0) FROM main.audit) AND "
    "(NOT EXISTS (SELECT 1 FROM main.audit) OR EXISTS (SELECT 1 FROM main.audit m "
    "JOIN present.audit p USING (number, hash) WHERE number = (SELECT max(number) FROM main.audit))) "
    "ORDER BY number"
)
"""What was done since the copy was taken, if that follows from what the copy knows."""

_TAKE_OVER_BARRED = "INSERT OR IGNORE INTO barred SELECT address, barred_at FROM present.barred"


_TAKE_OVER_PEOPLE = (
    "INSERT INTO person (address, value, who, at) SELECT address, value, who, at FROM present.person p "
    "WHERE NOT EXISTS (SELECT 1 FROM main.person m WHERE m.address = p.address "
    "AND (m.at > p.at OR (m.at, m.value, m.who) = (p.at, p.value, p.who))) ORDER BY id"
)
"""Whom administrators added, changed and removed since: what the replaced ledger said last counts."""

_NEW_SETTINGS = (
    "FROM present.setting p WHERE NOT EXISTS (SELECT 1 FROM main.setting m "
    "WHERE (m.name, m.person) = (p.name, p.person) "
    "AND (m.at > p.at OR (m.at, m.value, m.who) = (p.at, p.value, p.who)))"
)
_TAKE_OVER_SETTINGS = (
    *(
        f"UPDATE gate SET {cap} = (SELECT {cap} FROM present.gate p WHERE p.id = gate.id) "  # noqa: S608 - ours
        f"WHERE EXISTS (SELECT 1 {_NEW_SETTINGS} AND name = '{cap}')"
        for cap in ("credits_per_campaign", "credits_per_day")
    ),
    "INSERT INTO setting (name, person, value, who, at) "
    f"SELECT name, person, value, who, at {_NEW_SETTINGS} ORDER BY id",
)
"""What people decided since, caps on credits and approvals among it."""


@contextmanager
def as_ledger_errors() -> Iterator[None]:
    """Anyone who copies a ledger has only one kind of error to expect."""
    try:
        yield
    except OutputError as error:
        raise LedgerError(str(error)) from error


@as_ledger_errors()
def back_up(database: Database, target: Path, now: datetime) -> None:
    """Copy a SQLite ledger to a new file, as of one moment, while it is in use.

    Raises:
        LedgerError: It is not on SQLite, it is damaged, the file already exists, or it cannot be written.
    """
    if not database.is_sqlite:
        raise LedgerError(_("This ledger is on PostgreSQL. Back it up with pg_dump."))
    if target.exists():
        raise LedgerError(_("{target} already exists. Choose another name.").format(target=target))
    check_output(target, keep=files_at(str(database.url)))
    with whole(target, private=True) as part:
        copy_to(part, database, now)
    _note(database, now)


def copy_to(part: Path, database: Database, now: datetime) -> None:
    """Copy a SQLite ledger to a file, as of one moment, and mark the copy as one.

    Raises:
        LedgerDamagedError: The ledger is damaged.
        OSError: The copy cannot be written.
    """
    with _sqlite_errors_as_os(), database.read() as connection, closing(sqlite3.connect(part)) as copy:
        source: Any = connection.connection.driver_connection
        source.backup(copy)  # all pages in one step, so that writers do not make it start again
        if not is_sound(copy):
            raise damaged(str(database.url.database))
        copy.execute(_MARK, [now.isoformat()])
        copy.execute(_NOT_KEPT)
        copy.commit()


def _note(database: Database, now: datetime) -> None:
    """Let the ledger know of its backup; where it cannot be written, the backup is none the worse."""
    writable = Database(database.url) if database.read_only else database
    try:
        with suppress(LedgerError, SQLAlchemyError), writable.write() as connection:
            upsert(connection, schema.fact, {"name": BACKED_UP_AT, "value": now.isoformat()})
    finally:
        if database.read_only:
            writable.close()


def files_at(url: str) -> list[Path]:
    """The files of a SQLite ledger, including those that come and go with its use; none on PostgreSQL."""
    address = usable(url)
    is_sqlite = address.get_backend_name() == "sqlite"
    return files_of(Path(str(address.database))) if is_sqlite else []


@as_ledger_errors()
def put_back(copy: Path, database: Database, now: datetime) -> int | None:
    """Make a copy the ledger's file again; the current file is kept next to it.

    Returns:
        How many opt-outs of the current ledger the copy lacked and now has; None if opt-outs may be missing,
        because there is no readable current ledger, or because they may be missing from that one.

    Raises:
        LedgerError: The copy is the ledger itself, not a ledger, damaged or from a newer program, or cannot
            be put there; or somebody has the ledger open.
    """
    target = Path(str(database.url.database)).resolve()
    if is_same_file(copy, target):
        raise LedgerError(_("This file is the ledger itself. Choose a copy that `backup` wrote."))
    with closing(_opened(copy)) as source:
        _check_ledger(source)
        with _used_by_nobody(target) as can_be_read, whole(target, private=True) as part:
            with _sqlite_errors_as_os(), closing(sqlite3.connect(part)) as ledger:
                source.backup(ledger)
            taken_over = _take_over_opt_outs(part, target, now) if can_be_read else None
            _mark(part, opt_outs_kept=taken_over is not None)
            _sign_everybody_out(part, target)
            to_disk(part)
            _keep(target, now)
    return taken_over


def _opened(copy: Path) -> sqlite3.Connection:
    """Open a copy for reading, one without a log also where SQLite can make none, as on a read-only disk."""
    address = f"{copy.absolute().as_uri()}?mode=ro"
    logs = [copy.with_name(copy.name + suffix) for suffix in ("-wal", "-journal")]
    source = sqlite3.connect(address, uri=True)
    try:
        source.execute("SELECT 1 FROM sqlite_master")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # `_check_ledger` says others
        if getattr(error, "sqlite_errorcode", 0) in _NO_LOG and not any(
            log.exists() and log.stat().st_size for log in logs
        ):
            source.close()
            return sqlite3.connect(f"{address}&immutable=1", uri=True)
    return source


@contextmanager
def _used_by_nobody(present: Path) -> Iterator[bool]:
    """Keep everybody out of the current ledger, with all that is in its log moved into its file.

    SQLite gives up the log only to one who is alone, and whoever waits meanwhile cannot write in a file that
    has lost its name. Within the block only SQLite may open the file: when a process closes a file of its
    own, the system takes all its locks on it.

    Yields:
        Whether it can be read: not if it is gone or damaged. Nobody uses it then, and its log stays.

    Raises:
        LedgerError: Somebody has it open, or the log cannot be moved.
    """
    try:
        check_file(present)
    except LedgerDamagedError:
        yield False
        return
    if not present.exists():
        yield False
        return
    with closing(sqlite3.connect(present, isolation_level=None)) as ledger:
        yield _without_log(ledger)


def _without_log(ledger: sqlite3.Connection) -> bool:
    """Begin a transaction without a log, in which nobody else writes; False if the ledger is damaged."""
    in_use = LedgerError(
        "The dashboard, a worker or a notebook has this ledger open. Close it first, then restore the copy."
    )
    try:
        ledger.execute("PRAGMA journal_mode=DELETE")
        ledger.execute("BEGIN IMMEDIATE")
        alone = ledger.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if is_damage(error):
            return False
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise in_use from None
        raise unavailable(error) from error
    if not alone:  # somebody opened it in between
        raise in_use
    return True


def _keep(present: Path, now: datetime) -> None:
    """Give the current file a second name; its first name then goes to the copy, so there is always a ledger.

    A log is left only next to a file that is damaged or gone. It must be out of the way first, or SQLite
    would apply it to the copy; where the file is gone, an empty one stands for it meanwhile, or nothing would
    tell that there was a ledger.
    """
    name = f"{present.name}.before-{now:%Y%m%dT%H%M%S}"
    names = (present.with_name(name if not number else f"{name}-{number}") for number in count())
    kept = next(one for one in names if not one.exists())
    if present.exists():
        _name_too(present, kept)
    logs = [present.with_name(present.name + suffix) for suffix in ("-wal", "-shm", "-journal")]
    if any(log.exists() for log in logs):
        present.touch()
    for log in logs:
        if log.exists():
            log.rename(kept.with_name(kept.name + log.name.removeprefix(present.name)))


def _name_too(present: Path, kept: Path) -> None:
    try:
        kept.hardlink_to(present)
    except OSError:  # no hard links there; the locks go a moment before the name does
        shutil.copy2(present, kept)


def _take_over_opt_outs(part: Path, present: Path, now: datetime) -> int | None:
    """Give a copy the opt-outs of the ledger it replaces: they only grow.

    A number on either list stays on it, even if somebody has taken it off since: the copy does not know what
    that person knew.

    Returns:
        How many were missing; None if the current ledger cannot be read or may lack some.
    """
    source = f"taken over from the ledger that was replaced on {now:%Y-%m-%d %H:%M} UTC"
    with closing(sqlite3.connect(part, isolation_level=None)) as ledger:
        try:
            ledger.execute("ATTACH ? AS present", [str(present)])
            ledger.execute("BEGIN")
            ledger.execute(_TAKE_OVER_HISTORY, [source])
            taken_over = ledger.execute(_TAKE_OVER, [source]).rowcount
            ledger.execute("COMMIT")  # whatever is damaged besides
            ledger.execute("BEGIN")
            for statement in _TAKE_OVER_FORGOTTEN:
                ledger.execute(statement)
            ledger.execute("COMMIT")
        except (sqlite3.Error, UnicodeDecodeError):
            if ledger.in_transaction:
                ledger.execute("ROLLBACK")
            return None
    with closing(sqlite3.connect(present)) as ledger:
        return taken_over if is_sound(ledger, "opt_out") and not _lacks_some(ledger) else None


def _lacks_some(present: sqlite3.Connection) -> bool:
    """Whether the current ledger, if it is a restored copy itself, may lack opt-outs."""
    try:
        facts = {name for (name,) in present.execute("SELECT name FROM fact")}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return True
    return OPT_OUTS_MISSING in facts or (COPIED_AT in facts and OPT_OUTS_KEPT not in facts)


def _mark(part: Path, *, opt_outs_kept: bool) -> None:
    """Mark a copy that has no mark of its own, so that it is not trusted any further either."""
    with _sqlite_errors_as_os(), closing(sqlite3.connect(part)) as ledger:
        ledger.execute(_MARK_OTHER)
        ledger.execute(_NOT_KEPT)
        if opt_outs_kept:
            ledger.execute(_KEPT)
        ledger.commit()


def _sign_everybody_out(part: Path, present: Path) -> None:
    """Let a copy open nothing that was closed since: no browser is signed in, and who is barred stays so.

    What was decided since counts on: caps, and how many messages need somebody's approval.

    Nor does it lose what the audit trail says since.
    """
    with _sqlite_errors_as_os(), closing(sqlite3.connect(part, isolation_level=None)) as ledger:
        ledger.execute("DELETE FROM browser_session")
        if not present.exists():
            return
        with suppress(sqlite3.Error):
            ledger.execute("ATTACH ? AS present", [str(present)])
        for statement in (_TAKE_OVER_BARRED, _TAKE_OVER_AUDIT, _TAKE_OVER_PEOPLE, *_TAKE_OVER_SETTINGS):
            with suppress(sqlite3.Error, UnicodeDecodeError):  # that table is damaged
                ledger.execute(statement)


def _check_ledger(source: sqlite3.Connection) -> None:
    """Refuse a copy that could not be used, before the current ledger makes room for it."""
    no_ledger = LedgerError(_("This file is not a copy of a ledger. Choose one that `backup` wrote."))
    try:
        tables = {name for (name,) in source.execute("SELECT name FROM sqlite_master")}
        found = version_in(tables, lambda query: source.execute(query).fetchone()[0])
    except (sqlite3.DatabaseError, UnicodeDecodeError, LedgerDamagedError):
        raise no_ledger from None
    except LedgerVersionError:
        raise LedgerVersionError(
            "This copy is of a version that this program does not know, so nothing was restored. Restore it "
            "with the program that wrote it, or choose another copy."
        ) from None
    if found is None:
        raise no_ledger
    if not is_sound(source):
        raise LedgerDamagedError(_("This copy is damaged, so nothing was restored. Choose another copy."))


def is_sound(ledger: sqlite3.Connection, table: str = "1") -> bool:
    """Whether SQLite finds no damage, in the whole file or in one table and its indexes."""
    try:
        found: list[tuple[str]] = ledger.execute(f"PRAGMA integrity_check({table})").fetchall()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False
    return found == [("ok",)]


@contextmanager
def _sqlite_errors_as_os() -> Iterator[None]:
    """Report what SQLite cannot write as a file that cannot be written."""
    try:
        yield
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
