"""Version 19 of the tables: the service's words name nobody, and those who failed alike are counted together.

Words are kept by today's rule, so that they are counted with what is said from now on. Where one changes, all
tallies are made again once all steps are done, by filling.py.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from dashboard.ledger.database.said import digest, impersonal

_WORDS = "SELECT DISTINCT status, failure_reason FROM event"
_NAMING = (
    "CREATE TEMPORARY TABLE naming_ (status TEXT, failure_reason TEXT, plain_status TEXT, plain_reason TEXT, "
    "said BIGINT)"  # without a key: PostgreSQL's hold no text of this length
)
_CHANGES = (
    "INSERT INTO event SELECT e.message_id, e.stage, e.at, n.said, n.plain_status, n.plain_reason, e.source, "
    "e.recorded_at FROM event e JOIN naming_ n USING (status, failure_reason) WHERE true "
    "ON CONFLICT DO NOTHING",
    "DELETE FROM event WHERE (status, failure_reason) IN (SELECT n.status, n.failure_reason FROM naming_ n)",
    "UPDATE result SET status = nullif(n.plain_status, ''), failure_reason = nullif(n.plain_reason, '') "
    "FROM naming_ n WHERE n.status = coalesce(result.status, '') "
    "AND n.failure_reason = coalesce(result.failure_reason, '')",
    "INSERT INTO fact (name, value) VALUES ('filled_to', '0') ON CONFLICT DO NOTHING",
)
_UNLOCK = {
    "sqlite": ("DROP TRIGGER event_no_DELETE",),
    "postgresql": ("ALTER TABLE event DISABLE TRIGGER event_never_changes",),
}
_LOCK = {
    "sqlite": (
        "CREATE TRIGGER event_no_DELETE BEFORE DELETE ON event "
        "BEGIN SELECT RAISE(ABORT, 'rows of event never change'); END",
    ),
    "postgresql": ("ALTER TABLE event ENABLE TRIGGER event_never_changes",),
}


def step(connection: Connection) -> None:
    """Bring a ledger of version 18 to version 19."""
    naming = [
        {"status": status, "reason": reason, "plain": plain, "why": why, "said": digest(plain, why)}
        for status, reason in connection.exec_driver_sql(_WORDS)
        for plain, why in [(impersonal(status) or "", impersonal(reason) or "")]
        if (plain, why) != (status, reason)
    ]
    if not naming:
        return
    kind = connection.dialect.name
    connection.exec_driver_sql(_NAMING)
    connection.execute(text("INSERT INTO naming_ VALUES (:status, :reason, :plain, :why, :said)"), naming)
    for statement in (*_UNLOCK[kind], *_CHANGES, *_LOCK[kind], "DROP TABLE naming_"):
        connection.exec_driver_sql(statement)
