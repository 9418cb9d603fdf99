"""What the overview shows in the morning: what is coming, what was begun, and nothing that is empty."""

from __future__ import annotations

import io
from datetime import UTC, datetime, time, timedelta
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import pandas as pd
from app_seeds import british, phones, prepared_campaign, sent_campaign, started_campaign
from page_reading import Open, go, words
from streamlit.testing.v1 import AppTest

from dashboard.app.runtime import Runtime
from dashboard.app.standing.coming import Day, calendar, ends
from dashboard.campaigns import Handover, write_messages
from dashboard.ledger import Ledger

BERLIN = ZoneInfo("Europe/Berlin")
SECTIONS = ["Next seven days", "Continue a draft", "Sending now"]


def at_own_times(ledger: Ledger, name: str, times: list[datetime]) -> None:
    """A running campaign of people who are texted at these times, which is where they live their morning."""
    messages = write_messages(british(phones(len(times))), "Hi!", campaign=name)
    at = pd.Series(times, dtype="datetime64[us, UTC]")
    messages = messages.assign(scheduled_at=at, handover=Handover.HOLD.value)
    ledger.start(ledger.create_campaign(name, messages, batch_size=10, price_per_credit="0.045"))


def sections(page: AppTest) -> list[str]:
    return [one.value for one in page.header if one.value in SECTIONS]


def links(page: AppTest) -> list[str]:
    return [one.value for one in page.page_link]


def test_what_starts_in_the_next_seven_days_is_listed_soonest_first(open_page: Open, wired: Runtime) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    for name, days in (("Friday", 4), ("Next month", 30), ("Tomorrow *early*", 1), ("After a week", 8)):
        prepared_campaign(wired.ledger, name, days, scheduled_at=now + timedelta(days=days))
    wired.ledger.cancel(prepared_campaign(wired.ledger, "Cancelled", scheduled_at=now + timedelta(days=2)))
    page = open_page("overview")
    assert sections(page) == ["Next seven days"]
    named = [label for label in links(page) if "Tomorrow" in label or label in {"Friday", "Next month"}]
    assert [label.replace("\\", "") for label in named] == ["Tomorrow *early*", "Friday"]
    said = words(page)
    for days, cost in ((1, "€0.05"), (4, "€0.18")):
        at = (now + timedelta(days=days)).astimezone(BERLIN)
        assert f"{at:%H:%M} · {days} message" in said
        assert cost in said
    assert "4 messages" in said
    assert "8 messages" not in said


def test_the_days_are_those_of_the_clock_that_is_shown(open_page: Open, wired: Runtime) -> None:
    today = datetime.now(BERLIN).date()
    begins = datetime.combine(today + timedelta(days=2), time(), BERLIN)
    prepared_campaign(wired.ledger, "Just before midnight", scheduled_at=begins - timedelta(minutes=1))
    prepared_campaign(wired.ledger, "At midnight", scheduled_at=begins)
    prepared_campaign(wired.ledger, "Too late", scheduled_at=begins + timedelta(days=5))
    page = open_page("overview")
    said = [
        f"{day:%a} {day.day} {day:%b}" for day in (today + timedelta(days=ahead) for ahead in range(2, 7))
    ]
    assert [one.value for one in page.subheader] == ["Today", "Tomorrow", *said]
    by_day = {day.date - today: day for day in shown_days(wired)}
    assert [one.campaign.name for one in by_day[timedelta(days=1)].coming] == ["Just before midnight"]
    assert [one.campaign.name for one in by_day[timedelta(days=2)].coming] == ["At midnight"]
    assert "Too late" not in links(page)
    assert "Times are in Europe/Berlin." in words(page)


def shown_days(wired: Runtime) -> list[Day]:
    now = datetime.now(UTC)
    found = wired.ledger.coming(until=ends(now, BERLIN))
    return calendar(found, wired.ledger.campaigns(), now=now, zone=BERLIN)


def test_people_with_times_of_their_own_are_there_over_the_span_of_these(
    open_page: Open, wired: Runtime
) -> None:
    day = datetime.combine(datetime.now(BERLIN).date() + timedelta(days=3), time(), BERLIN)
    times = [day + timedelta(hours=hours) for hours in (9, 10.5, 18, 24 + 1)]
    at_own_times(wired.ledger, "Where they live", times)
    page = open_page("overview")
    assert links(page).count("Where they live") == 3  # on two days, and under Sending now
    said = words(page)
    assert "09:00 to 18:00 · 3 messages" in said
    assert "01:00 · 1 message" in said
    assert "3 messages · " not in said  # no cost for a part


def test_one_whose_time_has_just_passed_is_there_today(wired: Runtime) -> None:
    then = datetime.now(UTC) - timedelta(days=1)
    before = Ledger(wired.ledger.database, now=lambda: then)
    prepared_campaign(before, "Missed", scheduled_at=then + timedelta(minutes=1))
    assert [len(day.coming) for day in shown_days(wired)] == [1, 0, 0, 0, 0, 0, 0]


def test_more_than_a_day_has_room_for_are_counted(open_page: Open, wired: Runtime) -> None:
    at = datetime.now(UTC) + timedelta(days=2)
    for number in range(6):
        prepared_campaign(wired.ledger, f"Campaign {number}", 1, scheduled_at=at + timedelta(seconds=number))
    page = open_page("overview")
    listed = [label for label in links(page) if label.startswith("Campaign ")]
    assert listed == [f"Campaign {number}" for number in range(4)]
    (more,) = (one for one in page.page_link if one.value == "2 more under Campaigns")
    prepared_campaign(wired.ledger, "Not started")
    listed = go(page, "campaigns", **dict(parse_qsl(more.proto.query_string)))
    assert "6 campaigns" in words(listed), "those that wait for their time"


def test_all_that_needs_attention_can_be_turned_to_on_the_overview(open_page: Open, wired: Runtime) -> None:
    for number in range(6):
        wired.ledger.pause(started_campaign(wired.ledger, f"Campaign {number}", 1), "The key is refused.")
    page, told = open_page("overview"), []
    assert "6 things to look at" in words(page)
    for number in (1, 2):
        page.session_state["attention-page"] = number
        told += [label for label in links(page.run()) if label.startswith("Campaign ")]
    assert sorted(told) == [f"Campaign {number}" for number in range(6)]


def test_open_drafts_lead_to_their_steps_and_nothing_is_drawn_for_what_is_empty(
    open_page: Open, wired: Runtime
) -> None:
    for campaigns in (0, 1):
        if campaigns:
            wired.ledger.pause(sent_campaign(wired.ledger), "Paused by Ann")
        page = open_page("overview")
        assert sections(page) == []
        assert "New campaign" in links(page)
        for owner, name, step in (("local", "Christmas card", 3), ("ann", "Not mine", 2)):
            begun = wired.drafts.begin(owner, "people.csv", io.BytesIO(b"Mobile\n+447400183645\n"))
            wired.drafts.save(begun.model_copy(update={"name": name, "step": step}))
        page.run()
        assert sections(page) == ["Continue a draft"]
        assert "Christmas card" in links(page)
        assert "Not mine" not in links(page)
        assert "Check rows · started" in words(page)
        for draft in wired.drafts.open_ones("local"):
            wired.drafts.discard(draft)


def test_a_chart_without_data_has_no_card(open_page: Open, wired: Runtime) -> None:
    prepared_campaign(wired.ledger, "Tomorrow", scheduled_at=datetime.now(UTC) + timedelta(days=1))
    titles = [one.value for one in open_page("overview").header]
    assert "Cost per campaign" in titles
    assert "When messages get through" not in titles
    sent_campaign(wired.ledger)
    assert "When messages get through" in [one.value for one in open_page("overview").header]
