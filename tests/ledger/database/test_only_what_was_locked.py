"""A transaction changes the batches that it locked and looked at, and none that fit its condition since."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from each import each
from fixtures_ledger import Clock, claim, running
from sqlalchemy import event, update

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.outbox.settle import Settlement

Act = Callable[[Ledger, str], object]

ACTS: dict[str, tuple[str, str, Act]] = {
    "sent again": (
        "unknown",
        "ready",
        lambda ledger, campaign: ledger.decide_all(campaign, "ready", "Ann", "no trace of them"),
    ),
    "given up": (
        "unknown",
        "abandoned",
        lambda ledger, campaign: ledger.decide_all(campaign, "abandoned", "Ann", "too late"),
    ),
    "cancelled": ("ready", "cancelled", lambda ledger, campaign: ledger.cancel(campaign)),
    "lost": ("sending", "unknown", lambda ledger, _: ledger.outbox.retire([0])),
    "of an older copy": ("ready", "unknown", lambda ledger, _: ledger.distrust(opt_outs_kept=True)),
}


@pytest.fixture
def ledger_url(postgresql_url: str) -> str:
    """On SQLite nothing can come in between: writers take turns."""
    return postgresql_url


@each("act", ACTS)
def test_a_batch_that_fits_only_after_the_locks_is_left_alone(ledger: Ledger, clock: Clock, act: str) -> None:
    fits, becomes, does = ACTS[act]
    campaign = running(ledger, 30)
    owner = ledger.outbox.register(0)
    first, late = (claim(ledger, campaign, owner) for _ in range(2))
    to_state(ledger, late.batch_id, "accepted")
    if fits == "unknown":
        ledger.outbox.settle(first, Settlement("unknown", "unknown"))
    elif fits == "ready":
        ledger.outbox.settle(first, Settlement("not sent", "ready"))
    clock.advance(3600)
    once_locked(ledger, lambda: to_state(ledger, late.batch_id, fits))
    does(ledger, campaign)
    states = ledger.batches(campaign).set_index("batch")["state"]
    assert (states[first.batch_id], states[late.batch_id]) == (becomes, fits)


def to_state(ledger: Ledger, batch: int, state: str) -> None:
    with ledger.database.write() as connection:
        connection.execute(update(schema.batch).where(schema.batch.c.id == batch).values(state=state))


def once_locked(ledger: Ledger, happens: Callable[[], None]) -> None:
    """Let something happen elsewhere as soon as a transaction has locked batches."""
    left = [happens]

    def look(*arguments: object) -> None:
        statement = str(arguments[2])
        if left and "FROM batch" in statement and "FOR NO KEY UPDATE" in statement:
            left.pop()()

    event.listen(ledger.database.engine, "after_cursor_execute", look)
