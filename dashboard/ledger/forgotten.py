"""Whom somebody asked to forget: never texted again, known only by a hash with a key of this ledger's own."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, delete, select

from dashboard.contacts.renumberings import every_spelling
from dashboard.ledger.database import schema
from dashboard.ledger.database.secret import secret
from dashboard.ledger.database.writing import insert_new

PREFIX = "forgotten "
"""What the names of these facts begin with; the hash follows."""
KEY = "forgotten people"
"""What the names of the keys begin with: a restored copy takes over those of the ledger it replaces."""

_fact = schema.fact.c
_LISTED = select(_fact.name).where(_fact.name.startswith(PREFIX))
_KEYS = select(schema.secret.c.value).where(schema.secret.c.name.startswith(KEY))


def remember(connection: Connection, phone: str, now: datetime) -> None:
    """Keep the hash of a phone (E.164), so that it is known again; in a write transaction."""
    name = _name(secret(connection, KEY), phone)
    insert_new(connection, schema.fact, [{"name": name, "value": now.isoformat()}])


def forgets(connection: Connection) -> bool:
    """Whether anybody was forgotten."""
    return connection.execute(_LISTED.limit(1)).first() is not None


def forgotten_among(connection: Connection, phones: Iterable[str]) -> frozenset[str]:
    """Those of these phones (E.164) whose people were forgotten, in whichever spelling of them."""
    listed = set(connection.execute(_LISTED).scalars())
    if not listed:
        return frozenset()
    keys, spelled = _keys(connection), every_spelling([*phones])
    return frozenset(
        phone for phone, spelling in spelled if any(_name(key, spelling) in listed for key in keys)
    )


def admit_again(connection: Connection, phone: str) -> bool:
    """Take a phone off this list; False if it was not on it."""
    names = [_name(key, phone) for key in _keys(connection)]
    removed = connection.execute(delete(schema.fact).where(_fact.name.in_(names)))
    return bool(removed.rowcount)


def _keys(connection: Connection) -> list[bytes]:
    return [bytes(key) for key in connection.execute(_KEYS).scalars()]


def _name(key: bytes, phone: str) -> str:
    return PREFIX + hmac.digest(key, phone.encode(), "sha256").hex()
