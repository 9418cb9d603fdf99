"""Quiet hours hold at the moment of the claim, however slow, paused or asleep the sending was.

Whatever else happens meanwhile, and for people of many zones: the promise `quiet` of the simulated worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from fixtures_ledger import Clock, asked, claim, messages_frame, owner_of, running
from tiers import only_deep

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Claim
from dashboard.sending.sender import CLAIM_LIFE_S

END = datetime(2026, 11, 20, 20, tzinfo=ZoneInfo("Europe/London"))


def in_london(ledger: Ledger, count: int, times: Sequence[datetime | None] | None = None) -> str:
    """A running campaign of people who may be texted from nine to twenty, London time."""
    frame = messages_frame(count, texting_hours="09:00:00-20:00:00 1234567 Europe/London")
    frame["scheduled_at"] = pd.Series(times or [None] * count, dtype="datetime64[us, UTC]")
    return running(ledger, frame, batch_size=2)


def test_a_slow_campaign_stops_for_the_night_and_says_why(ledger: Ledger, clock: Clock) -> None:
    campaign = in_london(ledger, 6)
    claim(ledger, campaign)
    clock.time = END
    assert not isinstance(asked(ledger, campaign), Claim)
    assert ledger.outbox.to_send() == [], "all of it waits, not only the batch that was asked for"
    assert ledger.waiting_reasons(campaign) == ["It is not an hour in which these people may be texted."]
    clock.advance(13 * 3600 - 1)
    assert not isinstance(asked(ledger, campaign), Claim)
    clock.advance(1)
    assert ledger.outbox.to_send() == [campaign]
    assert [len(claim(ledger, campaign).messages) for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("before", [20, 119, 179, *only_deep(90, 150, 200)])
def test_a_claim_asked_for_again_is_not_for_quiet_hours(ledger: Ledger, clock: Clock, before: int) -> None:
    """What is due soon is handed over for in two minutes: two minutes from when it was asked for last."""
    clock.time = END - timedelta(seconds=before)
    campaign = in_london(ledger, 1, [clock() + timedelta(seconds=10)])
    for _ in range(7):
        got = ledger.outbox.claim(campaign, owner=owner_of(ledger), ticket="the same")
        if isinstance(got, Claim):
            assert (got.messages[0].scheduled_at or clock()) < END
        clock.advance(CLAIM_LIFE_S / 6)


def test_what_the_service_waits_for_is_handed_over_at_any_hour(ledger: Ledger, clock: Clock) -> None:
    clock.time = END + timedelta(hours=3)
    at = clock() + timedelta(hours=11)
    campaign = in_london(ledger, 2, [at, at])
    got = claim(ledger, campaign)
    assert {message.scheduled_at for message in got.messages} == {at}


def test_of_a_batch_whose_times_differ_all_are_held_and_none_goes_early(ledger: Ledger, clock: Clock) -> None:
    clock.time = END - timedelta(hours=1)
    late = clock() + timedelta(hours=15)
    campaign = in_london(ledger, 2, [None, late])
    clock.advance(3 * 3600)
    assert not isinstance(asked(ledger, campaign), Claim)
    assert ledger.outbox.to_send() == []
    clock.time = END + timedelta(hours=13)
    got = claim(ledger, campaign)
    assert [message.scheduled_at for message in got.messages] == [None, late]
