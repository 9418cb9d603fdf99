"""Version 12 of the tables: when each message was handed over and failed, why it costs what it does; tallies.

Batches are also found by the time until which they are held, however many are, and keep when they were first
claimed.

What earlier versions knew is worked out once, here: the claim from the notes about attempts, the failure from
the history, the cause from the text, or without it as a bill that nothing explains; then all is counted.

A step makes the tables as they were in its version and never changes; schema.py has the current ones. Whoever
changes what `recount.store` counts keeps its present form here.
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
    text,
)

from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.causes import explained

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
_PART = 20_000
"""How many messages are looked at together, so that memory stays flat."""

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
_KNOWN = """
UPDATE result SET
    handed_over_at = coalesce((SELECT coalesce((SELECT max(a.at) FROM attempt a
                WHERE (b.attempt > 1 OR b.parent IS NOT NULL)
                    AND a.batch_id IN (b.id, b.parent) AND a.event = 'claimed' AND a.at <=
                        (SELECT min(e.recorded_at) FROM event e WHERE e.message_id = result.message_id)),
            b.claimed_at)
        FROM batch b WHERE b.first_message <= result.message_id AND b.state <> 'split'
        ORDER BY b.first_message DESC LIMIT 1), created_at, changed_at),
    failed_at = CASE WHEN failure_reason IS NOT NULL AND delivered_at IS NULL THEN coalesce(
        (SELECT min(e.recorded_at) FROM event e WHERE e.message_id = result.message_id AND e.stage = 2),
        changed_at) END,
    cause = (SELECT CASE WHEN m.credits_low < m.credits_high THEN 4 ELSE 3 END FROM message m
        WHERE m.id = result.message_id AND result.credits_used BETWEEN m.credits_low AND m.credits_high)
WHERE message_id BETWEEN :first AND :last AND state = 'accepted'
"""
_ODD = """
SELECT m.id, m.body, r.credits_used, m.credits_low, m.credits_high
FROM message m JOIN result r ON r.message_id = m.id
WHERE m.id BETWEEN :first AND :last AND r.credits_used IS NOT NULL AND r.cause IS NULL
"""
_EXPLAINED = "UPDATE result SET cause = :cause WHERE message_id = :message"


def step(connection: Connection) -> None:
    """Bring a ledger of version 11 to version 12."""
    for statement in (*_ADDED, *_BY_STATE):
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(_FIRST_CLAIMED)
    while connection.exec_driver_sql(_OF_WHOLE).rowcount:
        pass
    _tables.create_all(connection, _TALLIES, checkfirst=False)
    campaigns = "SELECT id, first_message, last_message FROM campaign ORDER BY first_message"
    for campaign_id, first, last in connection.exec_driver_sql(campaigns).all():
        for start in range(first, last + 1, _PART):
            _fill(connection, {"first": start, "last": min(start + _PART - 1, last)})
        recount.store(connection, campaign_id)


def _fill(connection: Connection, part: dict[str, int]) -> None:
    connection.execute(text(_KNOWN), part)
    odd = connection.execute(text(_ODD), part).all()
    if odd:
        causes = explained([row.body for row in odd], [tuple(row)[2:] for row in odd])
        changes = [{"message": row.id, "cause": cause} for row, cause in zip(odd, causes, strict=True)]
        connection.execute(text(_EXPLAINED), changes)
