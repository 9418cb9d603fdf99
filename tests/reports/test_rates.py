"""Intervals around shares: against published figures, and what they promise."""

from __future__ import annotations

import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, messages
from hypothesis import given
from hypothesis import strategies as st

from dashboard.errors import DashboardError
from dashboard.reports import compare_rates, delivery_rates

COUNTS = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_shares_are_of_the_accepted() -> None:
    frame = messages(*[{**DELIVERED, "variant": "A"}] * 81, *[{**FAILED, "variant": "A"}] * 182)
    others = messages({"state": "unknown", "variant": "A"}, {**DELIVERED, "variant": "B"}, DELIVERED)
    rates = delivery_rates(pd.concat([frame, others], ignore_index=True), "variant").set_index("value")
    assert rates["messages"].to_dict() == {"A": 263, "B": 1}
    # Newcombe 1998a, table I, 81 of 263 by the score method: 0.2553 to 0.3662
    assert rates.loc["A", ["low", "high"]].astype("float64").round(4).tolist() == [0.2553, 0.3662]


def test_while_messages_are_open_a_share_says_how_far_it_can_rise() -> None:
    final = delivery_rates(messages(*[DELIVERED] * 8, *[FAILED] * 2), "country").iloc[0]
    early = delivery_rates(messages(*[DELIVERED] * 8, *[SENT] * 2), "country", now=NOW).iloc[0]
    assert (final["share"], final["share_at_most"], final["open"]) == (0.8, 0.8, 0)
    assert (early["share"], early["share_at_most"], early["open"]) == (0.8, 1.0, 2)
    assert early["low"] == final["low"]
    assert early["high"] == 1.0
    assert (final["final"], early["final"]) == (True, False)
    later = at("12:00", day=5)
    silent = delivery_rates(messages(*[DELIVERED] * 8, *[SENT] * 2), "country", now=later).iloc[0]
    assert (silent["final"], silent["open"], silent["share_at_most"]) == (True, 2, 0.8)
    assert (silent["low"], silent["high"]) == (final["low"], final["high"])


@given(COUNTS, COUNTS)
def test_a_difference_lies_in_its_interval_and_turns_round(
    one: tuple[int, int], other: tuple[int, int]
) -> None:
    low, high = compare_rates(one, other)
    assert low <= one[0] / one[1] - other[0] / other[1] <= high
    assert compare_rates(other, one) == pytest.approx((-high, -low))


def test_nothing_to_compare_is_said() -> None:
    with pytest.raises(DashboardError, match="Wait for them"):
        compare_rates((0, 0), (1, 2))
