"""A campaign that waits for its time: moved, or sent now, and never what cannot be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from fixtures_ledger import messages_frame
from page_reading import button, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime

Open = Callable[..., AppTest]
DAY = timedelta(days=1)
AT = datetime.now(UTC).replace(second=0, microsecond=0) + 3 * DAY


@pytest.fixture
def waiting(wired: Runtime) -> str:
    """A campaign that starts by itself in three days."""
    messages = messages_frame(3, "Spring sale")
    return wired.ledger.create_campaign("Spring sale", messages, batch_size=10, scheduled_at=AT)


def test_the_time_is_moved_to_one_to_come_and_nothing_else(
    open_page: Open, wired: Runtime, waiting: str
) -> None:
    before = wired.ledger.campaign(waiting)
    page = open_page("campaign", id=waiting)
    button(page, "Change the time…").click().run()
    (field,) = page.get("datetime_input")
    field.set_value((datetime.now(UTC) - DAY).replace(tzinfo=None))
    page.button(key="confirm-time").click().run()
    assert "has already passed. Choose a later one" in words(page)
    assert wired.ledger.campaign(waiting) == before
    button(page, "Change the time…").click().run()
    (field,) = page.get("datetime_input")
    field.set_value(field.value + DAY)
    page.button(key="confirm-time").click().run()
    assert not page.exception
    after = wired.ledger.campaign(waiting)
    assert after.scheduled_at == AT + DAY
    assert (after.state, after.recipients, after.credits_high) == ("scheduled", 3, before.credits_high)


def test_it_is_sent_now_and_not_moved_any_more(open_page: Open, wired: Runtime, waiting: str) -> None:
    page, other = (open_page("campaign", id=waiting) for _tab in range(2))
    button(other, "Change the time…").click().run()
    button(page, "Send now…").click().run()
    page.button(key="confirm-start").click().run()
    assert not page.exception
    assert wired.ledger.campaign(waiting).state == "running"
    assert "Change the time…" not in {one.label for one in page.button}
    other.button(key="confirm-time").click().run()
    assert wired.ledger.campaign(waiting).state == "running"
    assert "cannot be scheduled" in words(other)
