"""Version 2 of the tables: saved contact lists, and which column was what in sheets seen before.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

_tables = MetaData()

Table(
    "saved_list",
    _tables,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("choices", Text, nullable=False),
    Column("counts", Text, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", BigInteger, nullable=False),
)

Table(
    "saved_list_part",
    _tables,
    Column("list_id", ForeignKey("saved_list.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)

Table(
    "remembered_columns",
    _tables,
    Column("signature", String(64), primary_key=True),
    Column("columns", Text, nullable=False),
    Column("used_at", BigInteger, nullable=False),
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 1 to version 2."""
    _tables.create_all(connection, checkfirst=False)
