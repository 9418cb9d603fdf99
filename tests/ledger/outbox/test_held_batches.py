"""Messages that wait here for their own time: claimed when it has come, asked about when missed."""

from __future__ import annotations

from datetime import timedelta

import pandas as pd
from fixtures_ledger import Clock, accepted, counts, messages_frame

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim, Lane, Nothing
from dashboard.ledger.outbox.settle import Settlement


def held(ledger: Ledger, clock: Clock, minutes: list[int | None], batch_size: int = 10) -> str:
    """A running campaign whose messages are due so many minutes from now."""
    messages = messages_frame(len(minutes))
    times = [None if one is None else clock() + timedelta(minutes=one) for one in minutes]
    messages["scheduled_at"] = pd.Series(times, dtype="datetime64[us, UTC]")
    messages["handover"] = "hold"
    campaign = ledger.create_campaign("Spring", messages, batch_size=batch_size)
    ledger.start(campaign)
    return campaign


def claimed(ledger: Ledger, campaign: str, owner: str, ticket: str) -> Claim | None:
    got = ledger.outbox.claim(Lane(campaign, 0, 1), owner=owner, ticket=ticket)
    assert isinstance(got, Claim | Nothing)
    return got if isinstance(got, Claim) else None


def test_a_batch_goes_out_when_its_time_has_come_and_without_it(ledger: Ledger, clock: Clock) -> None:
    campaign = held(ledger, clock, [30, None, 60, 30])
    owner = ledger.outbox.register(0)
    at_once = claimed(ledger, campaign, owner, "1")
    assert at_once is not None
    assert [message.to[-1] for message in at_once.messages] == ["1"]
    ledger.outbox.settle(at_once, accepted(at_once))
    assert claimed(ledger, campaign, owner, "2") is None
    assert ledger.outbox.to_send() == []
    ledger.outbox.finish()
    assert ledger.campaign(campaign).state == "running"
    clock.advance(30 * 60)
    assert ledger.outbox.to_send() == [campaign]
    later = claimed(ledger, campaign, owner, "3")
    assert later is not None
    assert [message.to[-1] for message in later.messages] == ["0", "3"]
    assert {message.scheduled_at for message in later.messages} == {None}
    ledger.outbox.settle(later, accepted(later))
    assert counts(ledger, campaign) == {"accepted": 3, "ready": 1}


def test_halves_of_a_batch_that_was_held_are_held_too(ledger: Ledger, clock: Clock) -> None:
    campaign = held(ledger, clock, [30] * 4)
    owner = ledger.outbox.register(0)
    clock.advance(30 * 60)
    got = claimed(ledger, campaign, owner, "1")
    assert got is not None
    ledger.outbox.settle(got, Settlement("too large", "split", 413))
    half = claimed(ledger, campaign, owner, "2")
    assert half is not None
    assert [message.scheduled_at for message in half.messages] == [None, None]


def test_what_is_held_can_be_cancelled(ledger: Ledger, clock: Clock) -> None:
    campaign = held(ledger, clock, [30, 60])
    ledger.cancel(campaign)
    assert counts(ledger, campaign) == {"cancelled": 2}


def test_batches_end_where_the_time_changes(ledger: Ledger, clock: Clock) -> None:
    campaign = held(ledger, clock, [10, 20, 10, 10, 20], batch_size=2)
    assert ledger.batches(campaign)["messages"].tolist() == [2, 1, 2]


def test_a_time_that_was_missed_is_asked_about(ledger: Ledger, clock: Clock) -> None:
    campaign = held(ledger, clock, [10, 60])
    scheduled = ledger.create_campaign(
        "Later", messages_frame(1, "Later"), batch_size=1, scheduled_at=clock() + timedelta(minutes=10)
    )
    clock.advance(50 * 60)  # nobody is there
    assert claimed(ledger, campaign, ledger.outbox.register(0), "1") is None
    ledger.outbox.start_due()
    for one in (campaign, scheduled):
        found = ledger.campaign(one)
        assert found.state == "paused"
        assert found.reason is not None
        assert "while nothing was sent" in found.reason
        ledger.resume(one)
        assert ledger.campaign(one).state == "running"
    assert ledger.campaign(scheduled).started_at == clock()


def test_a_second_program_does_not_pause_what_the_first_one_is_busy_with(
    ledger: Ledger, clock: Clock
) -> None:
    campaign = held(ledger, clock, [10])
    ledger.outbox.register(0)
    clock.advance(50 * 60)
    ledger.outbox.register(1)
    assert ledger.campaign(campaign).state == "running"
