"""Numbers and texts go by themselves once they are old, and the pages say so."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from app_seeds import started_campaign
from page_reading import words
from patience import wait_until
from streamlit.testing.v1 import AppTest

from dashboard.app import runtime
from dashboard.app.runtime import Runtime
from dashboard.errors import LedgerError
from dashboard.jobs.retention import days_kept, forgetting
from dashboard.ledger import Ledger
from dashboard.ledger.lists import SavedLists
from dashboard.sandbox import Sandbox
from dashboard.service import OutgoingMessage, SmsService
from dashboard.settings import load_settings


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
    with forgetting(wired.ledger, load_settings()):
        pass
    assert wired.ledger.campaign(long_ago).forgotten_at is None
    with forgetting(wired.ledger, load_settings(keep_days=1)):
        wait_until(lambda: wired.ledger.campaign(long_ago).forgotten_at is not None)
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


def test_drafts_go_while_the_dashboard_runs(wired: Runtime) -> None:
    swept = []
    with forgetting(wired.ledger, load_settings(), drafts=lambda: swept.append(1) or 1):
        wait_until(lambda: bool(swept))


def test_the_sandbox_forgets_what_the_ledger_forgets(wired: Runtime, tmp_path: Path) -> None:
    with Sandbox.start(tmp_path) as sandbox, SmsService(sandbox.base_url, sandbox.api_key) as service:
        sandbox.change(send_delay_s=[0, 0], delivery_delay_s=[0, 0])
        service.send_bulk([OutgoingMessage(to="+447400183645", body="Hi Ann", uuid=str(uuid4()))])
        sandbox.wait_until_final()
        ahead = Ledger(wired.ledger.database, now=lambda: datetime.now(UTC) + timedelta(days=3))
        with forgetting(ahead, load_settings(keep_days=2), sandbox=sandbox.forget):
            wait_until(lambda: b"Hi Ann" not in sandbox.reports())


def test_a_step_that_fails_holds_nothing_else_up(
    wired: Runtime, long_ago: str, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> int:
        raise OSError(28, "No space left on device")

    with forgetting(wired.ledger, load_settings(keep_days=1), drafts=fail):
        wait_until(lambda: wired.ledger.campaign(long_ago).forgotten_at is not None)
    assert "in an hour instead" in caplog.text


def test_the_pages_say_what_is_deleted_and_when(
    wired: Runtime, long_ago: str, open_page: Callable[..., AppTest]
) -> None:
    assert "kept for as long as the ledger is" in words(open_page("settings"))
    wired.ledger.forget(before=datetime.now(UTC) - timedelta(days=1))
    runtime.use(replace(wired, given=wired.settings.model_copy(update={"keep_days": 1})))
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
    runtime.use(replace(wired, given=wired.settings.model_copy(update=values)))
    assert "deleted 9 days after a campaign ends" in words(open_page("settings"))
