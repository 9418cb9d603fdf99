"""Version 10 of the tables: a digest stands for the service's words in the key of an event.

The words themselves, of any length, did not fit into a PostgreSQL index. The key's columns come first:
otherwise SQLite before 3.41 looks for the others in the wrong places when it checks a table without row ids.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from dashboard.ledger.database.said import digest

_DIGESTS = "CREATE TEMPORARY TABLE said_ (status TEXT, failure_reason TEXT, said BIGINT)"
_WORDS = "SELECT DISTINCT status, failure_reason FROM event"
_MOVE = (
    "INSERT INTO event SELECT e.message_id, e.stage, e.at, s.said, status, failure_reason, e.source, "
    "e.recorded_at FROM event_ e JOIN said_ s USING (status, failure_reason)"
)
_SQLITE = (
    "CREATE INDEX temp.said_by_words ON said_ (status, failure_reason)",
    "ALTER TABLE event RENAME TO event_",
    "CREATE TABLE event (message_id INTEGER NOT NULL, stage SMALLINT NOT NULL, at BIGINT NOT NULL, "
    "said BIGINT NOT NULL, status TEXT NOT NULL, failure_reason TEXT NOT NULL, source VARCHAR(8) NOT NULL, "
    "recorded_at BIGINT NOT NULL, "
    "PRIMARY KEY (message_id, stage, at, said)) WITHOUT ROWID",
    _MOVE,
    "DROP TABLE event_",
    *(
        f"CREATE TRIGGER event_no_{verb} BEFORE {verb} ON event "
        "BEGIN SELECT RAISE(ABORT, 'rows of event never change'); END"
        for verb in ("UPDATE", "DELETE")
    ),
)
_POSTGRESQL = (
    "ALTER TABLE event RENAME TO event_",
    "ALTER TABLE event_ DROP CONSTRAINT event_pkey",
    "CREATE TABLE event (message_id BIGINT NOT NULL, stage SMALLINT NOT NULL, at BIGINT NOT NULL, "
    "said BIGINT NOT NULL, status TEXT NOT NULL, failure_reason TEXT NOT NULL, source VARCHAR(8) NOT NULL, "
    "recorded_at BIGINT NOT NULL, CONSTRAINT event_pkey PRIMARY KEY (message_id, stage, at, said))",
    _MOVE,
    "DROP TABLE event_",
    "CREATE TRIGGER event_never_changes BEFORE UPDATE OR DELETE ON event "
    "FOR EACH ROW EXECUTE FUNCTION event_never_changes()",
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
