"""Tables as an earlier version had them, with what is in them now: a ledger in mid-life."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection

from dashboard.ledger.database.connections import Database
from dashboard.ledger.versions.migrations import ledger_version, migrate

_COLUMNS = (
    "message_id {big} NOT NULL, stage SMALLINT NOT NULL, at BIGINT NOT NULL, status TEXT NOT NULL, "
    "failure_reason TEXT NOT NULL, source VARCHAR(8) NOT NULL, recorded_at BIGINT NOT NULL, "
    "{key} PRIMARY KEY (message_id, stage, at, status, failure_reason)"
)
_MOVE = (
    "INSERT INTO event SELECT message_id, stage, at, status, failure_reason, source, recorded_at FROM event_",
    "DROP TABLE event_",
)


def _from_18(connection: Connection) -> None:
    """Without whom administrators let in."""
    connection.exec_driver_sql("DROP TABLE person")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("DROP FUNCTION person_never_changes")


def _from_17(connection: Connection) -> None:
    """Without the audit trail."""
    connection.exec_driver_sql("DROP TABLE audit")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("DROP FUNCTION audit_never_changes")


def _from_16(connection: Connection) -> None:
    """Without who is signed in."""
    for name in ("browser_session", "account", "barred"):
        connection.exec_driver_sql(f"DROP TABLE {name}")


def _from_15(connection: Connection) -> None:
    """Without whom of which lists a campaign was made for."""
    connection.exec_driver_sql("ALTER TABLE campaign DROP COLUMN audience")


def _from_14(connection: Connection) -> None:
    """Without what marketers decided."""
    connection.exec_driver_sql("DROP TABLE setting")
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("DROP FUNCTION setting_never_changes")


def _from_13(connection: Connection) -> None:
    """Without what is counted for many batches or reasons together; the rest is counted anew."""
    connection.exec_driver_sql("DROP INDEX waiting_of_cell")
    for name in ("pool", "reason"):
        connection.exec_driver_sql(f"DROP TABLE {name}")
    connection.exec_driver_sql("ALTER TABLE batch DROP COLUMN pooled")


def _from_12(connection: Connection) -> None:
    """Without tallies, and what they need to know of each message."""
    for name in ("course", "tally", "waiting", "cell"):
        connection.exec_driver_sql(f"DROP TABLE {name}")
    for name in ("handed_over_at", "failed_at", "cause"):
        connection.exec_driver_sql(f"ALTER TABLE result DROP COLUMN {name}")
    connection.exec_driver_sql("ALTER TABLE batch DROP COLUMN first_claimed_at")


def _from_11(connection: Connection) -> None:
    """Without the hours in which people may be texted."""
    connection.exec_driver_sql("ALTER TABLE batch DROP COLUMN texting_hours")


def _from_10(connection: Connection) -> None:
    """Without the digest that stands for the service's words."""
    on_sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("ALTER TABLE event RENAME TO event_")
    if on_sqlite:
        columns = _COLUMNS.format(big="INTEGER", key="")
        connection.exec_driver_sql(f"CREATE TABLE event ({columns}) WITHOUT ROWID")
    else:
        connection.exec_driver_sql("ALTER TABLE event_ DROP CONSTRAINT event_pkey")
        columns = _COLUMNS.format(big="BIGINT", key="CONSTRAINT event_pkey")
        connection.exec_driver_sql(f"CREATE TABLE event ({columns})")
    for statement in _MOVE:
        connection.exec_driver_sql(statement)


def _from_9(connection: Connection) -> None:
    """Without what counts for the caps."""
    for name in ("credits_counted", "credits_own"):
        connection.exec_driver_sql(f"ALTER TABLE batch DROP COLUMN {name}")


BACK = (_from_18, _from_17, _from_16, _from_15, _from_14, _from_13, _from_12, _from_11, _from_10, _from_9)
FIRST = 18


def go_back(database: Database, number: int) -> int:
    """Bring the tables back by one version or more; returns which they are of now."""
    steps = BACK[: 1 + number % len(BACK)]
    with database.write() as connection:
        for step in steps:
            step(connection)
        newest = ledger_version.c.version >= FIRST - len(steps)
        connection.execute(ledger_version.delete().where(newest))
        values = {"version": FIRST - len(steps), "applied_at": datetime(2026, 11, 1, tzinfo=UTC)}
        connection.execute(ledger_version.insert().values(values))
    return FIRST - len(steps)


def come_forward(database: Database) -> None:
    migrate(database)
