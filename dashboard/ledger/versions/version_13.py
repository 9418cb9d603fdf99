"""Version 13 of the tables: what waits in untouched batches is counted together, and so are rare reasons.

All tallies are made again once all steps are done, by filling.py.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, MetaData, SmallInteger, String, Table, Text

_tables = MetaData()

Table(
    "pool",
    _tables,
    Column("cell_id", BigInteger, primary_key=True, autoincrement=False),
    Column("shard", SmallInteger, primary_key=True, autoincrement=False),
    Column("due", BigInteger, primary_key=True, autoincrement=False),
    *(Column(name, BigInteger, nullable=False) for name in ("messages", "credits_low", "credits_high")),
    sqlite_with_rowid=False,
)
Table(
    "reason",
    _tables,
    Column("campaign_id", String(32), primary_key=True),
    Column("reason", Text, primary_key=True),
    sqlite_with_rowid=False,
)
_CHANGES = (
    "CREATE INDEX waiting_of_cell ON waiting (cell_id)",
    "ALTER TABLE batch ADD COLUMN pooled BOOLEAN DEFAULT false NOT NULL",
    "UPDATE batch SET pooled = true WHERE attempt = 0 AND parent IS NULL AND state = "
    "CASE (SELECT c.state FROM campaign c WHERE c.id = batch.campaign_id) "
    "WHEN 'cancelled' THEN 'cancelled' ELSE 'ready' END",
    "INSERT INTO fact (name, value) VALUES ('filled_to', '0')",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 12 to version 13."""
    _tables.create_all(connection, checkfirst=False)
    for statement in _CHANGES:
        connection.exec_driver_sql(statement)
