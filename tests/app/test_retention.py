"""Numbers and texts go by themselves once they are old, and the pages say so."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from app_seeds import started_campaign
from each import each
from page_reading import Open, words
from patience import wait_until

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.errors import LedgerError
from dashboard.jobs.retention import days_kept, forgetting
from dashboard.ledger import Ledger
from dashboard.ledger.team.lists import SavedLists
from dashboard.settings import load_settings


@pytest.fixture
def long_ago(wired: Runtime) -> str:
    """A campaign that was cancelled two days ago."""
    ledger = Ledger(wired.ledger.database, now=lambda: datetime.now(UTC) - timedelta(days=2))
    campaign = started_campaign(ledger, "Spring sale", 3)
    ledger.cancel(campaign)
    return campaign


def test_what_is_too_old_goes_by_itself_and_from_the_sandbox_too(wired: Runtime, long_ago: str) -> None:
    young = started_campaign(wired.ledger, "Young", 1)
    wired.ledger.cancel(young)
    with forgetting(wired.ledger, load_settings()):
        pass
    assert wired.ledger.campaign(long_ago).forgotten_at is None
    asked: list[datetime] = []
    begun = datetime.now(UTC)
    with forgetting(
        wired.ledger, load_settings(keep_days=1), sandbox=lambda before: asked.append(before) or 0
    ):
        wait_until(lambda: bool(asked))
    assert begun <= asked[0] + timedelta(days=1) <= datetime.now(UTC)
    assert wired.ledger.campaign(long_ago).forgotten_at is not None
    assert wired.ledger.messages(long_ago)["to"].eq("").all()
    assert wired.ledger.campaign(young).forgotten_at is None


def test_saved_lists_go_by_themselves_and_those_saved_again_stay(wired: Runtime) -> None:
    sheet = b"Name,Mobile\nAnn,+447400183645\n"
    then = SavedLists(wired.ledger.database, lambda: datetime.now(UTC) - timedelta(days=3))
    old = then.save("Old", io.BytesIO(sheet), source="old.csv", who="ann")
    again = then.save("Again", io.BytesIO(sheet), source="again.csv", who="ann")
    wired.ledger.lists.save("Again", io.BytesIO(sheet), source="again.csv", who="ann", replacing=again)
    with forgetting(wired.ledger, load_settings(keep_lists_days=2)):
        wait_until(lambda: len(wired.ledger.lists.all()) == 1)
    assert wired.ledger.lists.all()["name"].tolist() == ["Again"]
    with pytest.raises(LedgerError):
        wired.ledger.lists.find(old)


def test_a_step_that_fails_holds_nothing_else_up(
    wired: Runtime, long_ago: str, caplog: pytest.LogCaptureFixture
) -> None:
    """That of drafts, say, which go while the dashboard runs."""

    def fail() -> int:
        raise OSError(28, "No space left on device")

    with forgetting(wired.ledger, load_settings(keep_days=1), drafts=fail):
        wait_until(lambda: wired.ledger.campaign(long_ago).forgotten_at is not None)
    assert "tried again in an hour" in caplog.text


@each(
    "keep, cap, within, kept",
    [(None, 2, 7, None), (1, None, 7, 1), (1, 2, 7, 7), (1, 2, 6.5, 7), (30, 2, 7, 30)],
)
def test_nobody_is_forgotten_while_their_texts_are_still_counted(
    keep: int | None, cap: int | None, within: float, kept: int | None
) -> None:
    values = {"keep_days": keep, "texts_per_person": cap, "texts_within_days": within}
    assert days_kept(load_settings().model_copy(update=values)) == kept


def test_the_pages_say_what_is_deleted_and_when(wired: Runtime, long_ago: str, open_page: Open) -> None:
    page = open_page("settings")
    assert "kept for as long as the ledger is" in words(page)
    wired.ledger.forget(before=datetime.now(UTC) - timedelta(days=1))
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"keep_days": 1})))
    said = words(page.run())
    assert "deleted 1 day after a campaign ends" in said
    assert "done for 1 campaign." in said
    assert "Numbers and texts were deleted" in words(open_page("campaign", id=long_ago))
    values = {"keep_days": 1, "texts_per_person": 2, "texts_within_days": 9}
    runtime.use(replace(wired, given=wired.settings.model_copy(update=values)))
    assert "deleted 9 days after a campaign ends" in words(page.run())  # those that are really kept
