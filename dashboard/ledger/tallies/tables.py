"""The tables that hold what every figure is added up from: hundreds of rows for a campaign of any size.

A message without a state of its own follows its batch. As long as nothing has happened to the batch, it is in
`pool`, with the others of its campaign; see pool.py. Then `waiting` holds how many such messages the batch
has, and is joined to the batch's state when it is read, so an answer, a pause or a decision changes nothing
here. A message with its own state is in `tally`, and what happened to it in `course`. Whoever changes a
result changes these in the same transaction. In a key, "" and 0 stand for what is not known: NULL is not
unique in one.

`pool`, `tally` and `course` have shards, each written by one transaction at a time, so that none waits for
another; a row of one shard may be negative. Only their sums mean something.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from dashboard.ledger.database.schema import BigId, tables


def _key(
    name: str, kind: type[BigInteger] | type[SmallInteger] = BigInteger, comment: str | None = None
) -> Column[int]:
    return Column(name, kind, primary_key=True, autoincrement=False, comment=comment)


def _sums(*names: str) -> list[Column[int]]:
    return [Column(name, BigInteger, nullable=False) for name in names]


cell = Table(
    "cell",
    tables,
    Column("id", BigId, primary_key=True),
    Column("campaign_id", ForeignKey("campaign.id"), nullable=False),
    Column("country", String(2), nullable=False),
    Column("line_type", String(24), nullable=False),
    Column("variant", Text, nullable=False),
    Column("price", Text, nullable=False, comment="of a credit, as money is stored"),
    UniqueConstraint("campaign_id", "country", "line_type", "variant", "price"),
)

pool = Table(
    "pool",
    tables,
    _key("cell_id"),
    _key("shard", SmallInteger),
    _key("due", comment="as in waiting"),
    *_sums("messages", "credits_low", "credits_high"),
    sqlite_with_rowid=False,
)

waiting = Table(
    "waiting",
    tables,
    _key("batch_id"),
    _key("cell_id"),
    _key("due", comment="end of the quarter of an hour of its own time; 0 without one"),
    *_sums("messages", "credits_low", "credits_high"),
    Index("waiting_of_cell", "cell_id"),
    sqlite_with_rowid=False,
)

reason = Table(
    "reason",
    tables,
    Column("campaign_id", String(32), primary_key=True),
    Column("reason", Text, primary_key=True, comment="counted by this name, see reasons.py"),
    sqlite_with_rowid=False,
)

tally = Table(
    "tally",
    tables,
    _key("cell_id"),
    _key("shard", SmallInteger),
    _key("handed_over", comment="start of the quarter of an hour; 0: never"),
    _key("stage", SmallInteger, comment="0 to 3 as in merging.py, 4 dropped"),
    _key("cause", SmallInteger, comment="of its bill: causes.py"),
    _key("due", comment="as in waiting; 0 from stage 1 on"),
    Column("reason", Text, primary_key=True, comment="the service's, of stage 2, as reasons.py names it"),
    *_sums("messages", "credits_low", "credits_high", "credits_billed"),
    *_sums("difference"),  # billed beyond the estimate, or below it
    sqlite_with_rowid=False,
)

course = Table(
    "course",
    tables,
    Column("campaign_id", String(32), primary_key=True),
    _key("shard", SmallInteger),
    _key("stage", SmallInteger, comment="1 sent, 2 failed, 3 delivered"),
    _key("at", comment="start of its span, see spans.py"),
    *_sums("messages"),
    sqlite_with_rowid=False,
)
