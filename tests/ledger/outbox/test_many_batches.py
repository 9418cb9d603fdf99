"""More batches than a statement can name: what is done with all of them is done in bounded statements."""

from __future__ import annotations

import pytest
from fixtures_ledger import Clock, accepted, claim, many_batches, messages_frame
from sqlalchemy import update

from dashboard.ledger import Ledger
from dashboard.ledger.copies.doubt import mark_as_copy
from dashboard.ledger.database import schema

MANY = 70_000
"""PostgreSQL takes 65,535 values in a statement, SQLite 32,766."""


def test_a_copy_of_many_batches_is_registered_and_decided_about(ledger: Ledger, clock: Clock) -> None:
    campaign = many_batches(ledger, MANY)
    with ledger.database.write() as connection:
        mark_as_copy(connection)
    owner = ledger.outbox.register(0)
    assert ledger.campaign(campaign).unknown == MANY
    waiting = ledger.unknown(campaign)
    assert (len(waiting), waiting["credits_high"].sum()) == (MANY, 2 * MANY)
    total = ledger.unknown_total(campaign)
    assert (total.batches, total.messages, total.credits) == (MANY, MANY, 2 * MANY)
    clock.advance(600)
    ledger.add_opt_outs(["+447900000007", "+447900069999"])
    ledger.acknowledge_missing_opt_outs("Ann")
    assert ledger.decide_all(campaign, "ready", "Ann", "the service has no trace of them") == MANY
    found = ledger.campaign(campaign)
    assert (found.ready, found.dropped) == (MANY - 2, 2)
    ledger.resume(campaign)
    # What a dead process was sending, whoever that was, is found by the next.
    with ledger.database.write() as connection:
        sending = update(schema.batch).where(schema.batch.c.state == "ready")
        connection.execute(sending.values(state="sending", owner=owner, attempt=1, claimed_at=clock.time))
    ledger.outbox.register(0)
    assert ledger.campaign(campaign).unknown == MANY - 2


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_one_batch_of_many_messages_is_answered_late(ledger: Ledger) -> None:
    """Its answer comes after it was given up, so each of its uuids is looked up."""
    campaign = ledger.create_campaign("Spring", messages_frame(33_000), batch_size=33_000)
    ledger.start(campaign)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.register(0)
    ledger.outbox.settle(got, accepted(got))
    assert ledger.campaign(campaign).accepted == 33_000
