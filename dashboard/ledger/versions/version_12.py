"""Version 12 of the tables: when each message was handed over and failed, why it costs what it does; tallies.

Batches are also found by the time until which they are held, however many are, and keep when they were first
claimed. What is in the new columns of results, and in the tallies, is worked out once all steps are done, by
filling.py.

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
    "ALTER TABLE batch ADD COLUMN first_claimed_at BIGINT",
)
_FIRST_CLAIMED = """
UPDATE batch SET first_claimed_at = coalesce(
    (SELECT min(a.at) FROM attempt a WHERE a.batch_id = batch.id AND a.event = 'claimed'), claimed_at)
WHERE claimed_at IS NOT NULL
"""
_OF_WHOLE = """
UPDATE batch SET first_claimed_at = (SELECT w.first_claimed_at FROM batch w WHERE w.id = batch.parent)
WHERE first_claimed_at > (SELECT w.first_claimed_at FROM batch w WHERE w.id = batch.parent)
"""
"""A half was first claimed when the batch that it is a half of was; halves are halved again."""
_BY_STATE = (
    "DROP INDEX batch_by_state",
    "CREATE INDEX batch_by_state ON batch (campaign_id, state, due_at, first_message)",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 11 to version 12."""
    for statement in (*_ADDED, *_BY_STATE):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_FIRST_CLAIMED)
    while connection.exec_driver_sql(_OF_WHOLE).rowcount:
        pass
    _tables.create_all(connection, _TALLIES, checkfirst=False)
