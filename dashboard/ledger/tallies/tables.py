"""The tables that every figure is added up from.

`cell` holds what a campaign is made up of. `tally` holds, for each batch, its messages by cell and by what is
known of them; a message without a state of its own (stage `FOLLOWS`) follows its batch, to whose state it is
joined when it is read, so a claim, an answer, a pause or a decision changes nothing here. `course` holds when
things happened to them. Whoever changes a result has locked its batch, so nobody else writes its rows, and
changes these in the same transaction.

The batch comes last in both keys: figures are sums over neighbours, read in the order in which they are
stored. What belongs to a campaign that has been over for a while is moved to batch `ROLLED_UP`, see
rolling_up.py; what is heard of it later is added to its batch as ever, so a row of such a campaign may be
negative. In a key, "" and 0 stand for what is not known: NULL is not unique in one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from dashboard.ledger.database.schema import BigId, message, tables

FOLLOWS, ACCEPTED, SENT, FAILED, DELIVERED, DROPPED = range(-1, 5)
"""Stages; those from `ACCEPTED` to `DELIVERED` are told by what the service says."""

ROLLED_UP = 0

MEASURES = (
    *("messages", "credits_low", "credits_high", "credits_billed"),
    "credits_counted",  # for caps, see usage.py
    "difference",  # billed beyond the estimate, or below it
)

LONGEST = 200
"""Characters of a reason that tell it from others: no key of a database may be of any length."""

SECOND = 1_000_000
MOMENT, MINUTE, QUARTER = 10 * SECOND, 60 * SECOND, 900 * SECOND
HOUR, DAY = 3_600 * SECOND, 86_400 * SECOND
"""In microseconds since 1970, to which all spans of time are aligned."""

QUARTER_SQL = f"coalesce({{0}}, 0) / {QUARTER} * {QUARTER}"
DUE_SQL = f"(coalesce({{0}}, 0) + {QUARTER - 1}) / {QUARTER} * {QUARTER}"
SPAN_SQL = (
    f"CASE WHEN {{0}} - {{1}} < {HOUR} THEN {{0}} WHEN {{0}} - {{1}} < {DAY} "
    f"THEN {{0}} / {MINUTE} * {MINUTE} ELSE {{0}} / {QUARTER} * {QUARTER} END"
)
"""What is shown of a moment: 10 s in a campaign's first hour, 1 min on its first day, then 15."""


def _key(
    name: str, kind: type[BigInteger] | type[SmallInteger] = BigInteger, comment: str | None = None
) -> Column[int]:
    return Column(name, kind, primary_key=True, autoincrement=False, comment=comment)


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

tally = Table(
    "tally",
    tables,
    _key("cell_id"),
    _key("stage", SmallInteger),
    _key("handed_over", comment="start of the quarter of an hour; 0: never, or as its batch was"),
    _key("cause", SmallInteger, comment="of its bill: causes.py"),
    _key("due", comment="end of the quarter of an hour of its own time; 0 without one, and once it has left"),
    Column("reason", Text, primary_key=True, comment="the service's, of a failure, its first characters"),
    _key("batch_id"),
    *(Column(name, BigInteger, nullable=False) for name in MEASURES),
    Index("tally_of_batch", "batch_id"),
    sqlite_with_rowid=False,
)

course = Table(
    "course",
    tables,
    Column("campaign_id", String(32), primary_key=True),
    _key("stage", SmallInteger, comment="SENT, FAILED or DELIVERED"),
    _key("at", comment="start of its 10 s"),
    _key("batch_id"),
    Column("messages", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)


class Frozen(NamedTuple):
    """Where a message goes and what it is estimated to cost; its fields are columns of `message`."""

    country: str | None
    line_type: str | None
    variant: str | None
    credits_low: int
    credits_high: int
    scheduled_at: datetime | None


FROZEN: tuple[ColumnElement[Any], ...] = tuple(message.c[name] for name in Frozen._fields)
