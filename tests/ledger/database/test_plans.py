"""PostgreSQL looks at few rows more than there are, whatever it knows about tables that were just written.

It plans without statistics when a campaign was only just frozen, and with those of nearly empty tables until
it has looked again. A plan that compared every message with every batch then took minutes, and held the lock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fixtures_ledger import Clock, messages_frame, report, running, taken
from sqlalchemy import Connection, event, update
from tiers import only_deep

from dashboard.campaigns import Handover
from dashboard.ledger import Caps, Ledger, Limits
from dashboard.ledger.copies.doubt import mark_as_copy
from dashboard.ledger.database import schema
from dashboard.ledger.database.schema import tables
from dashboard.ledger.freeze.caps import credits_between

BATCHES, SIZE = 700, 3
MESSAGES = BATCHES * SIZE
MOST = 20 * MESSAGES
"""Rows that a statement may look at: some passes over tables and indexes. All pairs are 700 passes."""

LOOKS = 6
"""How often the same statement is looked at; from the sixth time on it may have a plan for all values."""

_EXPLAIN = "EXPLAIN (ANALYZE, TIMING OFF, BUFFERS OFF, FORMAT JSON) "


def nothing_known(_ledger: Ledger) -> None:
    """Tables that the database never looked at."""


def nearly_empty(ledger: Ledger) -> None:
    """Statistics of tables that held next to nothing."""
    ledger.create_campaign("Before", messages_frame(2, "Before"), batch_size=1)
    with ledger.database.write() as connection:
        connection.exec_driver_sql("ANALYZE")


@pytest.mark.parametrize("known", [nothing_known, *only_deep(nearly_empty)])
def test_no_statement_compares_each_message_with_each_batch(
    postgresql_url: str, clock: Clock, known: Callable[[Ledger], None]
) -> None:
    with closing(Ledger.open(postgresql_url, now=clock)) as ledger:
        with ledger.database.write() as connection:
            for table in tables.sorted_tables:  # so that what is known does not depend on the moment
                connection.exec_driver_sql(f"ALTER TABLE {table.name} SET (autovacuum_enabled = false)")
        known(ledger)
        with looked_at(ledger) as most:
            live(ledger, clock)
    assert len(most) > 100
    assert {statement: rows for statement, rows in most.items() if rows > MOST} == {}


def live(ledger: Ledger, clock: Clock) -> None:
    """A campaign's life, with everything that is done to many batches at once."""
    caps = Caps(None, 10**6, clock.time - timedelta(days=1), clock.time + timedelta(days=1))
    messages = messages_frame(MESSAGES)
    campaign = ledger.create_campaign("Spring", messages, batch_size=SIZE, caps=caps)
    with ledger.database.write() as connection:
        mark_as_copy(connection)
    owner = ledger.outbox.register(0)
    clock.advance(600)
    uuids = ledger.messages(campaign, columns=["uuid"])["uuid"]
    ledger.record_reports([report(uuid) for uuid in uuids[::SIZE]])
    ledger.unknown(campaign)
    ledger.unknown_total(campaign)
    ledger.add_opt_outs(messages["to"][1:2].tolist())
    ledger.acknowledge_missing_opt_outs("Ann")
    ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them")
    ledger.resume(campaign)
    ledger.start(campaign)
    ledger.add_opt_outs(messages["to"][4:5].tolist())
    ledger.add_opt_outs([f"+4479{number:08}" for number in range(BATCHES)])
    assert ledger.outbox.to_send() == [campaign]
    ledger.outbox.set_limits(Limits(credits_per_campaign=10**6, credits_per_day=10**6, failure_share=0.9))
    for _ in range(LOOKS):
        taken(ledger, campaign, owner)
    read(ledger, campaign, clock)
    with ledger.database.write() as connection:
        sending = update(schema.batch).where(schema.batch.c.state == "ready")
        connection.execute(sending.values(state="sending", owner=owner, attempt=1, claimed_at=clock.time))
    ledger.outbox.register(0)
    ledger.decide_all(campaign, "abandoned", "Ann", "nobody needs them any more")
    held = messages_frame(MESSAGES, "Later", scheduled_at=clock.time + timedelta(days=1), first=MESSAGES)
    held = held.assign(handover=Handover.HOLD.value)
    later = running(ledger, held, batch_size=SIZE)
    ledger.cancel(later, "not needed")
    ledger.outbox.finish()
    ledger.forget(before=clock.time + timedelta(days=1))


def read(ledger: Ledger, campaign: str, clock: Clock) -> None:
    for name in ("campaigns", "counts", "course", "coming", "messages", "events", "batches", "contacts"):
        getattr(ledger, name)()
    for name in ("campaign", "decided", "waiting_reasons"):
        getattr(ledger, name)(campaign)
    ledger.recipients(campaign, stages=["accepted"])
    ledger.texts_since(datetime(2026, 1, 1, tzinfo=UTC))
    with ledger.database.read() as connection:
        credits_between(connection, clock.time - timedelta(days=1), clock.time)
    ledger.answers_about_links("sandbox")


@contextmanager
def looked_at(ledger: Ledger) -> Iterator[dict[str, int]]:
    """How many rows each statement looks at, the most of its times."""
    most: dict[str, int] = {}
    times: Counter[str] = Counter()

    @event.listens_for(ledger.database.engine, "before_cursor_execute")
    def look(
        connection: Connection, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool
    ) -> None:
        times[statement] += 1
        if not statement.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")) or times[statement] > LOOKS:
            return
        driver: Any = connection.connection.driver_connection
        first = parameters[0] if isinstance(parameters, list) else parameters
        driver.execute("SAVEPOINT look")
        (plan,) = driver.execute(_EXPLAIN + statement, first).fetchone()
        driver.execute("ROLLBACK TO look")
        most[statement] = max(most.get(statement, 0), rows_of(plan[0]["Plan"]))

    yield most
    event.remove(ledger.database.engine, "before_cursor_execute", look)


def rows_of(node: Mapping[str, Any]) -> int:
    """The rows that a node of a plan, and those below it, came across."""
    each = sum(node.get(name, 0) for name in _ROWS)
    return int(each * node["Actual Loops"]) + sum(rows_of(one) for one in node.get("Plans", ()))


_ROWS = ("Actual Rows", *(f"Rows Removed by {step}" for step in ("Filter", "Join Filter", "Index Recheck")))
