"""Tables as an earlier version had them, with what is in them now: a ledger in mid-life."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection

from dashboard.ledger.database.connections import Database
from dashboard.ledger.versions.migrations import ledger_version

_COLUMNS = (
    "message_id {big} NOT NULL, stage SMALLINT NOT NULL, at BIGINT NOT NULL, status TEXT NOT NULL, "
    "failure_reason TEXT NOT NULL, source VARCHAR(8) NOT NULL, recorded_at BIGINT NOT NULL, "
    "{key} PRIMARY KEY (message_id, stage, at, status, failure_reason)"
)
_MOVE = (
    "INSERT INTO event SELECT message_id, stage, at, status, failure_reason, source, recorded_at FROM event_",
    "DROP TABLE event_",
)


def _without(
    *tables: str, columns: Sequence[str] = (), guarded: bool = False
) -> Callable[[Connection], None]:
    """Drops tables, with what keeps them from changes where they are `guarded`, and columns."""

    def step(connection: Connection) -> None:
        for table in tables:
            connection.exec_driver_sql(f"DROP TABLE {table}")
            if guarded and connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"DROP FUNCTION {table}_never_changes")
        for table, column in (one.split(".") for one in columns):
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")

    return step


def _from_13(connection: Connection) -> None:
    """Without what is counted for many batches or reasons together; the rest is counted anew."""
    connection.exec_driver_sql("DROP INDEX waiting_of_cell")
    _without("pool", "reason", columns=["batch.pooled"])(connection)


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


TALLIES = ("course", "tally", "waiting", "cell")
NEEDED = ("result.handed_over_at", "result.failed_at", "result.cause", "batch.first_claimed_at")
BACK = (
    _without(),  # the words that name nobody stay
    _without("person", guarded=True),  # whom administrators let in
    _without("audit", guarded=True),
    _without("browser_session", "account", "barred"),  # who is signed in
    _without(columns=["campaign.audience"]),  # whom of which lists a campaign was made for
    _without("setting", guarded=True),  # what marketers decided
    _from_13,
    _without(*TALLIES, columns=NEEDED),  # tallies, and what they need to know of each message
    _without(columns=["batch.texting_hours"]),
    _from_10,
    _without(columns=["batch.credits_counted", "batch.credits_own"]),  # what counts for the caps
)
FIRST = 19


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
