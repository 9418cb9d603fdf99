"""Step 5: when each person is texted, on whose clock, who waits, and what the ledger is given."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from page_reading import words
from streamlit.testing.v1 import AppTest

from dashboard.app.drafts import Draft, DraftHours
from dashboard.app.runtime import Runtime

NEW_YORK, PHOENIX, LONDON = "+12125550123", "+16025550123", "+447911123451"
SHEET = "\n".join(["Mobile", NEW_YORK, PHOENIX, LONDON]).encode()
PLACES = ("New York", "Phoenix", "London")
BERLIN = ZoneInfo("Europe/Berlin")
ALL_DAY = {"keep_hours": True, "hours": DraftHours(start=time(0), end=time(23, 59))}
Review = Callable[..., AppTest]


@pytest.fixture
def review(open_draft: Callable[..., AppTest]) -> Review:
    return lambda **choices: open_draft(
        SHEET, step=5, name="Spring", template="Hi!", approved={2, 3}, **choices
    )


def local(month: int, day: int, hour: int) -> datetime:
    """A time of next year on nobody's clock in particular."""
    return datetime(datetime.now(UTC).year + 1, month, day, hour, tzinfo=UTC).replace(tzinfo=None)


def draft_of(wired: Runtime) -> Draft:
    return wired.drafts.open_ones("local")[0]


def send(page: AppTest, wired: Runtime) -> dict[str, datetime]:
    """Click through to the campaign; returns when each person is texted as the ledger has it."""
    page.button(key="send").click().run()
    page.button(key="send").click()
    page.button(key="confirm-send").click().run()
    assert not page.exception, page.exception
    messages = wired.ledger.messages(str(page.query_params["id"]))
    return dict(zip(messages["to"], messages["scheduled_at"], strict=True))


@pytest.mark.parametrize(
    ("month", "new_york", "phoenix", "london"),
    [
        pytest.param(1, 15, 17, 10, id="winter", marks=pytest.mark.deep),
        pytest.param(7, 14, 17, 9, id="summer"),
    ],
)
def test_ten_oclock_is_ten_on_each_recipients_clock(
    review: Review, wired: Runtime, month: int, new_york: int, phoenix: int, london: int
) -> None:
    at = local(month, 15, 10)
    page = review(when="local")
    page.datetime_input(key=f"local_at-{draft_of(wired).id}").set_value(at).run()
    assert draft_of(wired).local_at == at
    clocks = next(str(one.value) for one in page.html if "Theirs" in str(one.value))
    theirs = [f"<td>{where}</td><td>{at:%a %d %b %Y, 10:00}</td>" for where in PLACES]
    assert all(each in clocks for each in theirs)
    assert {phone: (at.day, at.hour) for phone, at in send(page, wired).items()} == {
        NEW_YORK: (15, new_york),
        PHOENIX: (15, phoenix),
        LONDON: (15, london),
    }


def test_quiet_hours_hold_a_message_until_they_end(review: Review, wired: Runtime) -> None:
    night = datetime.now(BERLIN).replace(hour=23, minute=0, second=0, microsecond=0) + timedelta(days=1)
    page = review(when="later", send_at=night)
    page.toggle(key=f"keep_hours-{draft_of(wired).id}").set_value(True).run()
    assert not page.exception, page.exception
    times = send(page, wired)
    assert times[LONDON].astimezone(ZoneInfo("Europe/London")).hour == 9
    assert times[NEW_YORK].to_pydatetime() == night  # in the afternoon there


def test_a_country_has_hours_of_its_own(review: Review, wired: Runtime) -> None:
    page = review(when="local", local_at=local(3, 3, 10), **ALL_DAY)
    draft = draft_of(wired)
    page.multiselect(key=f"hour-countries-{draft.id}").set_value(["US"]).run()
    page.time_input(key=f"hours-start-{draft.id}-US").set_value(time(12)).run()
    assert draft_of(wired).country_hours == {"US": DraftHours(start=time(12))}
    assert draft_of(wired).hours == ALL_DAY["hours"]
    times = send(page, wired)
    assert times[NEW_YORK].astimezone(ZoneInfo("America/New_York")).hour == 12
    assert times[LONDON].astimezone(ZoneInfo("Europe/London")).hour == 10


def test_hours_changed_while_the_page_is_busy_are_all_kept(review: Review, wired: Runtime) -> None:
    page = review(keep_hours=True, country_hours={"US": DraftHours(), "GB": DraftHours()})
    draft = draft_of(wired)
    for place in ("", "US", "GB"):  # one answer to all, as when the page was busy meanwhile
        page.time_input(key=f"hours-start-{draft.id}-{place}").set_value(time(11))
        page.time_input(key=f"hours-end-{draft.id}-{place}").set_value(time(13))
    page.run()
    assert draft_of(wired).hours == DraftHours(start=time(11), end=time(13))
    assert draft_of(wired).country_hours == dict.fromkeys(("US", "GB"), draft_of(wired).hours)


def test_hours_that_end_before_they_begin_are_explained(review: Review, wired: Runtime) -> None:
    page = review(keep_hours=True)
    page.time_input(key=f"hours-end-{draft_of(wired).id}-").set_value(time(8)).run()
    assert "begin before they end" in page.error[0].value
    assert "send" not in [one.key for one in page.button]


def test_the_zone_of_numbers_that_tell_none_is_chosen(
    open_draft: Callable[..., AppTest], wired: Runtime
) -> None:
    at_sea = b"Mobile\n+870773111632\n"
    page = open_draft(at_sea, step=5, name="Spring", template="Hi!", when="local", local_at=local(7, 15, 10))
    page.selectbox(key=f"home-{draft_of(wired).id}").set_value("Asia/Tokyo").run()
    assert next(iter(send(page, wired).values())).hour == 1


@pytest.mark.parametrize(
    ("handover", "sentence", "state", "has_times"),
    [
        ("hold", "Everything not yet handed over can be cancelled", "scheduled", False),
        ("service", "can no longer be cancelled", "running", True),
    ],
)
def test_who_waits_is_chosen_and_what_it_means_is_said(
    review: Review, wired: Runtime, handover: str, sentence: str, state: str, *, has_times: bool
) -> None:
    at = (datetime.now(UTC) + timedelta(days=2)).replace(microsecond=0)
    page = review(when="later", send_at=at)
    page.segmented_control(key=f"handover-{draft_of(wired).id}").set_value(handover).run()
    assert sentence in words(page)
    times = send(page, wired)
    assert wired.ledger.campaigns()["state"].tolist() == [state]
    assert [at for at in times.values() if at is not pd.NaT] == ([at] * 3 if has_times else [])


def test_how_long_handing_over_takes(review: Review) -> None:
    assert "1 second at 200 messages per second" in words(review())


@pytest.mark.parametrize(
    ("when", "field"), [("later", "send_at"), pytest.param("local", "local_at", marks=pytest.mark.deep)]
)
def test_an_emptied_time_leaves_the_chosen_one(review: Review, wired: Runtime, when: str, field: str) -> None:
    at = local(3, 3, 10).replace(tzinfo=UTC if when == "later" else None)
    page = review(when=when, **{field: at})
    page.datetime_input(key=f"{field}-{draft_of(wired).id}").set_value(None).run()
    assert not page.exception, page.exception
    assert getattr(draft_of(wired), field) == at
    assert page.datetime_input(key=f"{field}-{draft_of(wired).id}").value is not None
