"""Whom somebody asked to forget: never texted again, known only by a hash with a key of this ledger's own."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, delete, select

from dashboard.contacts.renumberings import every_spelling
from dashboard.ledger.database import schema
from dashboard.ledger.database.secret import known_secret, secret
from dashboard.ledger.database.writing import insert_new

PREFIX = "forgotten "
"""What the names of these facts begin with; the hash follows."""
KEY = "forgotten people"

_fact = schema.fact.c
_LISTED = select(_fact.name).where(_fact.name.startswith(PREFIX))


def remember(connection: Connection, phone: str, now: datetime) -> None:
    """Keep the hash of a phone (E.164), so that it is known again; in a write transaction."""
    name = _name(secret(connection, KEY), phone)
    insert_new(connection, schema.fact, [{"name": name, "value": now.isoformat()}])


def forgotten_among(connection: Connection, phones: Iterable[str]) -> frozenset[str]:
    """Those of these phones (E.164) whose people were forgotten, in whichever spelling of them."""
    listed = set(connection.execute(_LISTED).scalars())
    key = known_secret(connection, KEY) if listed else None
    if key is None:
        return frozenset()
    spelled = every_spelling([*phones])
    return frozenset(phone for phone, spelling in spelled if _name(key, spelling) in listed)


def admit_again(connection: Connection, phone: str) -> bool:
    """Take a phone off this list; False if it was not on it."""
    key = known_secret(connection, KEY)
    if key is None:
        return False
    removed = connection.execute(delete(schema.fact).where(_fact.name == _name(key, phone)))
    return bool(removed.rowcount)


def _name(key: bytes, phone: str) -> str:
    return PREFIX + hmac.digest(key, phone.encode(), "sha256").hex()
