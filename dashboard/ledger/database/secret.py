"""Secrets of a ledger's own, by name, from which nobody else can work out what it keeps a hash of."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import insert_new

_BYTES = 32


def secret(connection: Connection, name: str) -> bytes:
    """The secret with this name, made on first use; in a write transaction."""
    insert_new(connection, schema.secret, [{"name": name, "value": secrets.token_bytes(_BYTES)}])
    query = select(schema.secret.c.value).where(schema.secret.c.name == name)
    return bytes(connection.execute(query).scalar_one())


def known_secret(connection: Connection, name: str) -> bytes | None:
    """The same if it already exists, otherwise None; makes nothing."""
    query = select(schema.secret.c.value).where(schema.secret.c.name == name)
    value = connection.execute(query).scalar_one_or_none()
    return None if value is None else bytes(value)
