"""What a new campaign must respect is asked by the ledger's clock, which is the database's on PostgreSQL."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from fixtures_ledger import Clock, accepted, claim, messages_frame

from dashboard.errors import CampaignError, SentBeforeError
from dashboard.jobs.guards import SAME_WITHIN, freeze_campaign, same_lately
from dashboard.ledger import Ledger
from dashboard.settings import Settings

APART = (timedelta(days=-400), timedelta(days=400))
"""How far this machine's clock is from the ledger's."""


def freeze(ledger: Ledger, settings: Settings, *, again: bool, at: datetime | None = None) -> str:
    return freeze_campaign(
        ledger,
        settings,
        "Spring",
        messages_frame(10),
        prices=None,
        source=None,
        scheduled_at=at,
        again=again,
    )


@pytest.mark.parametrize("apart", APART)
def test_the_same_people_are_looked_for_by_the_ledgers_clock(
    ledger: Ledger, clock: Clock, tmp_path: Path, apart: timedelta
) -> None:
    clock.time += apart
    settings = Settings(data=tmp_path)
    freeze(ledger, settings, again=False)
    clock.time += SAME_WITHIN - timedelta(minutes=1)
    assert len(same_lately(ledger, messages_frame(10))) == 1
    with pytest.raises(SentBeforeError):
        freeze(ledger, settings, again=False)
    clock.time += timedelta(minutes=2)
    assert same_lately(ledger, messages_frame(10)).empty
    freeze(ledger, settings, again=False)


@pytest.mark.parametrize("apart", APART)
def test_the_days_cap_is_of_the_ledgers_day(
    ledger: Ledger, clock: Clock, tmp_path: Path, apart: timedelta
) -> None:
    clock.time += apart
    settings = Settings(data=tmp_path, credits_per_day=30)
    campaign = freeze(ledger, settings, again=True)
    ledger.start(campaign)
    got = claim(ledger, campaign, ledger.outbox.register(0))
    ledger.outbox.settle(got, accepted(got, credits_used=2))
    with pytest.raises(CampaignError, match="only 10 of today's 30"):
        freeze(ledger, settings, again=True)
    freeze(ledger, settings, again=True, at=clock.time + timedelta(days=1))
