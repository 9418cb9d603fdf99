"""Version 10 of the tables: a digest stands for the service's words in the key of an event.

The words themselves, of any length, did not fit into an index of PostgreSQL's.

A step makes the tables as they were in its version and never changes; schema.py has them as they are now.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from dashboard.ledger.said import digest

_DIGESTS = "CREATE TEMPORARY TABLE said_ (status TEXT, failure_reason TEXT, said BIGINT)"
_WORDS = "SELECT DISTINCT status, failure_reason FROM event"
_SQLITE = (
    "CREATE INDEX temp.said_by_words ON said_ (status, failure_reason)",
    "ALTER TABLE event RENAME TO event_",
    "CREATE TABLE event (message_id INTEGER NOT NULL, stage SMALLINT NOT NULL, at BIGINT NOT NULL, "
    "status TEXT NOT NULL, failure_reason TEXT NOT NULL, source VARCHAR(8) NOT NULL, "
    "recorded_at BIGINT NOT NULL, said BIGINT NOT NULL, "
    "PRIMARY KEY (message_id, stage, at, said)) WITHOUT ROWID",
    "INSERT INTO event SELECT e.*, s.said FROM event_ e JOIN said_ s USING (status, failure_reason)",
    "DROP TABLE event_",
    *(
        f"CREATE TRIGGER event_no_{verb} BEFORE {verb} ON event "
        "BEGIN SELECT RAISE(ABORT, 'rows of event never change'); END"
        for verb in ("UPDATE", "DELETE")
    ),
)
_POSTGRESQL = (
    "ALTER TABLE event ADD COLUMN said BIGINT",
    "ALTER TABLE event DISABLE TRIGGER event_never_changes",
    "UPDATE event SET said = s.said FROM said_ s "
    "WHERE s.status = event.status AND s.failure_reason = event.failure_reason",
    "ALTER TABLE event ENABLE TRIGGER event_never_changes",
    "ALTER TABLE event DROP CONSTRAINT event_pkey",
    "ALTER TABLE event ALTER COLUMN said SET NOT NULL",
    "ALTER TABLE event ADD CONSTRAINT event_pkey PRIMARY KEY (message_id, stage, at, said)",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 9 to version 10."""
    connection.exec_driver_sql(_DIGESTS)
    rows = [
        {"status": status, "reason": reason, "said": digest(status, reason)}
        for status, reason in connection.exec_driver_sql(_WORDS)
    ]
    if rows:
        connection.execute(text("INSERT INTO said_ VALUES (:status, :reason, :said)"), rows)
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql("DROP TABLE said_")
