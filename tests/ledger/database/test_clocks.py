"""Machines whose clocks differ, on one PostgreSQL: the database's time counts, and the operator is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from each import each
from fixtures_ledger import away, claim, messages_frame, running
from sqlalchemy import text

from dashboard.errors import CampaignStateError, LedgerUnavailableError
from dashboard.ledger import Ledger
from dashboard.ledger.database.clock import DatabaseClock
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox.claims import Wait
from dashboard.ledger.outbox.settle import Settlement

OFF = (-3600, 1200)
On = Callable[[float], Ledger]


class Machine:
    """A machine whose clock is that many seconds off."""

    def __init__(self, off: float) -> None:
        self.off = off

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.off)


@pytest.fixture(scope="module")
def on(worlds_url: str) -> Iterator[On]:
    """Opens the ledger on a machine whose clock is so many seconds off."""
    opened = [Ledger.open(worlds_url)]

    def open_on(off: float) -> Ledger:
        database = Database(worlds_url)
        opened.append(Ledger(database, DatabaseClock(database, Machine(off))))
        return opened[-1]

    yield open_on
    for ledger in opened:
        ledger.close()


def is_now(at: datetime) -> bool:
    return abs(at - datetime.now(UTC)) < timedelta(seconds=5)


def next_of(ledger: Ledger, campaign: str, owner: str) -> object:
    return ledger.outbox.claim(campaign, owner=owner, ticket=str(uuid4()))


@each("off", OFF)
def test_machines_whose_clocks_differ_keep_the_same_times(on: On, off: float) -> None:
    """For what was just requested, for a wait that the service asks for, and for a schedule."""
    one, other, now = on(off), on(-off), datetime.now(UTC)
    campaign, owner = running(one, 3), one.outbox.register(0)
    assert is_now(one.campaign(campaign).created_at)
    got = claim(one, campaign, owner)
    one.outbox.settle(got, Settlement("unknown", "unknown"))
    with pytest.raises(CampaignStateError, match="still be on its way"):
        other.decide(got.batch_id, "ready", "me", "why")
    at = now + timedelta(seconds=600), now - timedelta(seconds=2)
    frame = messages_frame(1)
    soon, due = (one.create_campaign("Spring", frame, batch_size=1, scheduled_at=when) for when in at)
    one.outbox.start_due()
    assert (one.campaign(soon).state, one.campaign(due).state) == ("scheduled", "running")
    waiting = Settlement("throttled", "ready", 429, closes_gate=True, retry_after_s=60)
    one.outbox.settle(claim(one, due, owner), waiting)
    waits = next_of(other, due, other.outbox.register(1))
    assert isinstance(waits, Wait)
    assert 50 < (waits.until - datetime.now(UTC)).total_seconds() <= 60
    with one.database.write() as connection:
        connection.execute(text("UPDATE gate SET closed_until = 0"))


@each("off, says", [(-360, ["360 seconds behind"]), (1200, ["1200 seconds ahead of"]), (1, [])])
def test_a_wrong_clock_is_said_once(
    on: On, caplog: pytest.LogCaptureFixture, off: float, says: list[str]
) -> None:
    caplog.clear()
    ledger = on(off)
    for _ in range(3):
        ledger.outbox.now()
    assert len(caplog.messages) == len(says)
    assert all(words in message for words, message in zip(says, caplog.messages, strict=True))


def test_a_clock_that_is_set_while_it_runs_changes_nothing(on: On) -> None:
    machine = Machine(0)
    now = DatabaseClock(on(0).database, machine)
    for machine.off in (0, 3600, -3600, 20, 0):
        assert is_now(now())


def test_a_clock_that_drifts_is_measured_again(on: On) -> None:
    ticks, started = [0.0], datetime.now(UTC) - timedelta(seconds=time.monotonic())
    now = DatabaseClock(on(0).database, lambda: started + timedelta(seconds=ticks[0]), lambda: ticks[0])
    now()
    ticks[0] += 31  # half a minute too fast, on both of the machine's clocks
    assert is_now(now())


def test_without_the_database_the_last_difference_counts(postgresql_url: str) -> None:
    machine, database = Machine(600), Database(postgresql_url)
    now, never = DatabaseClock(database, machine), DatabaseClock(database, machine)
    now()
    with away(postgresql_url):
        machine.off += 3600  # it slept: both count from here
        assert is_now(now() - timedelta(hours=1))
        with pytest.raises(LedgerUnavailableError):
            never()
    assert is_now(now())
    database.close()
