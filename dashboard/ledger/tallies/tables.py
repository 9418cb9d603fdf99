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
    Column("cell_id", BigInteger, primary_key=True, autoincrement=False),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("due", BigInteger, primary_key=True, autoincrement=False, comment="as in waiting"),
    Column("messages", BigInteger, nullable=False),
    Column("credits_low", BigInteger, nullable=False),
    Column("credits_high", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

waiting = Table(
    "waiting",
    tables,
    Column("batch_id", BigInteger, primary_key=True, autoincrement=False),
    Column("cell_id", BigInteger, primary_key=True, autoincrement=False),
    Column(
        "due",
        BigInteger,
        primary_key=True,
        autoincrement=False,
        comment="end of the quarter of an hour of its own time; 0 without one",
    ),
    Column("messages", BigInteger, nullable=False),
    Column("credits_low", BigInteger, nullable=False),
    Column("credits_high", BigInteger, nullable=False),
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
    Column("cell_id", BigInteger, primary_key=True, autoincrement=False),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column(
        "handed_over",
        BigInteger,
        primary_key=True,
        autoincrement=False,
        comment="start of the quarter of an hour; 0: never",
    ),
    Column(
        "stage",
        SmallInteger,
        primary_key=True,
        autoincrement=False,
        comment="0 to 3 as in merging.py, 4 dropped",
    ),
    Column("cause", SmallInteger, primary_key=True, autoincrement=False, comment="of its bill: causes.py"),
    Column(
        "due", BigInteger, primary_key=True, autoincrement=False, comment="as in waiting; 0 from stage 1 on"
    ),
    Column("reason", Text, primary_key=True, comment="the service's, of stage 2, as reasons.py names it"),
    Column("messages", BigInteger, nullable=False),
    Column("credits_low", BigInteger, nullable=False),
    Column("credits_high", BigInteger, nullable=False),
    Column("credits_billed", BigInteger, nullable=False),
    Column("difference", BigInteger, nullable=False, comment="billed beyond the estimate, or below it"),
    sqlite_with_rowid=False,
)

course = Table(
    "course",
    tables,
    Column("campaign_id", String(32), primary_key=True),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column(
        "stage", SmallInteger, primary_key=True, autoincrement=False, comment="1 sent, 2 failed, 3 delivered"
    ),
    Column(
        "at", BigInteger, primary_key=True, autoincrement=False, comment="start of its span, see spans.py"
    ),
    Column("messages", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
