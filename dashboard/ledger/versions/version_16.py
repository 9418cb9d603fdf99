"""Version 16 of the tables: which browsers are signed in, with which account, and who is not let in.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, MetaData, String, Table, Text

_tables = MetaData()

Table(
    "browser_session",
    _tables,
    Column("id", String(64), primary_key=True),
    Column("address", Text, nullable=False),
    Column("issuer", Text, nullable=False),
    Column("ends_at", BigInteger, nullable=False, index=True),
)
Table(
    "account",
    _tables,
    Column("issuer", Text, primary_key=True),
    Column("address", Text, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("bound_at", BigInteger, nullable=False),
)
Table(
    "barred",
    _tables,
    Column("address", Text, primary_key=True),
    Column("barred_at", BigInteger, nullable=False),
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 15 to version 16."""
    _tables.create_all(connection, checkfirst=False)
