"""Numbers and texts go by themselves once they are old, and the pages say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from app_seeds import started_campaign
from page_reading import words
from patience import wait_until
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.jobs.retention import days_kept, forgetting
from dashboard.ledger import Ledger


@pytest.fixture
def long_ago(wired: Runtime) -> str:
    """A campaign that was cancelled two days ago."""
    ledger = Ledger(wired.ledger.database, now=lambda: datetime.now(UTC) - timedelta(days=2))
    campaign = started_campaign(ledger, "Spring sale", 3)
    ledger.cancel(campaign)
    return campaign


def test_what_is_too_old_goes_by_itself(wired: Runtime, long_ago: str) -> None:
    young = started_campaign(wired.ledger, "Young", 1)
    wired.ledger.cancel(young)
    with forgetting(wired.ledger, days=None):
        pass
    assert wired.ledger.campaign(long_ago).forgotten_at is None
    with forgetting(wired.ledger, days=1):
        wait_until(lambda: wired.ledger.campaign(long_ago).forgotten_at is not None)
    assert wired.ledger.messages(long_ago)["to"].eq("").all()
    assert wired.ledger.campaign(young).forgotten_at is None


def test_the_pages_say_what_is_deleted_and_when(
    wired: Runtime, long_ago: str, open_page: Callable[..., AppTest]
) -> None:
    assert "kept for as long as the ledger is" in words(open_page("settings"))
    wired.ledger.forget(before=datetime.now(UTC) - timedelta(days=1))
    runtime.use(replace(wired, settings=wired.settings.model_copy(update={"keep_days": 1})))
    settings = words(open_page("settings"))
    assert "deleted 1 day after a campaign ends" in settings
    assert "done for 1 campaign." in settings
    assert "Numbers and texts were deleted" in words(open_page("campaign", id=long_ago))


@pytest.mark.parametrize(
    ("keep", "cap", "within", "kept"),
    [
        (None, 2, 7, None),
        (1, None, 7, 1),
        (1, 2, 7, 7),
        (1, 2, 6.5, 7),
        (30, 2, 7, 30),
    ],
)
def test_nobody_is_forgotten_while_their_texts_are_still_counted(
    wired: Runtime, keep: int | None, cap: int | None, within: float, kept: int | None
) -> None:
    values = {"keep_days": keep, "texts_per_person": cap, "texts_within_days": within}
    assert days_kept(wired.settings.model_copy(update=values)) == kept


def test_pages_name_the_days_that_are_really_kept(wired: Runtime, open_page: Callable[..., AppTest]) -> None:
    values = {"keep_days": 1, "texts_per_person": 2, "texts_within_days": 9}
    runtime.use(replace(wired, settings=wired.settings.model_copy(update=values)))
    assert "deleted 9 days after a campaign ends" in words(open_page("settings"))
