"""Who may be texted at night: by every clock that a number may have, and by when its turn comes."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pandas as pd
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.campaigns.when.night import at_night

LONDON, NEW_YORK, RUSSIA = "+447400183645", "+12125550123", "+79161234567"
INMARSAT = "+870773111632"
HOME = ZoneInfo("Europe/London")


def messages(*rows: tuple[str, datetime | None], problem: str | None = None) -> pd.DataFrame:
    times = pd.Series([at for _to, at in rows], dtype="datetime64[us, UTC]")
    to = pd.Series([to for to, _at in rows], dtype="str")
    problems = pd.Series([problem] * len(rows), dtype="str")
    return pd.DataFrame({"to": to, "scheduled_at": times, "problem": problems})


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 1, 20, hour, minute, tzinfo=UTC)


@each(
    "to, when, people",
    [
        (LONDON, at(8), 0),
        (LONDON, at(7, 59), 1),
        (LONDON, at(20, 59), 0),
        (LONDON, at(21), 1),
        (LONDON, at(2), 1),
        (NEW_YORK, at(12, 59), 1),
        (NEW_YORK, at(13), 0),
        (NEW_YORK, at(1, 59), 0),
        (RUSSIA, at(8, 59), 0),
        (RUSSIA, at(9), 1),  # in Moscow it is noon, and in Kamchatka nine in the evening
        (INMARSAT, at(12), 0),
        (INMARSAT, at(23), 1),
    ],
)
def test_each_persons_own_clock_counts(to: str, when: datetime, people: int) -> None:
    one = messages((to, None))
    assert at_night(one, HOME, per_second=0, now=when) == people
    assert at_night(one, HOME, per_second=0, held=when, now=at(12)) == people
    assert at_night(messages((to, when)), HOME, per_second=0, now=at(12)) == people


def test_of_a_long_campaign_only_those_count_whose_turn_comes_late() -> None:
    many = messages(*[(LONDON, None)] * 600)
    assert at_night(many, HOME, per_second=1, now=at(20, 55)) == 300
    assert at_night(many, HOME, per_second=0, now=at(20, 55)) == 0
    assert at_night(many, HOME, per_second=1, held=at(7, 55), now=at(12)) == 300


def test_messages_that_are_not_sent_do_not_count() -> None:
    assert at_night(messages((LONDON, at(2)), problem="too long"), HOME, per_second=1, now=at(2)) == 0
    assert at_night(messages(), HOME, per_second=1, now=at(2)) == 0


@settings(max_examples=draws(100, 6))
@given(
    st.lists(
        st.tuples(st.sampled_from([LONDON, NEW_YORK]), st.none() | st.integers(0, 23).map(at)), max_size=20
    ),
    st.integers(0, 23),
)
def test_it_is_the_sum_over_single_people(rows: list[tuple[str, datetime | None]], hour: int) -> None:
    singly = [at_night(messages(row), HOME, per_second=0, now=at(hour)) for row in rows]
    assert at_night(messages(*rows), HOME, per_second=0, now=at(hour)) == sum(singly)
