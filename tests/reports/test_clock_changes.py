"""The days on which clocks change: an hour comes twice, or not at all, and time goes on all the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pandas as pd
from campaign_frames import SENT, campaigns, messages
from each import each
from tiers import draws

from dashboard.app.downloads.tables import worded
from dashboard.app.standing.period import first_day, period
from dashboard.reports import delivered_by_hour, figures, recipients, status_over_time
from dashboard.reports.figures.times import time_axis
from dashboard.reports.tables.one_campaign.campaign import campaign_facts

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "America/Havana")
HOUR = timedelta(hours=1)


def changes(zone: str) -> Iterator[datetime]:
    """When the clock was set in the year 2025, of which every version of the database knows all."""
    clock, at = ZoneInfo(zone), datetime(2025, 1, 1, tzinfo=UTC)
    while (at := at + timedelta(minutes=30)).year == 2025:
        if at.astimezone(clock).utcoffset() != (at - timedelta(minutes=30)).astimezone(clock).utcoffset():
            yield at


def cases(step: int = 1) -> Iterator[tuple[str, datetime, timedelta]]:
    """Each `step`-th span of time around a change of a clock: zone, begin, length."""
    spans = (
        (-timedelta(seconds=4), timedelta(seconds=9)),
        (-timedelta(minutes=11), timedelta(minutes=25)),
        (-HOUR, 2 * HOUR),
        (timedelta(minutes=-50), timedelta(minutes=40)),
        (timedelta(minutes=10), timedelta(minutes=45)),
        (-3 * HOUR, 7 * HOUR),
        (-10 * HOUR, 23 * HOUR),
        (-30 * HOUR, timedelta(days=3)),
        (-timedelta(days=100), timedelta(days=330)),
    )
    every = (
        (zone, change + after, lasts) for zone in ZONES for change in changes(zone) for after, lasts in spans
    )
    return islice(every, 2, None, step)


def sent_between(first: datetime, lasts: timedelta) -> pd.DataFrame:
    times = pd.date_range(first, first + lasts, periods=40).as_unit("us")
    return messages(*({**SENT, "sent_at": at, "handed_over_at": at, "failed_at": None} for at in times))


@each("zone, first, lasts", cases())
def test_time_goes_on_along_an_axis_that_says_what_the_clock_shows(
    zone: str, first: datetime, lasts: timedelta
) -> None:
    real = pd.Series(pd.date_range(first, first + lasts, periods=60)).dt.as_unit("us")
    x, axis = time_axis(real, zone)
    assert x.diff().tolist()[1:] == real.diff().tolist()[1:]
    ticks = [real[0] + (at - x[0]) for at in axis["tickvals"]]
    assert 1 <= len(ticks) <= 5
    assert sorted(set(ticks)) == ticks
    assert real.iloc[0] <= ticks[0]
    assert ticks[-1] <= real.iloc[-1]
    for tick, text in zip(ticks, axis["ticktext"], strict=True):
        local = tick.to_pydatetime().astimezone(ZoneInfo(zone))
        if ":" in text:
            assert text.startswith(f"{local:%H:%M:%S}" if text.count(":") > 1 else f"{local:%H:%M}")
        else:
            assert (local.hour, local.minute) == (0, 0)
            assert text.startswith(f"{local.day} ")
    assert axis["title"] == {"text": zone}


@each("zone, first, lasts", cases(step=2 if draws(10, first=3) > 3 else 30))
def test_no_line_of_a_chart_goes_back(zone: str, first: datetime, lasts: timedelta) -> None:
    frame = sent_between(first, lasts)
    real = status_over_time(frame)["time"]
    for trace in figures.status_over_time(frame, tz=zone).data:
        assert pd.Series(pd.to_datetime(trace.x)).diff().tolist()[1:] == real.diff().tolist()[1:]


def test_the_hour_that_comes_twice_is_on_the_axis_twice() -> None:
    shown = figures.status_over_time(
        sent_between(datetime(2026, 10, 24, 23, tzinfo=UTC), 3 * HOUR), tz="Europe/Berlin"
    )
    assert [text[:5] for text in shown.layout.xaxis.ticktext] == ["01:00", "02:00", "02:00", "03:00"]
    assert "(UTC+02:00)" in shown.layout.xaxis.hoverformat


@each("zone, first, lasts", cases(step=4 if draws(10, first=3) > 3 else 30))
def test_tables_and_sums_have_every_message_of_such_a_day(
    zone: str, first: datetime, lasts: timedelta
) -> None:
    frame = sent_between(first, lasts)
    clock = ZoneInfo(zone)
    table = recipients(frame, tz=zone)
    assert (table["sent_at"] == frame["sent_at"].dt.floor("s")).all()
    assert str(table["sent_at"].dt.tz) == zone
    assert (worded(frame, {"sent_at": "Sent"}, zone)["Sent"] == table["sent_at"]).all()
    hours = delivered_by_hour(frame, tz=zone).set_index(["weekday", "hour"])["messages"]
    local = [at.to_pydatetime().astimezone(clock) for at in frame["handed_over_at"].dt.floor("15min")]
    expected = pd.Series([f"{at:%a %H}" for at in local]).value_counts()
    assert {f"{day} {hour:02d}": n for (day, hour), n in hours.items()} == expected.to_dict()
    facts = campaign_facts(campaigns({"started_at": first, "created_at": first}), messages=frame, tz=zone)
    assert len(facts)
    if lasts < timedelta(days=5):
        now = first + lasts
        daily = period(frame.assign(stage="sent", messages=1), days=7, now=now, zone=clock).daily
        days = pd.Series([at.astimezone(clock).date() for at in frame["handed_over_at"]]).value_counts()
        assert daily["accepted"][daily["accepted"] > 0].to_dict() == days.to_dict()


def test_a_day_whose_midnight_comes_twice_begins_with_the_first() -> None:
    now = datetime(2026, 11, 1, 5, 30, tzinfo=UTC)  # half past midnight in Havana, for the second time
    begins = first_day(1, now, ZoneInfo("America/Havana"))
    assert begins.astimezone(UTC) == datetime(2026, 11, 1, 4, tzinfo=UTC)
