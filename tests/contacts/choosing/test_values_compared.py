"""Dates and numbers in cells, read for comparing."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.contacts.choosing.values import dates_in, numbers_in

DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))


def read(*cells: str, country: str | None = "GB") -> list[date | None]:
    days = dates_in(pd.Series(cells, dtype="str"), country)
    return [None if np.isnan(day) else date(1970, 1, 1) + timedelta(days=int(day)) for day in days]


@given(DAYS, st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d 09:30"]))
def test_what_is_clear_is_that_day_everywhere(day: date, form: str) -> None:
    for country in ("GB", "US", None):
        assert read(day.strftime(form), country=country) == [day]


@given(st.lists(DAYS, min_size=1), st.booleans(), st.sampled_from(["GB", "US", None]))
def test_another_cell_of_the_column_says_whether_the_day_comes_first(
    days: list[date], day_first: bool, country: str | None
) -> None:
    days = [*days, date(2026, 11, 30)]
    cells = [day.strftime("%d/%m/%Y" if day_first else "%m/%d/%Y") for day in days]
    assert read(*cells, country=country) == days


def test_where_no_cell_says_so_the_country_does() -> None:
    assert read("03/04/2026", country="US") == [date(2026, 3, 4)]
    assert read("03/04/2026", country="GB") == [date(2026, 4, 3)]


@each("cell", ["", "soon", "2026-02-30", "31.11.2026", "13/13/2026", "2026", "1/2/26"])
def test_what_is_no_day_is_missing(cell: str) -> None:
    assert read(cell) == [None]


NUMBERS = {
    1234.5: ["€1,234.50", "1.234,50 €", "1'234.50", "1\u00a0234,50\u00a0€"],
    1234567: ["1 234 567", "1,234,567", "1.234.567", "CHF 1’234’567"],
    12345: ["12\u202f345"],  # as French spreadsheets write
    12.5: ["EUR 12.50"],
    3.5: ["3,5", "+3.5"],
    -3.5: ["-3.5", "- 3,5"],
}
NONE = ["", "many", "1.234", "1,234", "12 or 13", "1,23,4", "--1", "5 10", "2 3 4", "12 34", "1'2", "1 2345"]
NONE += ["1234 567", "1 234'567", "5'", "1 234.567"]


def test_numbers_are_read_as_people_write_them_and_what_may_be_two_or_none_is_missing() -> None:
    for number, texts in NUMBERS.items():
        assert set(numbers_in(pd.Series(texts, dtype="str"))) == {number}
    assert np.isnan(numbers_in(pd.Series(NONE, dtype="str"))).all()


def test_a_column_without_rows_has_no_values() -> None:
    nothing = pd.Series([], dtype="str")
    assert len(dates_in(nothing, "GB")) == len(numbers_in(nothing)) == 0
