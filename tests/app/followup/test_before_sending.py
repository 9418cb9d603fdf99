"""A campaign that was prepared, or waits for its time: started, moved or cancelled on its page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from fixtures_ledger import messages_frame
from page_reading import Open, button, go, words

from dashboard.app.runtime import Runtime
from dashboard.formatting import clocks
from dashboard.ledger import StartedBy

DAY = timedelta(days=1)
IN_THREE_DAYS = datetime.now(UTC).replace(second=0, microsecond=0) + 3 * DAY


def prepared(wired: Runtime, **when: Any) -> str:
    messages = messages_frame(3, "Spring sale")
    return wired.ledger.create_campaign("Spring sale", messages, batch_size=10, **when)


def test_it_says_where_it_stands_and_is_started_after_a_question_unless_something_keeps_it(
    open_page: Open, wired: Runtime
) -> None:
    wired.ledger.distrust()
    campaign = prepared(wired)
    page = open_page("campaign", id=campaign)
    banners = len(page.error)
    assert "Prepared, but not started" in page.info[0].value
    button(page, "Start…").click().run()
    assert "**Spring sale** goes to **3 people**: 3–6 credits" in words(page)
    assert wired.ledger.campaign(campaign).state == "draft"
    page.button(key="confirm-start").click().run()
    assert wired.ledger.campaign(campaign).state == "draft"
    assert len(page.error) > banners
    wired.ledger.acknowledge_missing_opt_outs("Ann")
    button(page, "Start…").click().run()
    button(page, "Not yet").click().run()
    assert wired.ledger.campaign(campaign).state == "draft"
    button(page, "Start…").click().run()
    page.button(key="confirm-start").click().run()
    assert wired.ledger.campaign(campaign).state == "running"
    assert not page.info
    assert "Pause" in {one.label for one in page.button}


def test_one_that_was_cancelled_is_not_started(open_page: Open, wired: Runtime) -> None:
    campaign = prepared(wired)
    page, other = (open_page("campaign", id=campaign) for _tab in range(2))
    button(page, "Start…").click().run()
    button(other, "Cancel…").click().run()
    other.button(key="confirm-cancel").click().run()
    assert wired.ledger.campaign(campaign).state == "cancelled"
    assert "Start…" not in {one.label for one in other.button}
    page.button(key="confirm-start").click().run()
    assert "cannot be started" in page.error[0].value
    assert wired.ledger.campaign(campaign).state == "cancelled"
    page.run()
    assert "cannot be started" in page.error[0].value
    elsewhere = ({"id": prepared(wired)}, {"draft": "a"}, {"step": "people"}, {"step": "message"})
    for view, query in (("campaigns", {}), *(("campaign", one) for one in elsewhere)):
        go(page, view, **query)
        assert not go(page, "campaign", id=campaign).error  # it was left since
        page.session_state[f"refused-start-{campaign}"] = "cannot be started"


def test_the_time_is_moved_to_one_to_come_and_nothing_else(open_page: Open, wired: Runtime) -> None:
    waiting = prepared(wired, scheduled_at=IN_THREE_DAYS)
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
    noon = (field.value + DAY).replace(hour=12, minute=0, tzinfo=ZoneInfo("Europe/Berlin"))
    field.set_value(noon.replace(tzinfo=None))
    page.button(key="confirm-time").click().run()
    after = wired.ledger.campaign(waiting)
    assert after.scheduled_at == noon
    assert (after.state, after.recipients, after.credits_high) == ("scheduled", 3, before.credits_high)


def test_one_that_another_tab_lets_wait_for_its_time_is_not_sent_at_once(
    open_page: Open, wired: Runtime
) -> None:
    waiting = prepared(wired, scheduled_at=IN_THREE_DAYS, start=StartedBy("bob@example.com", above=0))
    pages = [open_page("campaign", id=waiting) for _tab in range(2)]
    for page in pages:
        button(page, "Start…").click().run()
        assert f"When: {clocks(IN_THREE_DAYS, ZoneInfo('Europe/Berlin'))}." in words(page)
    for page in pages:
        page.button(key="confirm-start").click().run()
        assert wired.ledger.campaign(waiting).state == "scheduled"
    assert "has changed since you looked" in words(pages[1])
    button(pages[1], "Send now…").click().run()
    pages[1].button(key="confirm-start").click().run()
    assert wired.ledger.campaign(waiting).state == "running"


def test_it_is_sent_now_and_not_moved_any_more(open_page: Open, wired: Runtime) -> None:
    waiting = prepared(wired, scheduled_at=IN_THREE_DAYS)
    page, other = (open_page("campaign", id=waiting) for _tab in range(2))
    button(other, "Change the time…").click().run()
    button(page, "Send now…").click().run()
    page.button(key="confirm-start").click().run()
    assert wired.ledger.campaign(waiting).state == "running"
    assert "Change the time…" not in {one.label for one in page.button}
    other.button(key="confirm-time").click().run()
    assert wired.ledger.campaign(waiting).state == "running"
    assert "cannot be scheduled" in words(other)
