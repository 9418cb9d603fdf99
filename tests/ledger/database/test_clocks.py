"""Machines whose clocks differ, on one PostgreSQL: the database's time counts, and the operator is told."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from fixtures_ledger import claim, messages_frame, running
from sqlalchemy import create_engine, make_url, text
from tiers import only_deep

from dashboard.errors import CampaignStateError, LedgerUnavailableError
from dashboard.ledger import Ledger
from dashboard.ledger.database.clock import DatabaseClock
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox.claims import Claim, Lane, Wait
from dashboard.ledger.outbox.settle import Settlement

OFF = pytest.mark.parametrize("off", [-3600, 1200, *only_deep(-360, -90, 0, 90, 360)])


class Machine:
    """A machine whose clock is that many seconds off."""

    def __init__(self, off: float) -> None:
        self.off = off

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.off)


@pytest.fixture
def on(postgresql_url: str) -> Iterator[Callable[[float], Ledger]]:
    """Opens the ledger on a machine whose clock is so many seconds off."""
    Ledger.open(postgresql_url).close()
    opened: list[Ledger] = []

    def open_on(off: float) -> Ledger:
        database = Database(postgresql_url)
        opened.append(Ledger(database, DatabaseClock(database, Machine(off))))
        return opened[-1]

    yield open_on
    for ledger in opened:
        ledger.close()


def next_of(ledger: Ledger, campaign: str, owner: str) -> object:
    return ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket=str(uuid4()))


@OFF
def test_every_machine_writes_the_same_time(on: Callable[[float], Ledger], off: float) -> None:
    ledger = on(off)
    campaign = running(ledger, 3)
    assert abs(ledger.campaign(campaign).created_at - datetime.now(UTC)) < timedelta(seconds=5)


@OFF
def test_nobody_sends_again_what_another_machine_has_just_requested(
    on: Callable[[float], Ledger], off: float
) -> None:
    one, other = on(off), on(-off)
    campaign = running(one, 3)
    got = claim(one, campaign, one.outbox.register(0))
    one.outbox.settle(got, Settlement("unknown", "unknown"))
    with pytest.raises(CampaignStateError, match="still be on its way"):
        other.decide(got.batch_id, "ready", "me", "why")


@OFF
def test_a_pause_the_service_asks_for_is_kept_by_all_machines(
    on: Callable[[float], Ledger], off: float
) -> None:
    one, other = on(0), on(off)
    campaign = running(one, 3)
    got = claim(one, campaign, one.outbox.register(0))
    one.outbox.settle(got, Settlement("throttled", "ready", 429, closes_gate=True, retry_after_s=60))
    owner = other.outbox.register(1)
    waits = next_of(other, campaign, owner)
    assert isinstance(waits, Wait)
    assert 50 < (waits.until - datetime.now(UTC)).total_seconds() <= 60
    short = on(0)
    with short.database.write() as connection:
        connection.execute(text("UPDATE gate SET closed_until = 0"))
    assert isinstance(next_of(other, campaign, owner), Claim)


@OFF
def test_a_schedule_is_due_once_and_on_time(on: Callable[[float], Ledger], off: float) -> None:
    ledger = on(off)
    soon, due = (datetime.now(UTC) + timedelta(seconds=seconds) for seconds in (600, -2))
    names = {}
    for at in (soon, due):
        names[at] = ledger.create_campaign(
            f"C{at}", messages_frame(1, f"C{at}"), batch_size=1, scheduled_at=at
        )
    ledger.outbox.start_due()
    assert ledger.campaign(names[soon]).state == "scheduled"
    assert ledger.campaign(names[due]).state == "running"


@pytest.mark.parametrize(("off", "says"), [(-360, "360 seconds behind"), (1200, "1200 seconds ahead of")])
def test_a_machine_whose_clock_is_off_says_so_once(
    on: Callable[[float], Ledger], caplog: pytest.LogCaptureFixture, off: float, says: str
) -> None:
    ledger = on(off)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            ledger.outbox.now()
    assert [says in message for message in caplog.messages] == [True]


def test_a_machine_whose_clock_is_right_says_nothing(
    on: Callable[[float], Ledger], caplog: pytest.LogCaptureFixture
) -> None:
    on(1).outbox.now()
    assert caplog.messages == []


def test_a_clock_that_is_set_while_it_runs_changes_nothing(postgresql_url: str) -> None:
    machine, database = Machine(0), Database(postgresql_url)
    now = DatabaseClock(database, machine)
    for machine.off in (0, 3600, -3600, 20, 0):
        assert abs(now() - datetime.now(UTC)) < timedelta(seconds=5)
    database.close()


def test_a_clock_that_drifts_is_measured_again(postgresql_url: str) -> None:
    ticks, database = [0.0], Database(postgresql_url)
    started = datetime.now(UTC) - timedelta(seconds=time.monotonic())
    now = DatabaseClock(database, lambda: started + timedelta(seconds=ticks[0]), lambda: ticks[0])
    now()
    ticks[0] += 31  # half a minute too fast, on both of the machine's clocks
    assert abs(now() - datetime.now(UTC)) < timedelta(seconds=5)
    database.close()


def test_while_the_database_is_away_the_difference_last_measured_counts(
    postgresql_server: str, postgresql_url: str
) -> None:
    machine, database = Machine(600), Database(postgresql_url)
    now, never = DatabaseClock(database, machine), DatabaseClock(database, machine)
    now()
    name = make_url(postgresql_url).database
    admin = create_engine(postgresql_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"),
            {"name": name},
        )
        machine.off += 3600  # it slept: both count from here
        assert abs(now() - datetime.now(UTC) - timedelta(hours=1)) < timedelta(seconds=5)
        with pytest.raises(LedgerUnavailableError):
            never()
        connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    admin.dispose()
    assert abs(now() - datetime.now(UTC)) < timedelta(seconds=5)
    database.close()
