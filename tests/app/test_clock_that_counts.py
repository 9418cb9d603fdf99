"""The ledger's clock decides about sending, also on pages: on PostgreSQL it may differ from the machine's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from fixtures_ledger import claim, messages_frame, running
from page_reading import Open, button, words
from wizard_steps import ask_to_send

from dashboard.app import actions, runtime
from dashboard.app.draft_store import Drafts
from dashboard.app.drafts import Columns
from dashboard.app.runtime import Runtime
from dashboard.app.timing import held_until
from dashboard.errors import CampaignError
from dashboard.ledger import Ledger
from dashboard.ledger.outbox.settle import Settlement

HOUR = timedelta(hours=1)
LONDON = ZoneInfo("Europe/London")
SHEET = b"Mobile\n+447911123451\n"
READY: dict[str, object] = {"name": "Spring", "template": "Hi!", "columns": Columns(phones=("Mobile",))}


OFF = 3 * HOUR
"""How far the ledger's clock is ahead of the machine's."""


@pytest.fixture
def wired(process: Runtime, tmp_path: Path) -> Iterator[Runtime]:
    """The process with an empty ledger that has another clock."""
    ledger = Ledger.open(tmp_path / "ledger.sqlite", now=lambda: datetime.now(UTC) + OFF)
    fresh = replace(process, ledger=ledger, drafts=Drafts(tmp_path / "drafts"))
    runtime.use(fresh)
    yield fresh
    runtime.use(None)
    ledger.close()


def test_a_time_that_has_passed_is_not_chosen_nor_moved_to(open_draft: Open, wired: Runtime) -> None:
    at = datetime.now(UTC) + OFF / 2
    page = open_draft(SHEET, step=5, **READY, when="later", send_at=at)
    assert "has passed. Choose a new one" in words(page)
    assert "send" not in [one.key for one in page.button]
    with pytest.raises(CampaignError, match="has already passed"):
        held_until(wired.drafts.open_ones("local")[0], wired.now())
    messages, later = messages_frame(1), wired.now() + 9 * HOUR
    own = wired.ledger.create_campaign("Spring", messages, batch_size=1, scheduled_at=later)
    with pytest.raises(CampaignError, match="has already passed"):
        actions.move_campaign(own, at)


def test_a_time_on_peoples_own_clocks_is_on_the_next_day_if_it_has_passed(
    open_draft: Open, wired: Runtime
) -> None:
    at = (datetime.now(UTC) + OFF / 2).replace(second=0, microsecond=0)
    local_at = at.astimezone(LONDON).replace(tzinfo=None)
    page = open_draft(SHEET, step=5, **READY, when="local", local_at=local_at)
    ask_to_send(page)
    messages = wired.ledger.messages(str(page.query_params["id"]))
    next_day = (local_at + timedelta(days=1)).replace(tzinfo=LONDON)
    in_utc = next_day.astimezone(UTC)  # as London's, an hour of a clock change equals no other time
    assert [*messages["scheduled_at"]] == [in_utc]


def test_when_unknown_messages_can_be_sent_again(open_page: Open, wired: Runtime) -> None:
    before = Ledger(wired.ledger.database, now=lambda: datetime.now(UTC) + OFF - HOUR)
    own = running(before, 3)
    got = claim(before, own, before.outbox.register(0))
    before.outbox.settle(got, Settlement("unknown", "unknown"))
    page = open_page("campaign", id=own)
    assert not button(page, "Send them again").disabled
    assert "can be sent again from" not in words(page)
