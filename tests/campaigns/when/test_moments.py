"""What is clear is taken for the moment that it says; what is not is refused, and never quoted."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pandas as pd
import pytest
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.campaigns.when.moments import moment, month_of
from dashboard.errors import CampaignError, DashboardError, OptionError

DAYS = st.dates(date(1700, 1, 1), date(2250, 12, 31))


@given(DAYS)
def test_a_day_however_written_is_its_first_moment_in_utc(day: date) -> None:
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    for written in (day, day.isoformat(), pd.Period(day.isoformat(), "D"), midnight.isoformat(), midnight):
        assert moment("since", written) == midnight


@given(DAYS)
def test_a_month_or_a_year_is_its_first_moment_in_utc(day: date) -> None:
    year = datetime(day.year, 1, 1, tzinfo=UTC)
    month = year.replace(month=day.month)
    for written in (f"{day:%Y-%m}", pd.Period(f"{day:%Y-%m}", "M")):
        assert moment("since", written) == month
    assert moment("since", str(day.year)) == moment("since", pd.Period(str(day.year), "Y")) == year


@given(st.datetimes(timezones=st.just(timezone(timedelta(hours=5, minutes=45)))))
def test_an_aware_time_stays_the_same_moment(at: datetime) -> None:
    assert moment("since", at) == moment("since", at.isoformat()) == at


@given(st.text())
def test_any_other_text_is_refused_and_not_quoted(text: str) -> None:
    try:
        found = moment("until", text)
    except DashboardError as error:
        assert len(text) < 4 or text not in str(error)  # noqa: PT017 - some texts are times
    else:
        assert found.utcoffset() is not None


@each("text", ["yesterday", "2026-13", "2026-02-30", "10/2026", "26-10", "", "+447400123456"])
def test_a_text_that_is_no_time_is_answered_with_how_to_write_one(text: str) -> None:
    with pytest.raises(OptionError, match=r"^since is not a time\. Write a month such as 2026-10, a day"):
        moment("since", text)


@each("naive", [datetime(2026, 10, 1), "2026-10-01T09:00", "2026-10-01 09:00:00"])  # noqa: DTZ001
def test_a_time_of_day_without_a_zone_may_be_any_of_many(naive: Any) -> None:
    with pytest.raises(CampaignError, match="Give the time with its time zone"):
        moment("since", naive)


@each("written", ["2026-11", date(2026, 11, 30), pd.Period("2026-11", "M")])
def test_a_month_of_a_statement(written: Any) -> None:
    assert month_of(written) == "2026-11"


@each("other", [datetime(2026, 11, 1, tzinfo=UTC), pd.Period("2026", "Y"), pd.Period("2026Q4")])
def test_what_is_in_another_month_elsewhere_or_is_no_month(other: Any) -> None:
    with pytest.raises(OptionError, match="Write a month like 2026-11"):
        month_of(other)
