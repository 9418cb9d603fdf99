"""Version 12 of the tables: when each message was handed over and failed, why it costs what it does; tallies.

What is in them is worked out once all steps are done, by filling.py.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

_tables = MetaData()

Table("campaign", _tables, Column("id", String(32), primary_key=True))


def _numbers(*names: str) -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False) for name in names]


def _key(name: str, kind: type[BigInteger] | type[SmallInteger] = BigInteger) -> Column[int]:
    return Column(name, kind, primary_key=True, autoincrement=False)


_TALLIES = [
    Table(
        "cell",
        _tables,
        Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
        Column("campaign_id", ForeignKey("campaign.id"), nullable=False),
        Column("country", String(2), nullable=False),
        Column("line_type", String(24), nullable=False),
        Column("variant", Text, nullable=False),
        Column("price", Text, nullable=False),
        UniqueConstraint("campaign_id", "country", "line_type", "variant", "price"),
    ),
    Table(
        "waiting",
        _tables,
        *(_key("batch_id"), _key("cell_id"), _key("due")),
        *_numbers("messages", "credits_low", "credits_high"),
        sqlite_with_rowid=False,
    ),
    Table(
        "tally",
        _tables,
        *(_key("cell_id"), _key("shard", SmallInteger), _key("handed_over")),
        *(_key("stage", SmallInteger), _key("cause", SmallInteger), _key("due")),
        Column("reason", Text, primary_key=True),
        *_numbers("messages", "credits_low", "credits_high", "credits_billed", "difference"),
        sqlite_with_rowid=False,
    ),
    Table(
        "course",
        _tables,
        Column("campaign_id", String(32), primary_key=True),
        *(_key("shard", SmallInteger), _key("stage", SmallInteger), _key("at")),
        *_numbers("messages"),
        sqlite_with_rowid=False,
    ),
]
_ADDED = (
    "ALTER TABLE result ADD COLUMN handed_over_at BIGINT",
    "ALTER TABLE result ADD COLUMN failed_at BIGINT",
    "ALTER TABLE result ADD COLUMN cause SMALLINT",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 11 to version 12."""
    for statement in _ADDED:
        connection.exec_driver_sql(statement)
    _tables.create_all(connection, _TALLIES, checkfirst=False)
