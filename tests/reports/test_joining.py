"""A customer database beside messages: by number, as it was typed, without losing or doubling rows."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.errors import CountryError, FrameError, OptionError
from dashboard.reports import join_by_phone

SPELLINGS = (
    "+447400{0:06d}",
    "07400{0:06d}",
    "0044 7400 {0:06d}",
    "(0)7400-{0:06d}",
    "+44 (0)7400 {0:06d}",
    "447400{0:06d}",
)
people = st.lists(st.integers(0, 40).map(lambda n: 123456 + n), max_size=12)


@settings(max_examples=draws(15))
@given(people, st.sets(st.integers(0, 40).map(lambda n: 123456 + n), max_size=12), st.data())
def test_everyone_finds_themselves_however_they_are_written(
    texted: list[int], listed: set[int], data: st.DataObject
) -> None:
    spelled = [data.draw(st.sampled_from(SPELLINGS)).format(number) for number in listed]
    left = pd.DataFrame({"to": pd.Series([f"+447400{n:06d}" for n in texted], dtype="str"), "place": texted})
    right = pd.DataFrame(
        {"mobile": pd.Series(spelled, dtype="str"), "customer": pd.Series([*listed], dtype="Int64")}
    )
    before = left.copy(), right.copy()
    joined = join_by_phone(left, right, right_on="mobile", country="GB")
    assert joined["place"].tolist() == texted
    assert joined["customer"].fillna(-1).tolist() == [n if n in listed else -1 for n in texted]
    inner = join_by_phone(left, right, right_on="mobile", country="GB", how="inner")
    assert inner["place"].tolist() == [n for n in texted if n in listed]
    pd.testing.assert_frame_equal(left, before[0])
    pd.testing.assert_frame_equal(right, before[1])


def test_cells_without_a_number_join_nothing_and_names_that_are_taken_are_kept_apart() -> None:
    left = pd.DataFrame({"phone": ["none", None, "+447400123456"], "name": ["a", "b", "c"]})
    right = pd.DataFrame({"phone": ["n/a", None, "07400 123456"], "name": ["x", "y", "z"]})
    joined = join_by_phone(left, right, left_on="phone", country="GB")
    assert list(joined) == ["phone", "name", "phone#2", "name#2"]
    assert joined["name#2"].fillna("").tolist() == ["", "", "z"]
    assert joined["phone#2"].tolist()[2] == "07400 123456"


def test_a_number_twice_on_the_right_would_count_messages_twice() -> None:
    left = pd.DataFrame({"to": ["+447400123456"]})
    twice = pd.DataFrame({"phone": ["07400 123456", "+44 7400 123456"]})
    with pytest.raises(FrameError, match="2 rows on the right have a number that another one has") as said:
        join_by_phone(left, twice, country="GB")
    assert "7400" not in str(said.value)


def test_misuse_is_named() -> None:
    left, right = pd.DataFrame({"to": ["+447400123456"]}), pd.DataFrame({"phone": ["07400 123456"]})
    with pytest.raises(FrameError, match="no column 'mobile'"):
        join_by_phone(left, right, right_on="mobile", country="GB")
    with pytest.raises(CountryError):
        join_by_phone(left, right, country="uk")
    with pytest.raises(OptionError, match="how"):
        join_by_phone(left, right, country="GB", how="outer")  # type: ignore[arg-type]
