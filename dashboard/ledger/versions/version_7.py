"""Version 7 of the tables: every status the service ever reported, and requests that must not come twice.

What earlier versions knew is carried over: one event for the status that each message has.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, SmallInteger, String, Table, Text

_tables = MetaData()
_BigId = BigInteger().with_variant(Integer(), "sqlite")

Table(
    "event",
    _tables,
    Column("message_id", _BigId, primary_key=True, autoincrement=False),
    Column("stage", SmallInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, primary_key=True, autoincrement=False),
    Column("status", Text, primary_key=True),
    Column("failure_reason", Text, primary_key=True),
    Column("source", String(8), nullable=False),
    Column("recorded_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

Table(
    "taken_request",
    _tables,
    Column("signature", String(64), primary_key=True),
    Column("expires_at", BigInteger, nullable=False, index=True),
)

_CARRY_OVER = """
INSERT INTO event (message_id, stage, at, status, failure_reason, source, recorded_at)
SELECT message_id, stage,
    coalesce(CASE stage WHEN 3 THEN delivered_at WHEN 0 THEN created_at
        ELSE coalesce(sent_at, created_at) END, 0),
    coalesce(status, ''), coalesce(failure_reason, ''),
    CASE WHEN echoed AND stage = 0 THEN 'answer' ELSE 'report' END, changed_at
FROM result WHERE state = 'accepted'
"""

_FORBID_SQLITE = (
    "CREATE TRIGGER event_no_{0} BEFORE {0} ON event "
    "BEGIN SELECT RAISE(ABORT, 'rows of event never change'); END"
)
_FORBID_POSTGRESQL = (
    "CREATE FUNCTION event_never_changes() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'rows of event never change'; END $$; "
    "CREATE TRIGGER event_never_changes BEFORE UPDATE OR DELETE ON event "
    "FOR EACH ROW EXECUTE FUNCTION event_never_changes()"
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 6 to version 7."""
    _tables.create_all(connection, checkfirst=False)
    connection.exec_driver_sql(_CARRY_OVER)
    if connection.dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            connection.exec_driver_sql(_FORBID_SQLITE.format(verb))
    else:
        connection.exec_driver_sql(_FORBID_POSTGRESQL)
