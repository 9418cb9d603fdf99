"""Claims: one batch, one owner, once; and only when everything allows it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from fixtures_ledger import ON_BOTH_DATABASES, Clock, asked, claim, counts, running

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim, Wait


@ON_BOTH_DATABASES
def test_threads_never_share_a_batch(ledger: Ledger) -> None:
    campaign = running(ledger, 40, batch_size=1)
    owner = ledger.outbox.register(0)

    def walk(_: int) -> list[int]:
        mine = []
        while isinstance(got := asked(ledger, campaign, owner), Claim):
            mine.append(got.batch_id)
        return mine

    with ThreadPoolExecutor(6) as pool:
        claimed = [batch for mine in pool.map(walk, range(6)) for batch in mine]
    assert len(claimed) == len(set(claimed)) == 40


@ON_BOTH_DATABASES
def test_the_same_ticket_gives_the_same_claim(ledger: Ledger) -> None:
    """After an error nobody knows whether the commit took effect; asking again must not claim more."""
    campaign = running(ledger, 30)
    owner = ledger.outbox.register(0)
    first, again = (ledger.outbox.claim(campaign, owner=owner, ticket="ticket") for _ in range(2))
    assert first == again
    (attempt,) = ledger.attempts(campaign).to_dict("records")
    assert (attempt["event"], attempt["owner"], attempt["batch"]) == ("claimed", owner, first.batch_id)
    assert counts(ledger, campaign) == {"sending": 10, "ready": 20}


def test_the_pace_counts_messages_over_all_campaigns(ledger: Ledger, clock: Clock) -> None:
    first, second = running(ledger, 20), running(ledger, 20)
    ledger.outbox.set_pace(10)
    claim(ledger, first)
    wait = asked(ledger, second)
    assert isinstance(wait, Wait)
    assert 0.85 < (wait.until - clock.time).total_seconds() <= 1
    clock.advance(1)
    claim(ledger, second)
    ledger.outbox.set_pace(0)
    claim(ledger, first)


def test_a_clock_that_was_set_back_does_not_stop_sending(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 30)
    ledger.outbox.set_pace(10)
    claim(ledger, campaign)
    clock.advance(-7200)
    assert isinstance(asked(ledger, campaign), Wait)
    clock.advance(1.1)
    assert isinstance(asked(ledger, campaign), Claim)


@ON_BOTH_DATABASES
def test_an_opt_out_in_the_place_of_one_forgotten_keeps_a_claim_back(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 10)
    ledger.add_opt_outs(["+447400800001"])
    got = claim(ledger, campaign)
    assert ledger.outbox.goes_on(got)
    ledger.forget_person("+447400800001")
    clock.advance(1)
    ledger.add_opt_outs([got.messages[0].to])
    assert not ledger.outbox.goes_on(got)
