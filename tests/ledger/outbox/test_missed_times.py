"""Messages with a time of their own: claimed when it has come, never handed over late unasked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pandas as pd
import pytest
from fixtures_ledger import Clock, accepted, asked, claim, counts, messages_frame, running
from tiers import only_deep

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.pausing import pause_over_missed
from dashboard.ledger.outbox.settle import Settlement
from dashboard.service.checks import check_messages

HANDOVERS = pytest.mark.parametrize("handover", ["hold", *only_deep("service")])
HOUR = 3600


@pytest.fixture
def owner(ledger: Ledger) -> str:
    return ledger.outbox.register(0)


def timed(ledger: Ledger, clock: Clock, minutes: Sequence[float | None], handover: str, size: int = 2) -> str:
    """A running campaign whose messages are due so many minutes from now."""
    frame = messages_frame(len(minutes), handover=handover)
    times = [None if one is None else clock() + timedelta(minutes=one) for one in minutes]
    frame["scheduled_at"] = pd.Series(times, dtype="datetime64[us, UTC]")
    return running(ledger, frame, batch_size=size)


def send(ledger: Ledger, clock: Clock, campaign: str, owner: str) -> Claim | None:
    """Claim a batch, ask our own check a minute later, and settle it; None if there was nothing to claim."""
    got = asked(ledger, campaign, owner)
    if not isinstance(got, Claim):
        return None
    clock.advance(60)
    check_messages(got.messages, now=clock())
    ledger.outbox.settle(got, accepted(got))
    return got


def send_all(ledger: Ledger, clock: Clock, campaign: str, owner: str) -> int:
    count = 0
    while got := send(ledger, clock, campaign, owner):
        count += len(got.messages)
    return count


def test_no_time_that_is_handed_over_has_passed_or_is_early(ledger: Ledger, clock: Clock, owner: str) -> None:
    campaign, now = timed(ledger, clock, [-14, -0.1, 0, 0.1, 1.9, 14], "service", size=12), clock()
    wanted = ledger.messages(campaign).set_index("uuid")["scheduled_at"]
    got = send(ledger, clock, campaign, owner)
    assert got is not None
    assert [message.scheduled_at is None for message in got.messages] == [at <= now for at in wanted]
    assert all(
        message.scheduled_at >= wanted[message.uuid] for message in got.messages if message.scheduled_at
    )


@HANDOVERS
def test_each_time_that_passes_unsent_is_asked_about_and_nobody_is_lost(
    ledger: Ledger, clock: Clock, owner: str, handover: str
) -> None:
    """Asleep, though another campaign goes on; asleep again, to which nobody has agreed; during a pause."""
    campaign = timed(ledger, clock, [0] * 2 + [10] * 3 + [30] * 3, handover)
    other = running(ledger, messages_frame(6, "Other"), batch_size=2)
    assert send(ledger, clock, campaign, owner)
    for hours in (8, 16):
        clock.advance(hours * HOUR)
        assert send(ledger, clock, other, owner)
        assert send(ledger, clock, campaign, owner) is None
        assert ledger.campaign(campaign).state == "paused"
        ledger.resume(campaign)
        assert send(ledger, clock, campaign, owner)
    ledger.pause(campaign, "to look at it")
    assert send_all(ledger, clock, other, owner) == 2
    clock.advance(12 * HOUR)
    ledger.resume(campaign)
    assert send_all(ledger, clock, campaign, owner) == 0
    found = ledger.campaign(campaign)
    assert found.state == "paused"
    assert "while nothing was sent" in (found.reason or "")
    ledger.resume(campaign)
    ledger.resume(campaign)  # a second click, which takes nothing back
    assert send_all(ledger, clock, campaign, owner) > 0
    assert counts(ledger, campaign) == {"accepted": 8}


@HANDOVERS
def test_a_campaign_that_is_slow_goes_on(ledger: Ledger, clock: Clock, owner: str, handover: str) -> None:
    campaign = timed(ledger, clock, [5] * 90, handover, size=30)
    other = timed(ledger, clock, [5] * 90, handover, size=30)
    ledger.outbox.set_pace(1 / 60)  # 90 minutes for each of them
    clock.advance(5 * 60)
    sent, turns = 0, [campaign, other]
    for _ in range(100):
        got = asked(ledger, turns[0], owner)
        if isinstance(got, Claim):
            sent += len(got.messages)
            ledger.outbox.settle(got, accepted(got))
            turns.reverse()
        clock.advance(120)
    assert sent == 180
    assert {ledger.campaign(one).state for one in (campaign, other)} == {"running"}


def test_a_second_claim_that_sees_it_missed_undoes_nothing(ledger: Ledger, clock: Clock, owner: str) -> None:
    campaign = timed(ledger, clock, [10, 10], "hold", size=1)
    seen = clock.advance(HOUR)
    assert send(ledger, clock, campaign, owner) is None
    clock.advance(5)
    ledger.resume(campaign)
    with ledger.database.write() as connection:
        pause_over_missed(connection, campaign, seen)
    assert claim(ledger, campaign, owner)


@HANDOVERS
def test_what_only_came_back_was_missed(ledger: Ledger, clock: Clock, owner: str, handover: str) -> None:
    campaign = timed(ledger, clock, [5] * 4, handover)
    clock.advance(5 * 60)
    for _ in range(30):  # the network is down
        got = asked(ledger, campaign, owner)
        if isinstance(got, Claim):
            ledger.outbox.settle(got, Settlement("not sent", "ready"))
        clock.advance(600)
    assert ledger.campaign(campaign).state == "paused"
    ledger.resume(campaign)
    assert send_all(ledger, clock, campaign, owner) == 4


def test_a_batch_goes_out_at_its_time_or_without_one(ledger: Ledger, clock: Clock, owner: str) -> None:
    campaign = timed(ledger, clock, [30, None, 60, 30], "hold", size=10)
    at_once = claim(ledger, campaign, owner)
    assert [message.to[-1] for message in at_once.messages] == ["1"]
    ledger.outbox.settle(at_once, accepted(at_once))
    assert send(ledger, clock, campaign, owner) is None
    assert ledger.outbox.to_send() == []
    ledger.outbox.finish()
    assert ledger.campaign(campaign).state == "running"
    clock.advance(30 * 60)
    assert ledger.outbox.to_send() == [campaign]
    later = claim(ledger, campaign, owner)
    assert [message.to[-1] for message in later.messages] == ["0", "3"]
    ledger.outbox.settle(later, Settlement("too large", "split", 413))
    halves = [claim(ledger, campaign, owner).messages for _ in range(2)]
    assert [message.scheduled_at for message in (*later.messages, *halves[0], *halves[1])] == [None] * 4
    assert counts(ledger, campaign) == {"accepted": 1, "sending": 2, "ready": 1}
