"""Caps count each message with its bill, or else its highest estimate, wherever its batch stands by now."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from fixtures_ledger import Clock, accepted, asked, claim, messages_frame, running

from dashboard.errors import CampaignError
from dashboard.ledger import Caps, Ledger, Limits
from dashboard.ledger.evidence.usage import used, used_between
from dashboard.ledger.freeze.caps import credits_between
from dashboard.ledger.outbox.claims import Nothing
from dashboard.ledger.outbox.settle import Settlement

DAY = timedelta(days=1)


def used_of(ledger: Ledger, campaign: str) -> int:
    with ledger.database.read() as connection:
        return used(connection, campaign)


def used_on(ledger: Ledger, *days: datetime) -> tuple[int, ...]:
    with ledger.database.read() as connection:
        return tuple(used_between(connection, day, day + DAY) for day in days)


def counted_on(ledger: Ledger, day: datetime) -> int:
    with ledger.database.read() as connection:
        return credits_between(connection, day, day + DAY)


def test_what_is_sent_again_counts_for_every_time_that_nobody_knows_of(ledger: Ledger, clock: Clock) -> None:
    """The service may have billed each request."""
    ledger.outbox.set_limits(Limits(credits_per_campaign=30))
    campaign = running(ledger, 5, batch_size=5)
    for counted in (10, 20, 30):
        got = claim(ledger, campaign)
        assert used_of(ledger, campaign) == counted
        ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
        clock.advance(600)
        ledger.decide(got.batch_id, "ready", "Ann", "why")
        assert used_of(ledger, campaign) == counted
    assert asked(ledger, campaign) == Nothing("paused")
    assert "30 are used, at most" in (ledger.campaign(campaign).reason or "")


def test_what_is_sent_again_counts_on_the_day_of_each_request(ledger: Ledger, clock: Clock) -> None:
    clock.advance(15 * 3600 - 600)  # ten minutes before midnight
    campaign = running(ledger, 5, batch_size=5)
    got = claim(ledger, campaign)
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    today = clock.advance(1200).replace(hour=0, minute=0)
    ledger.decide(got.batch_id, "ready", "Ann", "why")
    assert used_on(ledger, today - DAY, today) == (10, 0)
    got = claim(ledger, campaign)
    assert used_on(ledger, today - DAY, today) == (10, 10)
    ledger.outbox.settle(got, accepted(got, credits_used=1))
    assert used_on(ledger, today - DAY, today) == (10, 5)


def test_what_is_given_up_counts_for_the_cap_at_the_freeze_too(ledger: Ledger, clock: Clock) -> None:
    campaign = running(ledger, 10)
    got = claim(ledger, campaign)
    ledger.outbox.settle(got, Settlement("unknown", "unknown", None, "timeout"))
    ledger.decide(got.batch_id, "abandoned", "Ann", "why")
    day = clock.time.replace(hour=0)
    caps = Caps(per_campaign=None, per_day=39, day_from=day, day_to=day + DAY)
    assert counted_on(ledger, day) == 20
    with pytest.raises(CampaignError, match="only 19 of today's 39"):
        ledger.create_campaign("Summer", messages_frame(10, "Summer"), batch_size=5, caps=caps)


def test_what_waits_of_a_campaign_started_before_its_time_counts_today(ledger: Ledger, clock: Clock) -> None:
    at = clock.time + 3 * DAY
    campaign = ledger.create_campaign("Spring", messages_frame(10), batch_size=5, scheduled_at=at)
    day = clock.time.replace(hour=0)
    assert counted_on(ledger, day) == 0
    ledger.start(campaign)
    assert counted_on(ledger, day) == 20
