"""Comparing several groups: what may be said of them, and when nothing may."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from campaign_frames import DELIVERED, FAILED, NOW, SENT, messages
from each import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tiers import draws

from dashboard.errors import DashboardError, OptionError
from dashboard.reports import (
    better_text,
    compare_groups,
    compare_rates,
    counts,
    delivery_rates,
    people_needed,
)
from dashboard.reports.measures.shares import chance, holm
from dashboard.reports.measures.standing import FEWEST
from dashboard.reports.schema import SCHEMAS

COUNTS = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
GROUPS = st.lists(COUNTS, min_size=2, max_size=6)
FATES = {"delivered": DELIVERED, "failed": FAILED, "open": SENT}


def rates_of(*groups: tuple[int, int], final: bool = True) -> pd.DataFrame:
    """Rates of groups A, B, … given as delivered and accepted."""
    rows = [
        {"value": chr(ord("A") + place), "messages": n, "delivered": hits, "share": hits / n, "final": final}
        for place, (hits, n) in enumerate(groups)
    ]
    return pd.DataFrame(rows)


def test_holm_is_as_published() -> None:
    # Aickin and Gensler, American Journal of Public Health 86 (1996), 726-728: the steps by hand
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(COUNTS, COUNTS, st.sampled_from([0.8, 0.95, 0.99]))
def test_chance_says_what_the_interval_says(
    one: tuple[int, int], other: tuple[int, int], confidence: float
) -> None:
    low, high = compare_rates(one, other, confidence=confidence)
    by_chance = chance(one, other)
    assert 0 <= by_chance <= 1
    assume(abs(by_chance - (1 - confidence)) > 1e-9)
    assert (by_chance < 1 - confidence) == (low > 0 or high < 0)
    assert by_chance == chance(other, one)


@each("called", [None, "value", "text"])
def test_groups_of_several_columns_are_named_whole(called: str | None) -> None:
    frame = messages(*[DELIVERED] * 200, *[FAILED] * 100, *[DELIVERED] * 100).assign(country="GB")
    texts = pd.Series(["A"] * 200 + ["B"] * 200, frame.index, name=called)
    rates = delivery_rates(frame, ["country", texts], now=NOW)
    assert compare_groups(rates)[["better", "worse"]].to_numpy().tolist() == [["GB · A", "GB · B"]]
    assert better_text(rates).startswith("GB · A gets through more often than GB · B")


@given(GROUPS)
def test_a_verdict_needs_enough_of_both_and_more_than_chance(groups: list[tuple[int, int]]) -> None:
    pairs = compare_groups(rates_of(*groups))
    declared = {column.name: column.dtype for column in SCHEMAS["compare_groups(...)"]}
    assert {str(name): str(dtype) for name, dtype in pairs.dtypes.items()} == declared
    sizes = {chr(ord("A") + place): group for place, group in enumerate(groups)}
    large = [name for name, (_hits, n) in sizes.items() if n >= FEWEST]
    assert {frozenset(pair) for pair in zip(pairs["better"], pairs["worse"], strict=True)} == set(
        map(frozenset, combinations(large, 2))
    )
    for pair in pairs.to_dict("records"):
        one, other = sizes[pair["better"]], sizes[pair["worse"]]
        assert one[0] / one[1] >= other[0] / other[1]
        alone = compare_rates(one, other)
        assert not pair["differs"] or alone[0] > 0
        assert pair["low"] <= one[0] / one[1] - other[0] / other[1] <= pair["high"]
        assert pair["differs"] == pd.isna(pair["more_people"]) or one[0] / one[1] == other[0] / other[1]


@given(GROUPS)
def test_no_text_is_named_before_all_are_final(groups: list[tuple[int, int]]) -> None:
    open_ = rates_of(*groups).assign(final=[False] + [True] * (len(groups) - 1))
    assert compare_groups(open_).empty
    assert better_text(open_) == "Too early to tell: some messages have no outcome yet."


def test_one_difference_among_many_has_to_be_larger() -> None:
    two, ten = rates_of((93, 100), (83, 100)), rates_of((93, 100), (83, 100), *[(88, 100)] * 8)
    assert compare_groups(two)["differs"].tolist() == [True]
    assert not compare_groups(ten)["differs"].any()


def test_sentences_of_several_texts() -> None:
    said = better_text(rates_of((950, 1000), (945, 1000), (700, 1000), (29, 29)))
    assert said.startswith("A gets through more often than C: by ")
    assert "B gets through more often than C: by " in said
    assert "A and B are too close to tell: the difference may be chance. If it is real, " in said
    assert said.endswith("1 text is not compared: too few accepted messages.")
    assert better_text(rates_of((950, 1000), (29, 29))).startswith("Too few to tell")
    assert better_text(rates_of((95, 100), (95, 100))) == "Too close to tell: the difference may be chance."


def test_the_people_needed_are_the_textbooks() -> None:
    # 60 % against 70 % with 80 % power at 5 %: 356 in each group by Fleiss, Levin and Paik's formula (4.14)
    assert people_needed((60, 100), (70, 100)) == 2 * 356
    assert people_needed((60, 100), (60, 100)) is None
    with pytest.raises(OptionError, match="power"):
        people_needed((60, 100), (70, 100), power=1.0)
    with pytest.raises(DashboardError, match="Wait for them"):
        people_needed((0, 0), (70, 100))


def test_with_the_people_needed_four_of_five_tests_show_it() -> None:
    needed = people_needed((93, 100), (95, 100))
    assert needed
    half = needed // 2
    draw = np.random.default_rng(18)
    one, other = (draw.binomial(half, share, 2000) for share in (0.95, 0.93))
    shown = [compare_rates((int(a), half), (int(b), half))[0] > 0 for a, b in zip(one, other, strict=True)]
    assert 0.77 < np.mean(shown) < 0.83


people = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 20), st.sampled_from(sorted(FATES))),
    min_size=1,
    max_size=60,
    unique_by=lambda drawn: drawn[:2],
)


@settings(max_examples=draws(30))
@given(people)
def test_counts_of_campaigns_are_never_surer_than_people_who_are_the_same_in_messages_and_their_counts(
    sent: list[tuple[int, int, str]],
) -> None:
    frame = messages(
        *[{**FATES[fate], "campaign": f"c{c}", "to": f"+4479111234{to:02d}"} for c, to, fate in sent]
    )
    bound = delivery_rates(frame, "country", now=NOW).iloc[0]
    people_rates = delivery_rates(frame, "country", person="to", now=NOW)
    by_person = people_rates.iloc[0]
    different = frame["to"].nunique()
    assert 1 <= bound["independent"] <= by_person["independent"] + 1e-9
    assert by_person["independent"] <= different + 1e-9
    assert bound["low"] <= by_person["low"] + 1e-9
    assert by_person["high"] <= bound["high"] + 1e-9
    if len({campaign for campaign, _to, _fate in sent}) == 1:
        assert bound["independent"] == by_person["independent"] == len(sent)
    added_up = counts(frame, ["to", "country", "state", "stage", "handed_over_at"], now=NOW)
    made = delivery_rates(added_up, "country", person="to", now=NOW)
    assert made.equals(people_rates.astype({"country": made["country"].dtype}))


def test_who_was_texted_ten_times_is_one_person() -> None:
    fates = [DELIVERED] * 90 + [FAILED] * 10
    once = [{**fate, "to": f"+4479111234{who:02d}"} for who, fate in enumerate(fates)]
    ten_times = messages(*[{**row, "campaign": f"c{c}"} for c in range(10) for row in once])
    ends = ["share", "independent", "low", "high"]
    expected = delivery_rates(messages(*once), "country")[ends].iloc[0].tolist()
    for person in ("to", None):
        found = delivery_rates(ten_times, "country", person=person)
        assert found["messages"].tolist() == [1000]
        assert found[ends].iloc[0].tolist() == pytest.approx(expected)


def test_whoever_was_forgotten_is_not_taken_for_one_person() -> None:
    rows = [
        {**DELIVERED, "campaign": f"c{c}", "country": country, "to": f"+4479111{c}{who:04d}"}
        for country in ("GB", "DE")
        for c in range(2)
        for who in range(100)
    ]
    kept = messages(*rows)
    forgotten = kept.assign(to=kept["to"].mask((kept["campaign"] == "c0") & (kept["country"] == "GB"), ""))
    found = delivery_rates(forgotten, "country", person="to")
    assert found["independent"].tolist() == [200, 100]  # as if the second campaign had texted the same


def test_a_column_of_people_that_is_not_there_is_asked_for() -> None:
    with pytest.raises(OptionError, match="who got each"):
        delivery_rates(messages(DELIVERED), "country", person="phone")
