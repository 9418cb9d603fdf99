"""Whoever pauses, cancels or decides gets its turn on PostgreSQL, however many are sending."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from uuid import uuid4

import pytest
from each import each
from fixtures_ledger import Clock, accepted, claim, running
from interleaved import waiting
from patience import PATIENCE_S, wait_until
from sqlalchemy import Connection

from dashboard.ledger import Ledger
from dashboard.ledger.outbox import claims
from dashboard.ledger.outbox.claims import Claim, Nothing

SENDING = 4
ACTS: dict[str, Callable[[Ledger, str], object]] = {
    "paused": lambda ledger, campaign: ledger.pause(campaign, "Paused by Ann."),
    "cancelled": lambda ledger, campaign: ledger.cancel(campaign),
    "paused by itself": lambda ledger, campaign: ledger.outbox.pause(campaign, "Why."),
}


@pytest.fixture
def ledger_url(postgresql_url: str) -> str:
    return postgresql_url


@each("state", ACTS)
def test_who_stops_a_campaign_waits_for_no_later_claims(ledger: Ledger, clock: Clock, state: str) -> None:
    """Each claim shares the campaign's row with others; those that overlap would never let it go."""
    campaign = running(ledger, 80)
    owner = ledger.outbox.register(0)

    def next_claim(connection: Connection) -> object:
        return claims.claim_next(connection, campaign, owner=owner, ticket=str(uuid4()), now=clock())

    def later() -> object:
        with ledger.database.write() as connection:
            return next_claim(connection)

    with ThreadPoolExecutor(SENDING + 1) as threads:
        with ledger.database.write() as connection:
            assert isinstance(next_claim(connection), Claim)
            stops = threads.submit(ACTS[state], ledger, campaign)
            wait_until(lambda: waiting(ledger) == 1)
            others = [threads.submit(later) for _ in range(SENDING)]
            wait_until(lambda: waiting(ledger) + sum(one.done() for one in others) == 1 + SENDING)
        stops.result(PATIENCE_S)
        assert [one.result(PATIENCE_S) for one in others] == [Nothing(state.split(maxsplit=1)[0])] * SENDING


def test_claims_and_answers_of_a_campaign_do_not_wait_for_each_other(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 80)
    owner = ledger.outbox.register(0)
    away = claim(ledger, campaign, owner)
    with ExitStack() as held, ThreadPoolExecutor(1) as threads:
        for _ in range(SENDING):
            connection = held.enter_context(ledger.database.write())
            got = claims.claim_next(connection, campaign, owner=owner, ticket=str(uuid4()), now=clock())
            assert isinstance(got, Claim)
        settled: Future[bool] = threads.submit(ledger.outbox.settle, away, accepted(away))
        assert settled.result(PATIENCE_S)
