"""What goes out by itself, counted again from the messages: nothing is left out, whoever waits for it."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

import pytest
from fixtures_ledger import Clock, accepted, asked, claim, messages_frame, running

from dashboard.campaigns import Handover
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim

HOUR = timedelta(hours=1)
TIMES = (2, 2, 3, 26, 50, 50)
"""Hours from now at which each is due."""

OF_THE_LAST = f"+447400{900000 + len(TIMES) - 1}"


def at_their_times(ledger: Ledger, clock: Clock, handover: Handover = Handover.HOLD) -> str:
    """A running campaign of people with times of their own; returns its id."""
    at = [clock.time + hours * HOUR for hours in TIMES]
    frame = messages_frame(len(TIMES), handover=handover.value, scheduled_at=at)
    frame = frame.astype({"scheduled_at": "datetime64[us, UTC]"})
    return running(ledger, frame, batch_size=2)


def said(ledger: Ledger, until: datetime | None = None) -> dict[datetime, int]:
    found = ledger.coming(until=until)
    assert found["at"].is_monotonic_increasing
    return {row.at.to_pydatetime(): int(row.messages) for row in found.itertuples()}


def counted(ledger: Ledger, clock: Clock, *states: str) -> dict[datetime, int]:
    """The same from every message by itself."""
    messages = ledger.messages(states=states or ("ready", "sending", "accepted"))
    return dict(Counter(at.to_pydatetime() for at in messages["scheduled_at"] if at > clock.time))


def hand_over(ledger: Ledger, campaign: str) -> None:
    """Claim all that can be claimed, and have it taken."""
    while isinstance(got := asked(ledger, campaign), Claim):
        ledger.outbox.settle(got, accepted(got, credits_used=1))


@pytest.mark.parametrize("handover", list(Handover))
def test_people_with_own_times_are_there_until_then(ledger: Ledger, clock: Clock, handover: Handover) -> None:
    campaign = at_their_times(ledger, clock, handover)
    frozen = counted(ledger, clock)
    assert said(ledger) == frozen
    assert list(frozen.values()) == [2, 1, 1, 2]
    hand_over(ledger, campaign)
    assert said(ledger) == frozen
    clock.advance(2 * 3600 + 60)
    hand_over(ledger, campaign)
    assert said(ledger) == counted(ledger, clock)
    assert list(said(ledger).values()) == [1, 1, 2]
    assert list(said(ledger, until=clock.time + 25 * HOUR).values()) == [1, 1]


def test_what_is_half_handed_over_is_counted_once_and_opt_outs_are_not(ledger: Ledger, clock: Clock) -> None:
    campaign = at_their_times(ledger, clock, Handover.SERVICE)
    got = claim(ledger, campaign)
    assert said(ledger) == counted(ledger, clock)
    ledger.outbox.settle(got, accepted(got, only=slice(0, 1), credits_used=1))
    assert said(ledger) == counted(ledger, clock)
    assert sum(said(ledger).values()) == len(TIMES) - 1  # the other is unknown
    ledger.add_opt_outs([OF_THE_LAST])
    assert said(ledger) == counted(ledger, clock)
    assert sum(said(ledger).values()) == len(TIMES) - 2


def test_a_pause_takes_away_what_is_here_but_not_at_the_service(ledger: Ledger, clock: Clock) -> None:
    for handover, left in ((Handover.HOLD, 0), (Handover.SERVICE, len(TIMES))):
        campaign = at_their_times(ledger, clock, handover)
        hand_over(ledger, campaign)
        ledger.pause(campaign, "why")
        assert sum(said(ledger).values()) == left
        ledger.cancel(campaign, "why")
        assert sum(said(ledger).values()) == left


def test_a_campaign_that_waits_is_there_with_all_its_messages(ledger: Ledger, clock: Clock) -> None:
    at = clock.time + 5 * HOUR
    campaign = ledger.create_campaign("Later", messages_frame(3, "Later"), batch_size=2, scheduled_at=at)
    assert said(ledger) == {at: 3}
    assert said(ledger, until=at) == {}
    clock.time = at + timedelta(minutes=1)
    assert said(ledger) == {at: 3}  # whoever sends it has not looked yet
    ledger.start(campaign)
    assert said(ledger) == {}
    starts, late = at + 5 * HOUR, at + 9 * HOUR
    frame = messages_frame(3, "Own", scheduled_at=[at + HOUR, late, late], handover="hold")
    frame = frame.astype({"scheduled_at": "datetime64[us, UTC]"})
    ledger.create_campaign("Own", frame, batch_size=2, scheduled_at=starts)
    assert said(ledger) == {starts: 1, late: 2}
    ledger.create_campaign("Draft", messages_frame(2, "Draft"), batch_size=2)  # somebody starts it, or nobody
    assert said(ledger) == {starts: 1, late: 2}
