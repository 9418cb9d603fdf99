"""More batches than a statement can name: what is done with all of them is done in bounded statements."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from fixtures_ledger import Clock, accepted, claim, many_batches, running
from sqlalchemy import event, update
from tiers import only_deep

from dashboard.ledger import Ledger
from dashboard.ledger.copies.doubt import mark_as_copy
from dashboard.ledger.database import schema, writing
from dashboard.ledger.frames.messages import message_rows

MANY = {"sqlite": 33_000, "postgresql": 66_000}
"""SQLite takes 32,766 values in a statement, PostgreSQL 65,535."""


@pytest.fixture(params=[1_600, *only_deep(None)])
def many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, ledger: Ledger) -> int:
    """More than a statement may name; SQLite is told to take fewer values where these are not many."""
    database = ledger.database.engine.dialect.name
    if request.param:
        for module in (writing, message_rows):
            monkeypatch.setattr(module, "NAMED_AT_ONCE", 1_000)
        monkeypatch.setattr(writing, "_VALUES_AT_ONCE", 1_000)
    if request.param and database == "sqlite":
        event.listen(ledger.database.engine, "connect", limit)
        ledger.database.engine.dispose()
    return request.param or MANY[database]


def limit(connection: Any, _record: Any) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 1_500)


def test_a_copy_of_many_batches_is_marked_and_decided_about(ledger: Ledger, clock: Clock, many: int) -> None:
    campaign = many_batches(ledger, many)
    with ledger.database.write() as connection:
        mark_as_copy(connection)
    owner = ledger.outbox.register(0)
    assert ledger.campaign(campaign).unknown == many
    waiting = ledger.unknown(campaign)
    assert (len(waiting), waiting["credits_high"].sum()) == (many, 2 * many)
    total = ledger.unknown_total(campaign)
    assert (total.batches, total.messages, total.credits) == (many, many, 2 * many)
    clock.advance(600)
    ledger.add_opt_outs(["+447900000007", f"+4479{many - 1:08}"])
    ledger.acknowledge_missing_opt_outs("Ann")
    assert ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them") == many
    found = ledger.campaign(campaign)
    assert (found.ready, found.abandoned) == (many - 2, 2)
    ledger.resume(campaign)
    # What a dead process was sending, whoever that was, is found by the next.
    with ledger.database.write() as connection:
        sending = update(schema.batch).where(schema.batch.c.state == "ready")
        connection.execute(sending.values(state="sending", owner=owner, attempt=1, claimed_at=clock.time))
    ledger.outbox.register(0)
    assert ledger.campaign(campaign).unknown == many - 2


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_one_batch_of_many_messages_is_answered_late(ledger: Ledger, many: int) -> None:
    """Its answer comes after it was given up, so each of its uuids is looked up."""
    campaign = running(ledger, many, batch_size=many)
    got = claim(ledger, campaign)
    ledger.outbox.register(0)
    ledger.outbox.settle(got, accepted(got))
    assert ledger.campaign(campaign).accepted == many
