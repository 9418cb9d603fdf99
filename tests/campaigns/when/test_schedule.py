"""When messages are sent: on every recipient's own clock, in hours for texting, across clock changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns import (
    EVERY_DAY,
    Handover,
    Hours,
    Prices,
    Schedule,
    TextingHours,
    clock_table,
    send_times,
    what_can_be_cancelled,
    write_messages,
)
from dashboard.campaigns.schema import SCHEMAS
from dashboard.campaigns.when.hours import first_allowed, first_within
from dashboard.campaigns.when.schedule import hours_of_each
from dashboard.errors import CampaignError

NEW_YORK, ARIZONA, LORD_HOWE = "+12125550123", "+16025550123", "+61255053123"
LONDON, BERLIN, BRITISH_MOBILE, AUSTRALIAN_MOBILE = (
    "+442079460018",
    "+493012345678",
    "+447400123456",
    "+61412345678",
)
TOLL_FREE = "+18002345678"
NINE = datetime(2027, 1, 15, 9)  # noqa: DTZ001 - on the recipient's clock


def times(schedule: Schedule, now: datetime, *phones: str, countries: object = None) -> list[datetime | None]:
    numbers = pd.Series(phones, dtype="str")
    of_each = pd.Series(countries if countries is not None else [None] * len(phones), dtype="category")
    found, _ = send_times(numbers, of_each, schedule, now=now)
    return [None if pd.isna(at) else at.to_pydatetime() for at in found]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@each(
    "local, phone, expected",
    [
        ("2027-01-15 09:00", NEW_YORK, "2027-01-15 14:00"),
        ("2027-07-15 09:00", NEW_YORK, "2027-07-15 13:00"),
        ("2027-01-15 09:00", ARIZONA, "2027-01-15 16:00"),
        ("2027-07-15 09:00", ARIZONA, "2027-07-15 16:00"),
        ("2027-01-15 09:00", LONDON, "2027-01-15 09:00"),
        ("2027-07-15 09:00", LONDON, "2027-07-15 08:00"),
        ("2027-07-15 09:00", BRITISH_MOBILE, "2027-07-15 08:00"),
        ("2027-03-14 02:30", NEW_YORK, "2027-03-14 07:30"),  # skipped by the clock change: 03:30 there
        ("2027-11-07 01:30", NEW_YORK, "2027-11-07 05:30"),  # twice: the first
    ],
)
def test_a_local_time_follows_daylight_saving(local: str, phone: str, expected: str) -> None:
    at = datetime.fromisoformat(local)
    assert times(Schedule(at), utc("2026-12-01"), phone) == [utc(expected)]


def test_a_number_of_several_zones_waits_for_the_last_of_them() -> None:
    found = times(Schedule(NINE), utc("2026-12-01"), AUSTRALIAN_MOBILE)
    assert found == [utc("2027-01-15 01:00")]  # nine in Perth, noon in Sydney


def test_everybody_in_a_country_with_one_clock_is_texted_by_it() -> None:
    """The zones of +7 reach from Kaliningrad to Anadyr and share no hours: all of Kazakhstan was left out."""
    hours = TextingHours(Hours(time(9), time(20)))
    found = times(
        Schedule(NINE, hours), utc("2026-12-01"), "+77012345678", "+77172123456", countries=["KZ"] * 2
    )
    assert found == [utc("2027-01-15 04:00")] * 2


def test_a_time_already_past_is_on_the_next_day() -> None:
    now = utc("2027-01-15 10:00")  # nine has come in London, not yet in New York
    assert times(Schedule(NINE), now, LONDON, NEW_YORK) == [utc("2027-01-16 09:00"), utc("2027-01-15 14:00")]
    assert times(Schedule(NINE), utc("2027-06-01 10:00"), LONDON) == [utc("2027-06-02 08:00")]
    assert times(Schedule(NINE), utc("2027-01-15 09:00"), LONDON) == [utc("2027-01-16 09:00")], "just past"


def test_one_moment_for_all_waits_where_hours_are_quiet() -> None:
    hours = TextingHours(Hours(time(9), time(20)), {"US": Hours(time(8), time(21))})
    schedule = Schedule(utc("2027-01-15 12:30"), hours)
    found = times(schedule, utc("2027-01-01"), LONDON, NEW_YORK, ARIZONA, countries=["GB", "US", "US"])
    assert found == [utc("2027-01-15 12:30"), utc("2027-01-15 13:00"), utc("2027-01-15 15:00")]


def test_at_once_waits_only_where_hours_are_quiet() -> None:
    found = times(Schedule(hours=TextingHours()), utc("2027-01-15 13:00"), LONDON, ARIZONA)
    assert found == [None, utc("2027-01-15 16:00")]
    for now, at in (("19:59", None), ("20:00", utc("2027-01-16 09:00"))):
        assert times(Schedule(hours=TextingHours()), utc(f"2027-01-15 {now}"), LONDON) == [at]


def test_numbers_without_a_zone_go_by_the_senders() -> None:
    assert times(Schedule(NINE, home="Europe/Berlin"), utc("2026-12-01"), "+80012345678") == [
        utc("2027-01-15 08:00")
    ]


def test_zones_without_common_hours_are_a_problem_of_the_row() -> None:
    people = pd.DataFrame({"phone": [LONDON, TOLL_FREE]})
    schedule = Schedule(datetime(2090, 1, 15, 9), TextingHours(Hours(time(9), time(11))))  # noqa: DTZ001
    messages = write_messages(people, "Hi", campaign="x", schedule=schedule)
    assert messages["problem"].astype("str").fillna("").tolist() == ["", "no_common_hours"]
    assert messages["scheduled_at"].isna().tolist() == [False, True]
    assert messages["credits_high"].tolist() == [1, 0]


@each(
    "schedule, says",
    [
        (Schedule(datetime(2020, 1, 1, tzinfo=UTC)), "already passed"),
        (Schedule(datetime(2020, 1, 1, tzinfo=UTC), TextingHours()), "already passed"),
        (Schedule(NINE, home="Europe/Nowhere"), "no such time zone"),
        (Schedule(NINE, home="America"), "no such time zone"),
        (Schedule(NINE, home=""), "no such time zone"),
    ],
)
def test_what_cannot_be_kept_is_refused(schedule: Schedule, says: str) -> None:
    with pytest.raises(CampaignError, match=says):
        times(schedule, utc("2027-01-01"), LONDON)


@each(
    "make, says",
    [
        (lambda: Hours(time(20), time(9)), "begin before they end"),
        (lambda: Hours(days=frozenset()), "begin before they end"),
        (lambda: Hours(days=frozenset({7})), "begin before they end"),
        (lambda: Hours("09:00", "20:00"), "as times, and days as a set"),  # type: ignore[arg-type]
        (lambda: Hours(9, 20), "as times, and days as a set"),  # type: ignore[arg-type]
        (lambda: Hours(time(9, tzinfo=UTC)), "as times, and days as a set"),
        *(
            (lambda days=days: Hours(days=days), "as times, and days as a set")
            for days in ([0, 1], "weekdays", None)
        ),
        *(  # they were never looked at: people were texted in the hours of all others
            (lambda country=country: TextingHours(by_country={country: Hours()}), "for no country")
            for country in ("gb", "UK", "United Kingdom", "", None, 44)
        ),
        (lambda: TextingHours(by_country={"GB": (9, 20)}), "as Hours"),  # type: ignore[dict-item]
    ],
)
def test_impossible_hours_are_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(CampaignError, match=says):
        make()


@each("country", ["GB", "gb", "UK", "United Kingdom", "Royaume-Uni", "+44"])
def test_a_country_in_a_frame_may_be_written_in_any_way(country: str) -> None:
    people = pd.DataFrame({"phone": [LONDON, TOLL_FREE], "country": [country, "001"]})
    night = {"GB": Hours(time(3), time(3, 1))}
    messages = write_messages(
        people, "From {{ country }}", campaign="x", schedule=Schedule(hours=TextingHours(by_country=night))
    )
    assert messages["country"].tolist() == ["GB", "001"]
    assert messages["scheduled_at"][0].astimezone(ZoneInfo("Europe/London")).hour == 3
    assert messages["body"].tolist() == [f"From {country}", "From 001"]


def test_a_country_that_is_none_is_refused() -> None:
    people = pd.DataFrame({"phone": [LONDON], "country": ["Atlantis"]})
    with pytest.raises(CampaignError, match="1 word is not a country"):
        write_messages(people, "Hi", campaign="x")


def test_both_clocks_are_shown() -> None:
    people = pd.DataFrame({"phone": [NEW_YORK, "+12125550124", AUSTRALIAN_MOBILE, "+80012345678"]})
    schedule = Schedule(datetime(2090, 1, 15, 9), home="Europe/Berlin")  # noqa: DTZ001
    messages = write_messages(people, "Hi", campaign="x", schedule=schedule)
    table = clock_table(messages, ZoneInfo("Europe/Berlin"))
    declared = {c.name: c.dtype for c in SCHEMAS["clock_table(...)"]}
    assert {str(name): str(dtype) for name, dtype in table.dtypes.items()} == declared
    assert table["messages"].tolist() == [1, 1, 2]
    assert table["yours"].tolist() == [
        "Sun 15 Jan 2090, 02:00",
        "Sun 15 Jan 2090, 09:00",
        "Sun 15 Jan 2090, 15:00",
    ]
    assert table["theirs"].fillna("").tolist() == [
        "Sun 15 Jan 2090, 09:00 to 12:00",
        "",
        "Sun 15 Jan 2090, 09:00",
    ]
    assert table["zones"].iloc[2] == "America/New_York"


def test_messages_sent_at_once_have_no_clocks() -> None:
    messages = write_messages(pd.DataFrame({"phone": [NEW_YORK]}), "Hi", campaign="x")
    assert clock_table(messages, ZoneInfo("UTC")).empty


@each("handover, says", [(Handover.HOLD, "can be cancelled"), (Handover.SERVICE, "no longer")])
def test_who_waits_is_the_users_choice_and_what_can_be_cancelled_is_said(
    handover: Handover, says: str
) -> None:
    schedule = Schedule(datetime(2090, 1, 15, 9), handover=handover)  # noqa: DTZ001
    messages = write_messages(pd.DataFrame({"phone": [NEW_YORK]}), "Hi", campaign="x", schedule=schedule)
    assert messages["handover"].tolist() == [handover] * len(messages)
    assert says in what_can_be_cancelled(handover)


zone_names = st.sampled_from(
    [
        *["America/New_York", "America/Phoenix", "Australia/Lord_Howe", "Europe/London", "Asia/Kolkata"],
        *["America/St_Johns", "Africa/Casablanca", "Pacific/Chatham", "Pacific/Apia", "America/Santiago"],
    ]
)
moments = st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1)).map(  # noqa: DTZ001
    lambda at: at.replace(microsecond=0, tzinfo=UTC)
)
quarters = st.integers(4 * 4, 24 * 4 - 1)
windows = st.tuples(quarters, quarters, st.sets(st.integers(0, 6), min_size=1)).map(
    lambda w: Hours(
        time(*divmod(15 * min(w[:2]), 60)),
        time(*divmod((15 * max(w[:2]) + 15) % (24 * 60), 60)),
        frozenset(w[2]),
    )
)


@given(moments, st.lists(zone_names, min_size=1, max_size=3, unique=True), windows)
def test_the_first_allowed_moment_is_what_a_search_in_steps_finds(
    moment: datetime, names: list[str], hours: Hours
) -> None:
    zones = [ZoneInfo(name) for name in names]

    def allowed(at: datetime) -> bool:
        return all(hours.include(at.astimezone(zone)) for zone in zones)

    found = first_allowed(moment, zones, hours)
    quarter = moment.replace(minute=moment.minute // 15 * 15, second=0)
    steps = [moment, *(quarter + timedelta(minutes=15 * step) for step in range(1, 8 * 96))]
    assert found == next((at for at in steps if allowed(at)), None)


@given(
    st.datetimes(datetime(2027, 1, 1), datetime(2028, 1, 1)),  # noqa: DTZ001
    moments,
    st.lists(st.sampled_from([NEW_YORK, ARIZONA, LORD_HOWE, LONDON, BERLIN, BRITISH_MOBILE]), min_size=1),
    st.booleans(),
)
def test_local_times_are_in_the_future_on_the_hour_asked_for_and_never_in_quiet_hours(
    local: datetime, now: datetime, phones: list[str], quiet: bool
) -> None:
    zone_of = {
        NEW_YORK: "America/New_York",
        ARIZONA: "America/Phoenix",
        LORD_HOWE: "Australia/Lord_Howe",
        LONDON: "Europe/London",
        BERLIN: "Europe/Berlin",
        BRITISH_MOBILE: "Europe/London",
    }
    hours = TextingHours() if quiet else None
    for phone, at in zip(phones, times(Schedule(local, hours), now, *phones), strict=True):
        assert at is not None
        clock = at.astimezone(ZoneInfo(zone_of[phone]))
        assert at > now
        assert clock.replace(tzinfo=None) >= local.replace(microsecond=0)
        assert not quiet or Hours(days=EVERY_DAY).include(clock)
        slack = timedelta(hours=1 + 13 * quiet)  # a clock change, and the night
        wait = clock.replace(tzinfo=None) - max(local, now.astimezone(clock.tzinfo).replace(tzinfo=None))
        assert wait <= timedelta(days=1) + slack


@given(
    st.sampled_from([NEW_YORK, ARIZONA, LORD_HOWE, LONDON, BRITISH_MOBILE, AUSTRALIAN_MOBILE, TOLL_FREE]),
    st.integers(0, 21),
    st.integers(1, 12),
    st.frozensets(st.integers(0, 6), min_size=1),
    st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1)),  # noqa: DTZ001 - becomes UTC
)
def test_hours_that_a_message_carries_say_when_it_may_go(
    phone: str, start: int, length: int, days: frozenset[int], now: datetime
) -> None:
    now = now.replace(microsecond=0, tzinfo=UTC)
    end = time(start + length, 30) if start + length < 24 else time(0)
    schedule = Schedule(hours=TextingHours(Hours(time(start), end, days)))
    numbers, of_each = pd.Series([phone], dtype="str"), pd.Series([None], dtype="category")
    (text,) = hours_of_each(numbers, of_each, schedule)
    (at,), (impossible,) = send_times(numbers, of_each, schedule, now=now)
    assert first_within(now, text) == (None if impossible else now if pd.isna(at) else at)


def test_hours_and_prices_stay_as_they_were_checked() -> None:
    given = {"FR": Hours(time(10), time(12))}
    hours, prices = TextingHours(by_country=given), Prices({"GB": Decimal("0.05")}, None)
    given["gb"] = Hours()
    assert hours.by_country == {"FR": Hours(time(10), time(12))}
    assert Hours(days={5, 6}) == Hours(days=frozenset({6, 5}))  # type: ignore[arg-type]
    for mapping in (hours.by_country, prices.by_country):
        with pytest.raises(TypeError):
            mapping["gb"] = Hours()  # type: ignore[index]
