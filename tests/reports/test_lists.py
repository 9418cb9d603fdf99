"""Lists set side by side: who is on several, who stayed, and who can still be texted; counted by sets."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
import pytest
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.contacts import clean_contacts
from dashboard.errors import FrameError, OptionError
from dashboard.reports import list_decay, list_overlap
from dashboard.reports.schema import SCHEMAS

STATUSES = ("ok", "review", "duplicate", "opted_out", "invalid")
rows = st.lists(st.tuples(st.none() | st.integers(0, 12), st.sampled_from(STATUSES)), max_size=15)
some_lists = st.lists(rows, max_size=4)


def phone(number: int) -> str:
    return f"+447400{number:06d}"


def frame(some: list[tuple[int | None, str]]) -> pd.DataFrame:
    phones = [None if number is None else phone(number) for number, _status in some]
    statuses = pd.Categorical([status for _number, status in some], categories=list(STATUSES))
    index = pd.Index(range(100, 100 + len(some)))
    return pd.DataFrame({"phone": pd.Series(phones, index, dtype="str"), "status": statuses}, index=index)


def shares(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


@settings(max_examples=draws(60))
@given(some_lists)
def test_lists_are_counted_and_followed_into_the_next_as_sets_are(
    drawn: list[list[tuple[int | None, str]]],
) -> None:
    frames = {str(place): frame(one) for place, one in enumerate(drawn)}
    before = {name: one.copy() for name, one in frames.items()}
    sets = {name: set(one["phone"].dropna()) for name, one in frames.items()}
    expected = [
        [a, b, len(sets[a] & sets[b]), len(sets[a] - sets[b]), len(sets[b] - sets[a])]
        for a in sets
        for b in sets
        if a < b
    ]
    found = list_overlap(frames)
    for function in (list_overlap, list_decay):
        declared = {column.name: column.dtype for column in SCHEMAS[f"{function.__name__}(...)"]}
        assert {name: str(dtype) for name, dtype in function(frames).dtypes.items()} == declared
    assert found.drop(columns="jaccard").to_numpy().tolist() == expected
    jaccard = [shares(both, both + a + b) for _a, _b, both, a, b in expected]
    assert found["jaccard"].tolist() == pytest.approx(jaccard, nan_ok=True)
    everybody = [{number for number, _status in one if number is not None} for one in drawn]
    ok = [{number for number, status in one if number is not None and status == "ok"} for one in drawn]
    decay = list_decay(frames).to_dict("records")
    assert len(decay) == max(len(drawn) - 1, 0)
    for place, row in enumerate(decay):
        here, there = everybody[place], everybody[place + 1]
        still = ok[place] & ok[place + 1]
        assert (row["list"], row["next"]) == (str(place), str(place + 1))
        counted = [row[name] for name in ("people", "kept", "left", "new", "textable", "still_textable")]
        parts = [here, here & there, here - there, there - here, ok[place], still]
        assert counted == [len(people) for people in parts]
        assert row["kept_share"] == pytest.approx(shares(len(here & there), len(here)), nan_ok=True)
        assert row["still_share"] == pytest.approx(shares(len(still), len(ok[place])), nan_ok=True)
    for name, one in frames.items():
        pd.testing.assert_frame_equal(one, before[name])


def test_lists_as_they_were_cleaned_and_their_rows_say_the_same() -> None:
    spring = clean_contacts(
        pd.DataFrame({"mobile": ["07400 123456", "+44 7400 123457", "n/a"]}), country="GB"
    )
    autumn = clean_contacts(
        pd.DataFrame({"mobile": ["0044 7400 123456", "07400 123456", "07400 123458", "07400 123457"]}),
        country="GB",
        opt_outs=["+447400123457"],
    )
    lists = {"spring": spring, "autumn": autumn}
    assert list_overlap(lists).iloc[0].tolist() == ["spring", "autumn", 2, 0, 1, pytest.approx(2 / 3)]
    decay = list_decay(lists)
    assert decay.iloc[0].tolist() == ["spring", "autumn", 2, 2, 0, 1, 1.0, 2, 1, 0.5]
    of_rows = list_decay({name: one.rows for name, one in lists.items()})
    pd.testing.assert_frame_equal(of_rows, decay)


def test_a_person_in_two_spellings_is_one() -> None:
    spring = pd.DataFrame({"phone": ["+24107123456", "+24177123456", "+541123456789"]})
    autumn = pd.DataFrame({"phone": ["+24177123456", "+5491123456789", "+447400123456"]})
    lists = {"spring": spring, "autumn": autumn}
    assert list_overlap(lists)[["both", "only_a", "only_b"]].iloc[0].tolist() == [2, 0, 1]
    assert list_decay(lists)[["people", "kept", "left", "new"]].iloc[0].tolist() == [2, 2, 0, 1]


@each("function", [list_overlap, list_decay])
def test_numbers_that_were_not_cleaned_are_refused_and_not_repeated(
    function: Callable[[object], object],
) -> None:
    for typed in ("07400 123456", "447400123456", "", "+44 7400 123456", "+447400123456\n"):
        with pytest.raises(FrameError, match=r"'raw' has phones that are not in E\.164") as said:
            function({"raw": pd.DataFrame({"phone": ["+447400123457", typed]})})
        assert "7400" not in str(said.value)
    with pytest.raises(FrameError, match="'other' has no column phone"):
        function({"other": pd.DataFrame({"to": ["+447400123456"]})})
    with pytest.raises(OptionError, match="lists takes"):
        function([frame([])])
