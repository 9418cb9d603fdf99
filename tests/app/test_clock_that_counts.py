"""The ledger's clock decides about sending, also on pages: on PostgreSQL it may differ from the machine's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fixtures_ledger import claim, messages_frame, running
from page_reading import words
from streamlit.testing.v1 import AppTest

from dashboard.app import actions, runtime
from dashboard.app.drafts import Columns, Draft, Drafts
from dashboard.app.runtime import Runtime
from dashboard.app.timing import held_until
from dashboard.errors import CampaignError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

Open = Callable[..., AppTest]
HOUR = timedelta(hours=1)
LONDON = ZoneInfo("Europe/London")
SHEET = b"Mobile\n+447911123451\n"
READY: dict[str, object] = {"name": "Spring", "template": "Hi!", "columns": Columns(phones=("Mobile",))}


@pytest.fixture(params=[3, -3], ids=["ahead", "behind"])
def off(request: pytest.FixtureRequest) -> timedelta:
    """How far the ledger's clock is ahead of the machine's."""
    return int(request.param) * HOUR


@dataclass
class Clock:
    off: timedelta

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.off


@pytest.fixture
def clock(off: timedelta) -> Clock:
    """The ledger's."""
    return Clock(off)


@pytest.fixture
def wired(process: Runtime, tmp_path: Path, clock: Clock) -> Iterator[Runtime]:
    """The process with an empty ledger that has another clock."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite", now=clock)
    fresh = replace(process, ledger=ledger, drafts=Drafts(tmp_path / "drafts"))
    runtime.use(fresh)
    yield fresh
    runtime.use(None)
    ledger.close()


def draft_of(wired: Runtime) -> Draft:
    return wired.drafts.open_ones("local")[0]


def test_whether_a_chosen_time_has_passed(open_draft: Open, wired: Runtime, off: timedelta) -> None:
    at = datetime.now(UTC) + off / 2
    page = open_draft(SHEET, step=5, **READY, when="later", send_at=at)
    is_past = off > timedelta()
    assert ("has passed. Choose a new one" in words(page)) == is_past
    assert ("send" in [one.key for one in page.button]) == (not is_past)
    if is_past:
        with pytest.raises(CampaignError, match="has already passed"):
            held_until(draft_of(wired), wired.now())


def test_a_time_on_peoples_own_clocks_is_on_the_next_day_if_it_has_passed(
    open_draft: Open, wired: Runtime, off: timedelta
) -> None:
    at = (datetime.now(UTC) + off / 2).replace(second=0, microsecond=0)
    local_at = at.astimezone(LONDON).replace(tzinfo=None)
    page = open_draft(SHEET, step=5, **READY, when="local", local_at=local_at)
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert not page.exception, page.exception
    messages = wired.ledger.messages(str(page.query_params["id"]))
    assert [*messages["scheduled_at"]] == [at + timedelta(days=off > timedelta())]


def test_a_campaign_is_not_moved_to_a_time_that_has_passed(wired: Runtime, off: timedelta) -> None:
    own = wired.ledger.create_campaign(
        "Spring", messages_frame(1), batch_size=1, scheduled_at=wired.now() + 9 * HOUR
    )
    if off > timedelta():
        with pytest.raises(CampaignError, match="has already passed"):
            actions.move_campaign(own, datetime.now(UTC) + off / 2)
    else:
        actions.move_campaign(own, datetime.now(UTC) + off / 2)


def test_when_unknown_messages_can_be_sent_again(open_page: Open, wired: Runtime, clock: Clock) -> None:
    own = running(wired.ledger, 3)
    got = claim(wired.ledger, own, wired.ledger.outbox.register(0))
    wired.ledger.outbox.settle(got, Settlement("unknown", "unknown"))
    for waits in (True, False):
        page = open_page("campaign", id=own)
        again = next(one for one in page.button if str(one.key).startswith("ready-"))
        assert (again.disabled, "still be on its way" in words(page)) == (waits, waits)
        clock.off += HOUR
