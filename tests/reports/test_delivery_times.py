"""Time to delivery: against a recount that gives open messages' shares to later ones, and against theory."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from math import exp, log, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, at, messages
from each import each
from hypothesis import given
from hypothesis import strategies as st

from dashboard.errors import OptionError
from dashboard.reports import time_to_delivery
from dashboard.reports.measures.incidence import incidence

waits = st.lists(st.tuples(st.integers(0, 8), st.sampled_from([0, 1, 2])), min_size=1, max_size=25)


def redistributed(drawn: list[tuple[int, int]], kind: int, within: int) -> Fraction:
    """B. Efron's way (1967): each stands for an equal share; one that is open hands its on to the later."""
    order = sorted(drawn, key=lambda one: (one[0], one[1] == 0))  # at one moment what ended comes first
    mass = [Fraction(1, len(order))] * len(order)
    for place, (_, ended) in enumerate(order):
        later = len(order) - place - 1
        if ended == 0 and later:
            mass[place + 1 :] = [each + mass[place] / later for each in mass[place + 1 :]]
            mass[place] = Fraction(0)
    return sum(
        (part for part, (time, ended) in zip(mass, order, strict=True) if ended == kind and time <= within),
        Fraction(0),
    )


@given(waits)
def test_shares_are_those_of_open_messages_handing_theirs_on(drawn: list[tuple[int, int]]) -> None:
    times = np.array([time for time, _ in drawn], np.float64)
    ends = np.array([ended for _, ended in drawn], np.int8)
    asked = np.arange(-1, 10, dtype=np.float64)
    found = incidence(times, ends, asked, 0.95)
    for place, within in enumerate(asked):
        assert found.delivered[place] == pytest.approx(float(redistributed(drawn, 1, int(within))))
        assert found.failed[place] == pytest.approx(float(redistributed(drawn, 2, int(within))))
        assert found.at_risk[place] == sum(time >= within for time, _ in drawn)
    assert (found.low <= found.delivered + 1e-12).all()
    assert (found.high >= found.delivered - 1e-12).all()
    assert (found.delivered + found.failed <= 1 + 1e-12).all()


def test_shares_and_intervals_are_those_of_lifelines() -> None:
    """Version 0.30.3, AalenJohansenFitter, which makes no ties of these."""
    ends = np.array([1, 2, 1, 0, 1, 2, 0, 1, 1, 0, 2, 0], np.int8)
    found = incidence(np.arange(1.0, 13.0), ends, np.array([1.0, 3.0, 5.0, 8.0, 9.0, 12.0]), 0.95)
    published = {
        "delivered": [0.083333, 0.166667, 0.260417, 0.372917, 0.485417, 0.485417],
        "low": [0.005053, 0.026510, 0.061766, 0.110510, 0.172705, 0.172705],
        "high": [0.311070, 0.412980, 0.521964, 0.642921, 0.742713, 0.742713],
        "failed": [0.0, 0.083333, 0.083333, 0.177083, 0.177083, 0.345833],
    }
    for name, figures in published.items():
        assert getattr(found, name).tolist() == pytest.approx(figures, abs=1e-6), name


@given(st.lists(st.tuples(st.integers(0, 8), st.sampled_from([1, 2])), min_size=2, max_size=40))
def test_with_nothing_open_the_error_is_that_of_a_share(drawn: list[tuple[int, int]]) -> None:
    """√(p(1 - p) ÷ n), whatever the times."""
    times = np.array([time for time, _ in drawn], np.float64)
    found = incidence(times, np.array([kind for _, kind in drawn], np.int8), np.array([4.0]), 0.95)
    share = sum(time <= 4 and kind == 1 for time, kind in drawn) / len(drawn)
    assert found.delivered[0] == pytest.approx(share)
    if 0 < share < 1:
        reach = 1.959964 * sqrt(share * (1 - share) / len(drawn)) / (share * abs(log(share)))
        assert found.low[0] == pytest.approx(share ** exp(reach), rel=1e-5)
        assert found.high[0] == pytest.approx(share ** exp(-reach), rel=1e-5)


def sent(**about: Any) -> dict[str, Any]:
    return {**SENT, **about}


def test_failures_are_never_delivered_and_open_messages_count_for_as_long_as_they_waited() -> None:
    frame = messages(
        sent(delivered_at=at("10:01"), country="GB"),
        sent(delivered_at=at("10:10"), country="GB"),
        {**FAILED, "failed_at": at("10:02"), "country": "GB"},
        sent(sent_at=NOW - pd.Timedelta("3min"), country="GB"),
        {**DELIVERED, "country": "DE"},
        {"country": "DE"},
    )
    within = [timedelta(minutes=2), timedelta(hours=1)]
    made = time_to_delivery(frame, "country", within=within, now=NOW)
    assert made["country"].tolist() == ["DE", "DE", "GB", "GB"]
    assert str(made["country"].dtype) == "category"
    british = made[made["country"] == "GB"]
    assert british["within"].tolist() == within
    assert british["at_risk"].tolist() == [3, 0]
    # after the failure two are left, of which one stays open at 3 minutes and hands its quarter on
    assert british["delivered"].tolist() == pytest.approx([0.25, 0.75])
    assert british["failed"].tolist() == pytest.approx([0.25, 0.25])
    whole = time_to_delivery(frame, now=NOW)
    assert list(whole) == ["within", "at_risk", "delivered", "low", "high", "failed"]
    assert len(whole) == 7


def test_columns_are_the_same_without_messages() -> None:
    empty, full = time_to_delivery(messages()), time_to_delivery(messages(DELIVERED))
    assert empty.empty
    assert empty.dtypes.to_dict() == full.dtypes.to_dict()


@each("within", [[], [timedelta(minutes=-1)], [timedelta(), timedelta.max]])
def test_times_that_make_no_sense_are_refused(within: list[timedelta]) -> None:
    with pytest.raises(OptionError, match=r"at least one length of time|within must be between 0 and 36500"):
        time_to_delivery(messages(DELIVERED), within=within)
