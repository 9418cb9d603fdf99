"""What the sandbox remembers, in one SQLite file used by one thread.

Every acceptance is a row of its own, even if its uuid was accepted before: the contract does not say that a
uuid is accepted only once, so a message sent twice is billed twice here, and tests can see it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import orjson

from dashboard.sandbox.contract.credits import credits_used
from dashboard.sandbox.contract.links import Shortener, numbers_in
from dashboard.sandbox.contract.objects import Contact, Stored
from dashboard.sandbox.contract.rules import Submitted
from dashboard.sandbox.simulation import Simulation, fate

SCHEMA = """
CREATE TABLE IF NOT EXISTS contacts (
    id INTEGER PRIMARY KEY, phone TEXT NOT NULL UNIQUE, uuid TEXT NOT NULL, method_uuid TEXT NOT NULL,
    created_us INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, contact INTEGER NOT NULL REFERENCES contacts,
    sender TEXT NOT NULL, body TEXT NOT NULL, campaign TEXT, credits_used INTEGER NOT NULL,
    status TEXT NOT NULL, failure_reason TEXT,
    created_us INTEGER NOT NULL, scheduled_us INTEGER, sent_us INTEGER, delivered_us INTEGER,
    due_us INTEGER -- when the next change happens; NULL when none will
);
CREATE INDEX IF NOT EXISTS messages_due ON messages (due_us) WHERE due_us IS NOT NULL;
CREATE VIEW IF NOT EXISTS stored AS -- the columns of objects.Stored, in its order
    SELECT m.id, m.uuid, m.sender, m.body, m.campaign, m.credits_used, m.status, m.failure_reason,
           m.created_us, m.scheduled_us, m.sent_us, m.delivered_us,
           c.id AS contact, c.phone, c.uuid AS contact_uuid, c.method_uuid, c.created_us AS contact_us
    FROM messages m JOIN contacts c ON c.id = m.contact;
CREATE TABLE IF NOT EXISTS links (id INTEGER PRIMARY KEY, url TEXT NOT NULL, tracking TEXT);
CREATE TABLE IF NOT EXISTS reports ( -- changes that no webhook has taken yet
    seq INTEGER PRIMARY KEY AUTOINCREMENT, message INTEGER NOT NULL, status TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

ACCEPT = """
INSERT INTO messages (id, uuid, contact, sender, body, campaign, credits_used, status, created_us,
                      scheduled_us, due_us)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
CHANGE = """
UPDATE messages SET status = ?2, failure_reason = ?3, sent_us = coalesce(?4, sent_us), delivered_us = ?5,
                    due_us = ?6
WHERE id = ?1
"""
FIND_CONTACTS = """
SELECT id, phone, uuid, method_uuid, created_us FROM contacts
WHERE phone IN (SELECT value FROM json_each(?))
"""
OLD = """
SELECT id, body, contact FROM messages
WHERE created_us < ? AND due_us IS NULL AND body <> '' LIMIT ?
"""
FORGET_CONTACT = """
UPDATE contacts SET phone = 'forgotten ' || id
WHERE id = ? AND NOT EXISTS (SELECT 1 FROM messages WHERE contact = contacts.id AND body <> '')
"""
SUMMARY = """
SELECT count(*), count(DISTINCT lower(uuid)), coalesce(sum(credits_used), 0) FROM messages
WHERE ?1 IS NULL OR campaign = ?1
"""
BY_STATUS = "SELECT status, count(*) FROM messages WHERE ?1 IS NULL OR campaign = ?1 GROUP BY status"
PAGE = """
SELECT * FROM stored WHERE id > ?1 AND id < ?2 AND (?3 IS NULL OR campaign = ?3) ORDER BY id LIMIT ?4
"""
WAITING = """
SELECT r.seq, r.status, s.* FROM reports r JOIN stored s ON s.id = r.message ORDER BY r.seq LIMIT ?
"""


class Change(NamedTuple):
    """A message's step to its next status; `due_us` is when it takes the one after, None at the end."""

    id: int
    status: str
    failure_reason: str | None
    sent_us: int | None
    delivered_us: int | None
    due_us: int | None


class Store:
    """The file. Close it at the end."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.executescript(SCHEMA)
        self._next_message = self._count("SELECT coalesce(max(id), 0) + 1 FROM messages")
        self._next_link = self._count("SELECT coalesce(max(id), 0) + 1 FROM links")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def accept(
        self, submitted: Sequence[Submitted], *, now_us: int, simulation: Simulation, link_root: str
    ) -> list[Stored]:
        """Accept messages, all or none, making short links, credits and contacts along the way."""
        shortened = Shortener(link_root, self._next_link)
        with self._transaction():
            contacts = self._contacts((message.to for message in submitted), now_us)
            taken = [
                _stored(number, message, contacts[message.to], shortened, now_us)
                for number, message in enumerate(submitted, start=self._next_message)
            ]
            self._db.executemany("INSERT INTO links (id, url, tracking) VALUES (?, ?, ?)", shortened.made)
            self._db.executemany(ACCEPT, [_row(stored, simulation) for stored in taken])
        self._next_message += len(taken)
        self._next_link += len(shortened.made)
        return taken

    def link(self, number: int) -> tuple[str, str | None] | None:
        """URL and tracking value of a short link."""
        row = self._db.execute(
            "SELECT url, tracking FROM links WHERE id = ? AND url <> ''", [number]
        ).fetchone()
        return (row[0], row[1]) if row else None

    def due(self, now_us: int, *, limit: int) -> list[tuple[int, str, str]]:
        """Id, uuid and status of the messages whose next change is due, the longest waiting first."""
        return self._db.execute(
            "SELECT id, uuid, status FROM messages WHERE due_us <= ? ORDER BY due_us LIMIT ?", [now_us, limit]
        ).fetchall()

    def change(self, changes: Sequence[Change]) -> None:
        """Write changes, and note each for the webhook."""
        with self._transaction():
            self._db.executemany(CHANGE, changes)
            self._db.executemany(
                "INSERT INTO reports (message, status) VALUES (?, ?)",
                [(change.id, change.status) for change in changes],
            )

    def waiting_reports(self, *, limit: int) -> list[tuple[int, str, Stored]]:
        """Number, status and message of the oldest reports that no webhook has taken."""
        rows = self._db.execute(WAITING, [limit]).fetchall()
        return [(seq, status, Stored(*row)) for seq, status, *row in rows]

    def drop_reports(self, up_to: int) -> None:
        """Forget the reports that a webhook has taken."""
        self._db.execute("DELETE FROM reports WHERE seq <= ?", [up_to])

    def messages(self, *, campaign: str | None = None, page: int = 1000) -> Iterator[list[Stored]]:
        """Every message accepted up to now, oldest first, in pages."""
        last, end = 0, self._next_message
        while rows := self._db.execute(PAGE, [last, end, campaign, page]).fetchall():
            yield [Stored(*row) for row in rows]
            last = rows[-1][0]

    def forget(self, before_us: int, *, at_once: int = 10_000) -> int:
        """Empty the texts of messages that are over and were accepted before, with their links and numbers.

        Rows, credits and times stay, so every figure does; a number stays while a younger message has it.
        """
        forgotten = 0
        while rows := self._db.execute(OLD, [before_us, at_once]).fetchall():
            links = [(number,) for _id, body, _contact in rows for number in numbers_in(body)]
            with self._transaction():
                self._db.executemany("UPDATE messages SET body = '' WHERE id = ?", [row[:1] for row in rows])
                self._db.executemany("UPDATE links SET url = '', tracking = NULL WHERE id = ?", links)
                self._db.executemany(FORGET_CONTACT, {row[2:] for row in rows})
            forgotten += len(rows)
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return forgotten

    def summary(self, *, campaign: str | None = None) -> dict[str, object]:
        """Counts of what was accepted: rows, different uuids, credits, rows by status, reports waiting."""
        messages, uuids, credits_total = self._db.execute(SUMMARY, [campaign]).fetchone()
        return {
            "messages": messages,
            "uuids": uuids,
            "credits_used": credits_total,
            "by_status": dict(self._db.execute(BY_STATUS, [campaign]).fetchall()),
            "reports_waiting": self._count("SELECT count(*) FROM reports"),
        }

    def fact(self, name: str) -> dict[str, Any] | None:
        """A remembered JSON object; None if there is none."""
        row = self._db.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()
        return orjson.loads(row[0]) if row else None

    def remember(self, name: str, value: dict[str, Any] | None) -> None:
        """Remember a JSON object under a name; None forgets it."""
        if value is None:
            self._db.execute("DELETE FROM facts WHERE name = ?", [name])
            return
        row = [name, orjson.dumps(value).decode()]
        self._db.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", row)

    def _contacts(self, phones: Iterable[str], now_us: int) -> dict[str, Contact]:
        """The contact of each number, made for numbers that have none."""
        different = list(dict.fromkeys(phones))
        known = self._known_contacts(different)
        if missing := [phone for phone in different if phone not in known]:
            self._db.executemany(
                "INSERT INTO contacts (phone, uuid, method_uuid, created_us) VALUES (?, ?, ?, ?)",
                [(phone, str(uuid4()), str(uuid4()), now_us) for phone in missing],
            )
            known |= self._known_contacts(missing)
        return known

    def _known_contacts(self, phones: list[str]) -> dict[str, Contact]:
        rows = self._db.execute(FIND_CONTACTS, [orjson.dumps(phones).decode()]).fetchall()
        return {contact.phone: contact for contact in map(Contact._make, rows)}

    def _count(self, query: str) -> int:
        return int(self._db.execute(query).fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _stored(number: int, message: Submitted, contact: Contact, shortened: Shortener, now_us: int) -> Stored:
    body = shortened(message.body, message.tracking) if message.shorten else message.body
    return Stored(
        number,
        message.uuid,
        message.sender,
        body,
        message.campaign,
        credits_used(body),
        "pending",
        None,
        now_us,
        message.scheduled_us,
        None,
        None,
        *contact,
    )


def _row(stored: Stored, simulation: Simulation) -> tuple[object, ...]:
    """The values of ACCEPT; the first change is due after the sending delay, counted from the schedule."""
    due_us = (stored.scheduled_us or stored.created_us) + fate(stored.uuid, simulation).send_delay_us
    return (
        stored.id,
        stored.uuid,
        stored.contact,
        stored.sender,
        stored.body,
        stored.campaign,
        stored.credits_used,
        stored.status,
        stored.created_us,
        stored.scheduled_us,
        due_us,
    )
