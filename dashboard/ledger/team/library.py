"""The library of texts: each with a name, and every version with who saved it and when.

The versions are rows of the table `setting`, which never change: those of one text have its id as their name,
and stand apart from settings by `person`. The newest row is the text; without a value, the text was deleted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from dashboard.arguments import checks_methods
from dashboard.errors import LedgerError
from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.clock import Part
from dashboard.ledger.team.kept_settings import LIBRARY
from dashboard.words import _


@dataclass(frozen=True)
class SavedText:
    """A version of a text.

    Attributes:
        id: Names the text, in all its versions.
        version: Counts from 1.
        name: What the text is called.
        text: What it says, with its fields as they are written.
        who: Who saved this version.
        at: When, in UTC.
    """

    id: str
    version: int
    name: str
    text: str
    who: str
    at: datetime


_Texts = dict[str, list[SavedText]]


@checks_methods()
class Library(Part):
    """The saved texts of a ledger. Whoever saves last counts, and what was saved before can be brought back.

    Example:
        >>> saved = ledger.library.save("Opening", "The doors open at ten.", who="ann@example.com")
        >>> [text.name for text in ledger.library.all()]
        ['Opening']
    """

    def all(self) -> list[SavedText]:
        """Every text in its newest version, the one saved last first."""
        with self._database.read() as connection:
            texts = _versions(connection)
        return sorted((versions[-1] for versions in texts.values()), key=lambda one: one.at, reverse=True)

    def versions(self, text_id: str) -> list[SavedText]:
        """Every version of a text, the newest first.

        Raises:
            LedgerError: It is no longer saved.
        """
        with self._database.read() as connection:
            return _found(_versions(connection), text_id)[::-1]

    def every_version(self) -> list[SavedText]:
        """Every version of every text, of deleted ones too: what they said stays."""
        with self._database.read() as connection:
            texts = _versions(connection, deleted=True)
        return [one for versions in texts.values() for one in versions]

    def save(self, name: str, text: str, *, who: str) -> SavedText:
        """Save a text: as a new version if a text has this name, however its letters are written.

        Raises:
            LedgerError: The name, the text or the person is missing.
        """
        name = _checked(name, text, who)
        with self._changing() as (connection, texts):
            same = _called(texts, name)
            if same is not None and (same.name, same.text) == (name, text):
                return same
            return self._keep(connection, same.id if same else uuid4().hex, name, text, who)

    def rename(self, text_id: str, name: str, *, who: str) -> SavedText:
        """Give a text another name.

        Raises:
            LedgerError: Another text has this name, the text is no longer saved, or a name is missing.
        """
        with self._changing() as (connection, texts):
            newest = _found(texts, text_id)[-1]
            name = _checked(name, newest.text, who)
            other = _called(texts, name)
            if other is not None and other.id != text_id:
                raise LedgerError(_("Another text has this name. Choose a different one."))
            if newest.name == name:
                return newest
            return self._keep(connection, text_id, name, newest.text, who)

    def restore(self, text_id: str, version: int, *, who: str) -> SavedText:
        """Make what an earlier version says the newest version; the name stays.

        Raises:
            LedgerError: There is no such version, the text is no longer saved, or the person is missing.
        """
        with self._changing() as (connection, texts):
            versions = _found(texts, text_id)
            newest, earlier = versions[-1], next((one for one in versions if one.version == version), None)
            if earlier is None:
                raise LedgerError(_("This text has no version {number}.").format(number=version))
            name = _checked(newest.name, earlier.text, who)
            if newest.text == earlier.text:
                return newest
            return self._keep(connection, text_id, name, earlier.text, who)

    def delete(self, text_id: str, *, who: str) -> None:
        """Delete a text; do nothing if it is already gone. Campaigns and drafts that began with it stay.

        Raises:
            LedgerError: The person is missing.
        """
        _checked("-", "-", who)
        with self._changing() as (connection, texts):
            if text_id in texts:
                at = self._add(connection, text_id, None, who)
                append(connection, "delete", text_id, at, details={"kind": "text"})

    @contextmanager
    def _changing(self) -> Iterator[tuple[Connection, _Texts]]:
        """A write transaction of its own, so that of two at once the second is a version of the first."""
        with self._database.write() as connection:
            serialize(connection, Advisory.SETTINGS)
            yield connection, _versions(connection)

    def _keep(self, connection: Connection, text_id: str, name: str, text: str, who: str) -> SavedText:
        at = self._add(connection, text_id, {"name": name, "text": text}, who)
        saved = _versions(connection)[text_id][-1]
        append(connection, "save text", text_id, at, details={"version": saved.version})
        return saved

    def _add(self, connection: Connection, text_id: str, value: dict[str, str] | None, who: str) -> datetime:
        at = self._now()
        row = {"name": text_id, "person": LIBRARY, "value": json.dumps(value), "who": who, "at": at}
        connection.execute(insert(schema.setting).values(row))
        return at


def _checked(name: str, text: str, who: str) -> str:
    """The name without blanks around it."""
    if not who.strip():
        raise LedgerError(_("Say who changes the texts."))
    if not name.strip():
        raise LedgerError(_("Give the text a name, so that it can be found again."))
    if not text.strip():
        raise LedgerError(_("Write the text before you save it."))
    return " ".join(name.split())


def _called(texts: _Texts, name: str) -> SavedText | None:
    """The text with this name, in its newest version."""
    newest = [versions[-1] for versions in texts.values()]
    return next((one for one in newest if one.name.casefold() == name.casefold()), None)


def _found(texts: _Texts, text_id: str) -> list[SavedText]:
    """The versions of a text, the oldest first."""
    versions = texts.get(text_id)
    if versions is None:
        raise LedgerError(_("This text is no longer saved. Choose another one."))
    return versions


def _versions(connection: Connection, *, deleted: bool = False) -> _Texts:
    """The versions of every text, by its id, the oldest first; of deleted ones only if asked for."""
    table = schema.setting
    rows = connection.execute(select(table).where(table.c.person == LIBRARY).order_by(table.c.id))
    texts: _Texts = {}
    for row in rows:
        value = json.loads(row.value)
        versions = texts.setdefault(row.name, [])
        if value is not None:
            versions.append(SavedText(row.name, len(versions) + 1, **value, who=row.who, at=row.at))
        elif not deleted:
            del texts[row.name]
    return texts
