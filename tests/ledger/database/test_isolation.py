"""Caps hold whatever isolation level is the default, and what is read of one moment is of one moment."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread
from uuid import uuid4

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, Clock, running
from sqlalchemy import create_engine, make_url, text
from tiers import only_deep

from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox import claims
from dashboard.ledger.outbox.claims import Claim


@pytest.fixture(params=["serializable", *only_deep("read committed", "repeatable read")])
def strict(request: pytest.FixtureRequest, postgresql_url: str, clock: Clock) -> Iterator[Ledger]:
    """A ledger on a database with this default."""
    engine = create_engine(postgresql_url, isolation_level="AUTOCOMMIT")
    name = make_url(postgresql_url).database
    with engine.connect() as connection:
        connection.execute(
            text(f"ALTER DATABASE {name} SET default_transaction_isolation = '{request.param}'")
        )
    engine.dispose()
    opened = Ledger.open(postgresql_url, now=clock)
    yield opened
    opened.close()


@pytest.mark.parametrize("cap", ["credits_per_campaign", *only_deep("credits_per_day")])
def test_a_claim_that_waits_for_another_sees_what_it_took(strict: Ledger, clock: Clock, cap: str) -> None:
    campaign = running(strict, 20, batch_size=10)
    strict.outbox.set_limits(Limits(**{cap: 30}))  # a batch may take 20
    owner, began, got = strict.outbox.register(0), Event(), list[object]()

    def second() -> None:
        began.set()
        got.append(strict.outbox.claim(campaign, owner=owner, ticket=str(uuid4())))

    other = Thread(target=second)
    with strict.database.write() as connection:
        first = claims.claim_next(connection, campaign, owner=owner, ticket=str(uuid4()), now=clock())
        other.start()
        began.wait()
        other.join(0.5)  # it waits for the campaign's lock
        assert not got
    other.join()
    assert isinstance(first, Claim)
    assert not isinstance(got[0], Claim)
    assert strict.campaign(campaign).state == "paused"


@ON_BOTH_DATABASES
def test_of_one_moment_a_thread_reads_nothing_written_meanwhile_and_then_all(ledger: Ledger) -> None:
    campaign, seen = running(ledger, 1), list[str]()
    other = Thread(target=lambda: seen.append(ledger.campaign(campaign).state))
    with ledger.one_moment():
        ledger.campaigns()
        ledger.pause(campaign, "x")
        with ledger.one_moment():
            assert ledger.campaign(campaign).state == "running"
        assert ledger.campaigns()["state"].item() == "running"
        other.start()
        other.join()
    assert [ledger.campaign(campaign).state, *seen] == ["paused", "paused"]
