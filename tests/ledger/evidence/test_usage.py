"""Caps count each message with its bill, or else its highest estimate, wherever its batch stands by now."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from fixtures_ledger import Clock, accepted, claim, messages_frame, running

from dashboard.errors import CampaignError
from dashboard.ledger import Caps, Ledger, Limits
from dashboard.ledger.evidence.usage import used, used_between
from dashboard.ledger.freeze.caps import credits_between
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement

DAY = timedelta(days=1)


def used_of(ledger: Ledger, campaign: str) -> int:
    with ledger.database.read() as connection:
        return used(connection, campaign)


def used_on(ledger: Ledger, day: datetime) -> int:
    with ledger.database.read() as connection:
        return used_between(connection, day, day + DAY)


def counted_on(ledger: Ledger, day: datetime) -> int:
    with ledger.database.read() as connection:
        return credits_between(connection, day, day + DAY)


def cannot_claim(ledger: Ledger, campaign: str, owner: str) -> bool:
    return not isinstance(ledger.outbox.claim(campaign, owner=owner, ticket=str(uuid4())), Claim)


def test_what_is_sent_again_counts_for_every_time_that_nobody_knows_of(ledger: Ledger, clock: Clock) -> None:
    """The service may have billed each request."""
    ledger.outbox.set_limits(Limits(credits_per_campaign=30))
    owner, campaign = ledger.outbox.register(0), running(ledger, 5, batch_size=5)
    for counted in (10, 20, 30):
        got = claim(ledger, campaign, owner)
        assert used_of(ledger, campaign) == counted
        ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
        clock.advance(600)
        ledger.decide(got.batch_id, "ready", "Ann", "why")
        assert used_of(ledger, campaign) == counted
    assert cannot_claim(ledger, campaign, owner)
    assert "30 are used, at most" in (ledger.campaign(campaign).reason or "")


def test_what_is_handed_over_before_and_after_midnight_counts_on_its_own_day(
    ledger: Ledger, clock: Clock
) -> None:
    clock.advance(15 * 3600 - 600)  # ten minutes before midnight
    owner, campaign = ledger.outbox.register(0), running(ledger, 8, batch_size=8)
    got = claim(ledger, campaign, owner)
    part = accepted(got, only=slice(0, 3), credits_used=1)
    ledger.outbox.settle(got, Settlement("partly accepted", "unknown", 200, echoed=part.echoed))
    today = clock.advance(1200).replace(hour=0, minute=0)
    ledger.decide(got.batch_id, "ready", "Ann", "why")
    ledger.resume(campaign)
    again = claim(ledger, campaign, owner)
    assert used_on(ledger, today - DAY) == 13, "three bills of 1, and five perhaps for 2"
    assert used_on(ledger, today) == 10
    ledger.outbox.settle(again, Settlement("too large", "split", 413))
    assert used_on(ledger, today) == 0
    for _half in range(2):
        half = claim(ledger, campaign, owner)
        ledger.outbox.settle(half, accepted(half, credits_used=1))
    assert used_on(ledger, today - DAY) == 13
    assert used_on(ledger, today) == 5
    assert used_of(ledger, campaign) == 18


def test_what_is_given_up_counts_for_the_cap_at_the_freeze_too(ledger: Ledger, clock: Clock) -> None:
    owner = ledger.outbox.register(0)
    campaign = running(ledger, 10)
    got = claim(ledger, campaign, owner)
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    ledger.decide(got.batch_id, "abandoned", "Ann", "why")
    day = clock.time.replace(hour=0)
    caps = Caps(per_campaign=None, per_day=39, day_from=day, day_to=day + DAY)
    assert counted_on(ledger, day) == 20
    with pytest.raises(CampaignError, match="only 19 of today's 39"):
        ledger.create_campaign("Summer", messages_frame(10, "Summer"), batch_size=5, caps=caps)


def test_what_waits_of_a_campaign_started_before_its_time_counts_today(ledger: Ledger, clock: Clock) -> None:
    campaign = ledger.create_campaign(
        "Spring", messages_frame(10), batch_size=5, scheduled_at=clock.time + 3 * DAY
    )
    day = clock.time.replace(hour=0)
    assert counted_on(ledger, day) == 0
    ledger.start(campaign)
    assert counted_on(ledger, day) == 20
