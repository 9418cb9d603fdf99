"""Version 19 of the tables: the service's words name nobody, and those who failed alike are counted together.

Reasons that people typed lose phone numbers as well. Words are kept by today's rule, so that they are counted
with what is said from now on. Where one of the service's changes, all tallies are made again once all steps
are done, by filling.py.
"""

from __future__ import annotations

from sqlalchemy import Connection, Text, column, select, table, text, update

from dashboard.ledger.database.said import digest, impersonal, without_numbers

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
_TYPED = (
    table("opt_out", *(column(name, Text) for name in ("reason", "source", "removed_why"))),
    *(table(name, column("reason", Text)) for name in ("campaign", "batch")),
    table("decision", column("why", Text)),
)
_NEVER_CHANGE = (("event", "DELETE"), ("decision", "UPDATE"))
_UNLOCK = {
    "sqlite": "DROP TRIGGER {0}_no_{1}",
    "postgresql": "ALTER TABLE {0} DISABLE TRIGGER {0}_never_changes",
}
_LOCK = {
    "sqlite": "CREATE TRIGGER {0}_no_{1} BEFORE {1} ON {0} "
    "BEGIN SELECT RAISE(ABORT, 'rows of {0} never change'); END",
    "postgresql": "ALTER TABLE {0} ENABLE TRIGGER {0}_never_changes",
}


def step(connection: Connection) -> None:
    """Bring a ledger of version 18 to version 19."""
    kind = connection.dialect.name
    for name, verb in _NEVER_CHANGE:
        connection.exec_driver_sql(_UNLOCK[kind].format(name, verb))
    _leave_out_whom_the_service_named(connection)
    for place, typed in ((one, typed) for one in _TYPED for typed in one.c):
        for said in connection.execute(select(typed).where(typed.is_not(None)).distinct()).scalars().all():
            if (left := without_numbers(said)) != said:
                connection.execute(update(place).where(typed == said).values({typed: left}))
    for name, verb in _NEVER_CHANGE:
        connection.exec_driver_sql(_LOCK[kind].format(name, verb))


def _leave_out_whom_the_service_named(connection: Connection) -> None:
    naming = [
        {"status": status, "reason": reason, "plain": plain, "why": why, "said": digest(plain, why)}
        for status, reason in connection.exec_driver_sql(_WORDS)
        for plain, why in [(impersonal(status) or "", impersonal(reason) or "")]
        if (plain, why) != (status, reason)
    ]
    if not naming:
        return
    connection.exec_driver_sql(_NAMING)
    connection.execute(text("INSERT INTO naming_ VALUES (:status, :reason, :plain, :why, :said)"), naming)
    for statement in (*_CHANGES, "DROP TABLE naming_"):
        connection.exec_driver_sql(statement)
