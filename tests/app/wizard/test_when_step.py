"""Step 5: when each person is texted, on whose clock, who waits, and what the ledger is given."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from app_seeds import started_campaign
from page_reading import Open, button, words
from wizard_steps import draft_of, started, stored

from dashboard.app import drafting
from dashboard.app.drafts import Draft, DraftHours
from dashboard.app.runtime import Runtime

NEW_YORK, PHOENIX, LONDON = "+12125550123", "+16025550123", "+447911123451"
BERLIN = ZoneInfo("Europe/Berlin")
SHEET = "\n".join(["Mobile", NEW_YORK, PHOENIX, LONDON]).encode()
PLACES = ("New York", "Phoenix", "Guernsey")
ALL_DAY = {"keep_hours": True, "hours": DraftHours(start=time(0), end=time(0))}


@pytest.fixture
def review(open_draft: Open) -> Open:
    return lambda sheet=SHEET, **choices: open_draft(
        sheet, step=5, name="Spring", template="Hi!", approved={2, 3}, **choices
    )


def local(month: int, day: int, hour: int) -> datetime:
    """A time of next year, by the page's clock, on nobody's clock in particular."""
    return datetime(datetime.now(BERLIN).year + 1, month, day, hour, tzinfo=UTC).replace(tzinfo=None)


def times(wired: Runtime) -> dict[str, datetime]:
    """When each person is texted, as the ledger has it once the draft was sent."""
    messages = wired.ledger.messages(started(draft_of(wired)))
    return dict(zip(messages["to"], messages["scheduled_at"], strict=True))


def test_ten_oclock_is_ten_on_each_recipients_clock(review: Open, wired: Runtime) -> None:
    at = local(7, 15, 10)
    page = review(when="local")
    page.datetime_input(key=f"local_at-{draft_of(wired).id}").set_value(at).run()
    assert draft_of(wired).local_at == at
    clocks = next(str(one.value) for one in page.html if "Theirs" in str(one.value))
    theirs = [f"<td>{where}</td><td>{at:%a %d %b %Y, 10:00}</td>" for where in PLACES]
    assert all(each in clocks for each in theirs)
    assert {phone: (at.day, at.hour) for phone, at in times(wired).items()} == {
        NEW_YORK: (15, 14),
        PHOENIX: (15, 17),
        LONDON: (15, 9),
    }


def test_quiet_hours_hold_a_message_until_they_end(review: Open, wired: Runtime) -> None:
    tomorrow = datetime.now(BERLIN) + timedelta(days=1)
    night = tomorrow.replace(hour=23, minute=0, second=0, microsecond=0)
    page = review(when="later", send_at=night)
    page.toggle(key=f"keep_hours-{draft_of(wired).id}").set_value(True).run()
    held = times(wired)
    assert held[LONDON].astimezone(ZoneInfo("Europe/London")).hour == 9
    assert held[NEW_YORK] == night  # in the afternoon there


def test_who_would_be_texted_at_night_is_counted_and_spared_by_one_click(
    review: Open, wired: Runtime
) -> None:
    page = review(when="later", send_at=local(1, 15, 3).replace(tzinfo=ZoneInfo("Europe/London")))
    warned = "2 people may get this at night: after 21:00 or before 08:00 where they live."
    assert warned in [one.value for one in page.warning]
    button(page, "Keep quiet hours").click().run()
    assert warned not in [one.value for one in page.warning]
    assert page.toggle(key=f"keep_hours-{draft_of(wired).id}").value
    assert times(wired)[LONDON].astimezone(ZoneInfo("Europe/London")).hour == 9


def test_a_country_has_hours_of_its_own(review: Open, wired: Runtime) -> None:
    page = review(when="local", local_at=local(3, 3, 10), **ALL_DAY)
    draft = draft_of(wired)
    page.multiselect(key=f"hour-countries-{draft.id}").set_value(["US"]).run()
    page.time_input(key=f"hours-start-{draft.id}-US").set_value(time(12)).run()
    assert draft_of(wired).country_hours == {"US": DraftHours(start=time(12))}
    assert draft_of(wired).hours == ALL_DAY["hours"]
    held = times(wired)
    assert held[NEW_YORK].astimezone(ZoneInfo("America/New_York")).hour == 12
    assert held[LONDON].astimezone(ZoneInfo("Europe/London")).hour == 10


def test_hours_changed_while_the_page_is_busy_are_all_kept(review: Open, wired: Runtime) -> None:
    page = review(keep_hours=True, country_hours={"US": DraftHours(), "GB": DraftHours()})
    draft = draft_of(wired)
    for place in ("", "US", "GB"):  # one answer to all, as when the page was busy meanwhile
        page.time_input(key=f"hours-start-{draft.id}-{place}").set_value(time(11))
        page.time_input(key=f"hours-end-{draft.id}-{place}").set_value(time(13))
    page.run()
    assert draft_of(wired).hours == DraftHours(start=time(11), end=time(13))
    assert draft_of(wired).country_hours == dict.fromkeys(("US", "GB"), draft_of(wired).hours)
    page.time_input(key=f"hours-end-{draft.id}-").set_value(time(8)).run()
    assert "begin before they end" in page.error[0].value
    assert "send" not in [one.key for one in page.button]


def test_the_zone_of_numbers_that_tell_none_is_chosen(review: Open, wired: Runtime) -> None:
    page = review(b"Mobile\n+870773111632\n", when="local", local_at=local(7, 15, 10))
    page.selectbox(key=f"home-{draft_of(wired).id}").set_value("Asia/Tokyo").run()
    assert [at.hour for at in times(wired).values()] == [1]


def test_who_waits_is_chosen_and_what_it_means_is_said(
    review: Open, save_draft: Callable[..., Draft], wired: Runtime
) -> None:
    page = review()
    assert "1 second at 200 messages per second" in words(page)
    draft, at = draft_of(wired), (datetime.now(UTC) + timedelta(days=2)).replace(microsecond=0)
    page.segmented_control(key=f"when-{draft.id}").set_value("later").run()
    assert "Schedule 3 messages" in [one.label for one in page.button]
    assert "UTC" in words(page)
    wired.drafts.change(draft.id, "local", send_at=at)
    for handover, sentence, state, texted in (
        ("service", "can no longer be cancelled", "running", [at] * 3),
        ("hold", "Everything not yet handed over can be cancelled", "scheduled", [pd.NaT] * 3),
    ):
        page.segmented_control(key=f"handover-{draft.id}").set_value(handover).run()
        assert sentence in words(page)
        choices = {"when": "later", "send_at": at, "handover": stored(wired, draft).handover}
        campaign = started(save_draft(SHEET, name=handover, template="Hi!", approved={2, 3}, **choices))
        assert wired.ledger.campaign(campaign).state == state
        assert wired.ledger.messages(campaign)["scheduled_at"].tolist() == texted


def test_an_emptied_time_leaves_the_chosen_one(review: Open, wired: Runtime) -> None:
    at = local(3, 3, 10).replace(tzinfo=UTC)
    page = review(when="later", send_at=at)
    page.datetime_input(key=f"send_at-{draft_of(wired).id}").set_value(None).run()
    assert draft_of(wired).send_at == at
    assert page.datetime_input(key=f"send_at-{draft_of(wired).id}").value is not None


def test_a_new_campaign_keeps_the_usual_quiet_hours_however_it_begins(wired: Runtime) -> None:
    ledger, content = wired.ledger, io.BytesIO(SHEET)
    saved = ledger.lists.save("Staff", content, source="staff.csv", who="local", choices={"country": "GB"})
    earlier = started_campaign(ledger, "Spring", 3)
    ways = (
        lambda: drafting.begin_draft("staff.csv", content),
        lambda: drafting.use_list(saved),
        lambda: drafting.use_texts(earlier),
    )
    assert not any(begin().keep_hours for begin in ways)
    hours = {"texting_hours": "08:00-18:30 Mon,Fri"}
    ledger.settings.change(hours, who="ann@example.com", given=wired.given)
    for begin in ways:
        draft = stored(wired, begin())
        assert draft.keep_hours
        assert (draft.hours.start, draft.hours.end, draft.hours.days) == (time(8), time(18, 30), {0, 4})
