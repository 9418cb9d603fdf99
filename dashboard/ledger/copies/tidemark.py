"""How far a SQLite ledger has got, noted in a file next to it: an older copy has not got as far.

A tide is a ledger's identity, its attempts and the changes that people made, both of which only grow, and the
process that registered last. It is noted as soon as whatever raised it is on disk, and before any request: a
ledger that is behind its note is an older copy that was put back by some means.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from uuid import uuid4

from sqlalchemy import Connection, bindparam, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import insert_new, upsert

IDENTITY = "identity"
CHANGES = "changes"
ATTEMPTS_BEFORE = "attempts_before"
OWNER_BEFORE = "owner_before"
"""What an older copy that became the ledger lacked, once that was noticed."""

_FACT = Prepared(select(schema.fact.c.value).where(schema.fact.c.name == bindparam("name_")))
_OWNER = Prepared(select(schema.owner.c.id).where(schema.owner.c.id == bindparam("owner_")))
_FACTS = Prepared(select(schema.fact.c.name, schema.fact.c.value))
_ATTEMPTS = Prepared(select(func.coalesce(func.max(schema.attempt.c.id), 0).label("most")))
_COUNT = (
    f"INSERT INTO fact (name, value) VALUES ('{CHANGES}', '1') "  # noqa: S608 - our own word
    "ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)"
)
_LONGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Tide:
    """How far a ledger has got."""

    identity: str
    attempts: int
    changes: int
    owner: str = "-"

    def line(self) -> str:
        """As written in the note, always of the same length."""
        return f"{self.identity:<32} {self.attempts:020d} {self.changes:020d} {self.owner:<64}\n"


def fact(connection: Connection, name: str) -> str | None:
    """What the ledger stores about itself under a name."""
    found = _FACT.first(connection, name_=name)
    return found and str(found.value)


def identify(connection: Connection, identity: str | None = None) -> None:
    """Give a ledger its identity, which its copies share, unless it has one: this one, or a new one."""
    insert_new(connection, schema.fact, [{"name": IDENTITY, "value": identity or uuid4().hex}])


def tide(connection: Connection) -> Tide | None:
    """How far the ledger has got; None if it has no identity yet."""
    found: dict[str, str] = {row.name: row.value for row in _FACTS(connection)}
    if IDENTITY not in found:
        return None
    attempts = int(_ATTEMPTS.one(connection).most) + int(found.get(ATTEMPTS_BEFORE, 0))
    return Tide(found[IDENTITY], attempts, int(found.get(CHANGES, 0)))


def count_change(connection: Connection) -> None:
    """Count what a person changed in this transaction; only a SQLite ledger has a note of it."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_COUNT)


def is_behind(connection: Connection, noted: Tide | None) -> bool:
    """Whether something may have been sent since: attempts, or processes that could make any, are missing."""
    now = tide(connection)
    if noted is None or now is None or noted.identity != now.identity:
        return False
    return now.attempts < noted.attempts or not _knows(connection, noted.owner)


def lacks_changes(connection: Connection, noted: Tide | None) -> bool:
    """Whether something a person changed is missing from this ledger."""
    now = tide(connection)
    same = noted is not None and now is not None and noted.identity == now.identity
    return same and noted is not None and now is not None and now.changes < noted.changes


def catch_up(connection: Connection, noted: Tide | None) -> None:
    """Let the ledger count on from the note, so that it no longer counts as a copy, but later copies do."""
    now = tide(connection)
    if noted is None or now is None or noted.identity != now.identity:
        return
    before = int(fact(connection, ATTEMPTS_BEFORE) or 0) + max(0, noted.attempts - now.attempts)
    facts = {
        ATTEMPTS_BEFORE: str(before),
        CHANGES: str(max(now.changes, noted.changes) + 1),
        OWNER_BEFORE: noted.owner,
    }
    for name, value in facts.items():
        upsert(connection, schema.fact, {"name": name, "value": value})


def _knows(connection: Connection, owner: str) -> bool:
    registered = _OWNER.first(connection, owner_=owner) is not None
    return owner == "-" or registered or fact(connection, OWNER_BEFORE) == owner


class Tidemark:
    """The note next to a ledger, a line for each ledger ever in this place; PostgreSQL has none.

    Written without waiting for the disk: after a power cut it may be behind the ledger, never ahead.
    """

    def __init__(self, database: Database) -> None:
        self._path = Path(f"{database.url.database}.tide") if database.is_sqlite else None
        self._noted: dict[str, Tide] = {}
        self._guard = Lock()

    @property
    def is_kept(self) -> bool:
        """Whether there is one at all."""
        return self._path is not None

    def read(self, identity: str | None) -> Tide | None:
        """What is noted about a ledger; for one without an identity, about the newest in this place."""
        try:
            lines = self._path.read_text(encoding="ascii").splitlines() if self._path else []
        except (OSError, ValueError):
            return None
        tides = [one for one in map(_parsed, lines) if one is not None]
        of_it = [one for one in tides if identity in {None, one.identity}]
        return of_it[-1] if of_it else None

    def note(self, tide: Tide | None) -> None:
        """Note how far a ledger has got, at least; what cannot be written now is written the next time."""
        if self._path is None or tide is None:
            return
        with self._guard, suppress(OSError, ValueError):
            known = self._noted.get(tide.identity)
            if known is not None and _later(known, tide) == known and self._path.exists():
                return
            self._noted[tide.identity] = self._write(self._path, tide)

    def _write(self, path: Path, tide: Tide) -> Tide:
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            lines = os.read(file, _LONGEST).decode("ascii").splitlines(keepends=True)
            kept = [one for line in lines if (one := _parsed(line)) is not None]
            at = next((place for place, one in enumerate(kept) if one.identity == tide.identity), len(kept))
            tide = _later(kept[at], tide) if at < len(kept) else tide
            kept[at : at + 1] = [tide]
            os.lseek(file, 0, os.SEEK_SET)
            os.write(file, "".join(one.line() for one in kept).encode("ascii"))
        finally:
            os.close(file)
        return tide


def _parsed(line: str) -> Tide | None:
    """A line of the note; earlier versions wrote only the identity and the attempts."""
    try:
        identity, attempts, *others = line.split()
        changes, owner = others or ("0", "-")
        return Tide(identity, int(attempts), int(changes), owner)
    except ValueError:
        return None


def _later(one: Tide, other: Tide) -> Tide:
    """The further of the two in each respect; the owner from `other`, if it names one."""
    return replace(
        other,
        attempts=max(one.attempts, other.attempts),
        changes=max(one.changes, other.changes),
        owner=one.owner if other.owner == "-" else other.owner,
    )
