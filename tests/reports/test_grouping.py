"""`by=` in every table that takes it: names, lists and values, whose names and dtypes are kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, at, messages
from each import each
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from tiers import draws

from dashboard.campaigns.cost.money import known_amounts
from dashboard.errors import FrameError, OptionError
from dashboard.reports import (
    compare,
    cost_by,
    counts,
    delivery_rates,
    failure_reasons,
    figures,
    finals,
    people_needed,
    reconcile,
    standings,
    time_to_delivery,
    trends,
)
from dashboard.reports.measures.power import power_of

TABLES: dict[str, Callable[..., pd.DataFrame]] = {
    "delivery_rates": delivery_rates,
    "failure_reasons": lambda frame, by: failure_reasons(frame, by=by),
    "reconcile": lambda frame, by: reconcile(frame, by=by),
    "cost_by": cost_by,
    "trends": trends,
    "time_to_delivery": lambda frame, by: time_to_delivery(frame, by, within=[timedelta()]),
}
FRAME = messages(
    *[{**DELIVERED, "country": "GB", "variant": "A", "currency": "EUR"}] * 3,
    *[{**FAILED, "country": "DE", "variant": "A", "currency": "EUR"}] * 2,
    *[{**FAILED, "country": "DE", "variant": "B", "currency": "EUR"}],
    *[{**DELIVERED, "country": "DE", "variant": "B", "currency": "USD", "handed_over_at": at("10:00", 30)}],
)
HOUR = FRAME["sent_at"].dt.hour
GIVEN: dict[str, tuple[Any, dict[str, str]]] = {
    "a name": ("country", {"country": "category"}),
    "a list": (["country", "variant"], {"country": "category", "variant": "category"}),
    "values named like a column": (HOUR, {"sent_at": "int32"}),
    "values without a name": (HOUR.rename(None).astype("int64"), {"value": "int64"}),
    "both": (["variant", HOUR.rename("hour")], {"variant": "category", "hour": "int32"}),
    "times": (FRAME["handed_over_at"].dt.floor("D").rename("day"), {"day": "datetime64[us, UTC]"}),
}


@each(
    "table, what",
    [*(("delivery_rates", what) for what in GIVEN), *((table, "both") for table in TABLES)],
)
def test_names_and_dtypes_are_kept(table: str, what: str) -> None:
    by, expected = GIVEN[what]
    made = TABLES[table](FRAME, by)
    assert {name: str(made[name].dtype) for name in expected} == expected
    counted = {"cost_by": "accepted", "time_to_delivery": "at_risk"}.get(table, "messages")
    assert made[counted].sum() == (3 if table == "failure_reasons" else 7)
    assert made.index.equals(pd.RangeIndex(len(made)))


rows = st.fixed_dictionaries(
    {
        "country": st.sampled_from(["GB", "DE", None]),
        "variant": st.sampled_from(["A", "B", None]),
        "campaign": st.sampled_from(["c1", "c2"]),
        "credits_billed": st.integers(0, 3),
    }
)


@settings(max_examples=draws(25))
@given(
    st.lists(
        st.sampled_from(["country", "variant", "state", "campaign"]), min_size=1, max_size=3, unique=True
    ),
    st.lists(rows, min_size=1, max_size=12),
)
def test_groups_hold_what_a_loop_over_the_rows_finds(by: list[str], rows: list[dict[str, Any]]) -> None:
    full = [{"state": "accepted", "currency": "EUR", **row} for row in rows]
    made = cost_by(messages(*full), by)
    expected: dict[tuple[Any, ...], int] = {}
    for row in full:
        key = tuple(row[name] for name in by)
        expected[key] = expected.get(key, 0) + row["credits_billed"]
    keys = made[by].astype(object).where(made[by].notna(), None)
    found = dict(zip(keys.itertuples(index=False, name=None), made["credits_billed"], strict=True))
    assert found == expected


def test_a_name_is_a_list_of_one_in_every_function_and_none_is_empty() -> None:
    functions: list[Callable[..., Any]] = [
        *TABLES.values(),
        compare,
        counts,
        standings,
        lambda frame, by: pd.DataFrame({"final": finals(frame, by)}),
        lambda frame, by: pd.DataFrame(figures.failure_shares(frame, by).to_dict()["data"]),
    ]
    for function in functions:
        assert_frame_equal(function(FRAME, "variant"), function(FRAME, ["variant"]))
        function(FRAME, ["country", "variant"])
        for empty in ("", [""], ["country", ""]):
            with pytest.raises(FrameError, match="needs the columns '', which"):
                function(FRAME, empty)


def test_a_missing_value_is_a_group_of_bills_and_costs_and_of_no_share() -> None:
    frame = messages(
        *[{**DELIVERED, "country": None, "currency": "EUR"}] * 2, {**DELIVERED, "currency": "EUR"}
    )
    assert delivery_rates(frame, "country")["country"].tolist() == ["GB"]
    assert cost_by(frame, "country").loc[lambda t: t["country"].isna(), "accepted"].tolist() == [2]
    assert reconcile(frame, by="country").loc[lambda t: t["country"].isna(), "messages"].tolist() == [2]
    failed = pd.concat([frame, messages({**FAILED, "country": None, "currency": "EUR"}, FAILED)])
    day = failed["sent_at"].dt.day_name().where(failed["country"].notna()).rename("day")
    of_none = "None of the messages that have a value to group by has failed."
    for by, said in (
        ("country", "Share failed: GB 50.0 %."),
        (day, "Share failed: Monday 50.0 %."),
        (["state", "country"], "Share failed: accepted · GB 50.0 %."),
        ("variant", of_none),
        (["country", "variant"], of_none),
    ):
        assert figures.alt_text(figures.failure_shares(failed, by)) == said, said


def test_what_a_delivered_message_cost() -> None:
    made = cost_by(FRAME, "country").set_index(["country", "currency"])
    assert made.loc[("GB", "EUR"), "cost_per_delivered"] == Decimal("0.05")
    assert known_amounts(made["cost_billed"]) == [Decimal("0.15"), Decimal("0.05"), Decimal("0.15")]
    assert known_amounts(made["cost_per_delivered"]) == [None, Decimal("0.05"), Decimal("0.05")]


def test_months_are_those_of_handing_over_on_the_clock_asked_for() -> None:
    frame = FRAME.assign(handed_over_at=[at("23:30", 31)] * 3 + [at("10:00")] * 4)
    made = trends(frame, "country", tz="Europe/Berlin")
    assert made["month"].tolist() == [
        pd.Timestamp("2027-03-01", tz="Europe/Berlin"),
        pd.Timestamp("2027-04-01", tz="Europe/Berlin"),
    ]
    assert made["country"].tolist() == ["DE", "GB"]
    assert trends(frame)["messages"].tolist() == [7]


@each("table", [*TABLES, "compare"])
def test_values_with_the_frames_index_are_taken_whatever_the_frame(table: str) -> None:
    """Not all are sent, and the index repeats and is named like a column."""
    frame = messages(*[DELIVERED] * 40, *[{**FAILED, "country": "DE"}] * 40, {"country": "FR"})
    frame = frame.set_index(pd.Index(frame["country"].astype("str"), name="country"))
    whole = TABLES.get(table, compare)
    by_name, by_value = whole(frame, "country"), whole(frame, frame["country"])
    assert by_value.equals(by_name)


def test_pairs_are_told_apart_by_all_that_makes_a_group() -> None:
    """Values without a name are called "value", as is the text of a group."""
    made = compare(FRAME, ["country", HOUR.rename(None)])
    assert made[["a", "b"]].to_numpy().tolist() == [["DE · 10", "GB · 10"]]


@each("table", [*TABLES, "compare"])
@each("kind", [list, pd.Index, np.array])
def test_values_without_an_index_are_refused_and_not_repeated(table: str, kind: Callable[..., Any]) -> None:
    numbers = kind([f"+4479111234{n:02d}" for n in range(len(FRAME))])
    with pytest.raises(FrameError, match="give them as a Series") as caught:
        TABLES.get(table, compare)(FRAME, numbers)
    assert "+44" not in str(caught.value)


@each(
    "by, sentence",
    [
        ("colour", "delivery_rates needs the columns colour"),
        ([], "at least one column"),
        (["country", "country"], "each column once"),
        (HOUR.head(2), "need the frame's index"),
        (HOUR.rename("messages"), "'messages' is already a column of the result"),
    ],
)
def test_misuse_is_named(by: Any, sentence: str) -> None:
    with pytest.raises((FrameError, OptionError), match=sentence):
        delivery_rates(FRAME, by)


def of_shares(**shares: tuple[int, int]) -> pd.DataFrame:
    rows = [
        {**(DELIVERED if place < delivered else FAILED), "variant": name}
        for name, (delivered, many) in shares.items()
        for place in range(many)
    ]
    return messages(*rows)


def test_every_pair_is_a_row_with_published_figures() -> None:
    """Newcombe 1998b, table II, method 10: 56/70 - 48/80 is 0.0524 to 0.3339."""
    made = compare(of_shares(A=(56, 70), B=(48, 80), C=(40, 50)), "variant")
    assert made[["a", "b"]].to_numpy().tolist() == [["A", "B"], ["A", "C"], ["B", "C"]]
    first = made.iloc[0]
    assert (round(first["low"], 4), round(first["high"], 4)) == (0.0524, 0.3339)
    assert first["effect"] == pytest.approx(0.2)
    assert (first["n_a"], first["n_b"]) == (70, 80)
    assert made["corrected"].ge(made["p"]).all()
    assert ((made["low"] > 0) | (made["high"] < 0)).tolist() == (made["p"] < 0.05).tolist()


def test_too_few_or_open_messages_are_not_judged() -> None:
    few = compare(of_shares(A=(20, 29), B=(48, 80)), "variant").iloc[0]
    assert few[["low", "high", "p", "corrected"]].isna().all()
    assert not few["differs"]
    assert few["effect"] == pytest.approx(20 / 29 - 0.6)
    open_ = of_shares(A=(56, 70), B=(48, 80))
    open_.loc[0, "delivered_at"] = pd.NaT
    assert compare(open_, "variant", now=at("12:00"))["p"].isna().all()


def test_power_is_people_needed_turned_round() -> None:
    for low, high in ((0.9, 0.95), (0.6, 0.7), (0.02, 0.05)):
        people = people_needed((low * 1000, 1000), (high * 1000, 1000))
        assert people is not None
        half, middle = people / 2, (low + high) / 2
        found = power_of((middle * half, half), (middle * half, half), difference=high - low)
        assert found == pytest.approx(0.8, abs=0.005)
    with pytest.raises(OptionError, match="5 percentage points"):
        compare(FRAME, "variant", difference=5)
