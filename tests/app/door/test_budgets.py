"""Budgets: nobody takes more than theirs, whatever others take, and all is free again afterwards."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.app.door import budgets as budgets_module
from dashboard.app.door.budgets import Budgets, OverBudget, Rate, Share
from dashboard.settings import load_settings

PEOPLE = st.sampled_from(["ann", "bob", "cas"])


class Clock:
    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@given(held=st.integers(0, 150), others=st.integers(0, 400), amount=st.integers(1, 150))
def test_what_is_said_to_be_left_is_taken_and_no_more(held: int, others: int, amount: int) -> None:
    share = Share(100, 300)
    left, is_of_all = share.left(held=held, all_held=held + others)
    assert is_of_all is (300 - held - others < 100 - held)
    refused = pytest.raises(OverBudget) if amount > left else nullcontext()
    with refused, share.taken("ann", amount, held=held, all_held=held + others):
        pass


@given(
    asked=st.lists(st.tuples(st.floats(0, 3, width=16), PEOPLE), max_size=60),
    per_s=st.sampled_from([0.5, 2, 10]),
    at_once=st.integers(1, 5),
)
def test_no_span_of_time_sees_more_than_the_rate(
    asked: list[tuple[float, str]], per_s: float, at_once: int
) -> None:
    clock = Clock()
    rate, let_in = Rate(per_s, at_once, now=clock), []
    for pause, who in asked:
        clock.at += pause
        wait_s = rate.over_s(who)
        if wait_s:
            assert wait_s <= 1 / per_s + 1e-9
        else:
            let_in.append((clock.at, who))
    for began, who in let_in:
        for ended in (at for at, other in let_in if other == who and at >= began):
            taken = sum(began <= at <= ended and other == who for at, other in let_in)
            assert taken <= at_once + (ended - began) * per_s + 1e-6


def test_whoever_was_quiet_has_all_at_once_again_and_no_more_and_who_waits_a_turn_at_the_rate() -> None:
    clock = Clock()
    rate = Rate(2, 3, now=clock)
    for _ in range(3):
        assert [rate.over_s("ann") for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]
        clock.at += 60
    assert [rate.over_s("bob") for _ in range(3)] == [0, 0, 0]
    turns = Rate(2, 1, now=clock)
    assert [turns.due_s("ann") for _ in range(4)] == [0, 0.5, 1, 1.5]
    assert turns.due_s("bob") == 0


def test_strangers_without_number_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets_module, "MOST_KNOWN", 5)
    rate = Rate(1, 1, now=Clock())
    for number in range(50):
        assert rate.over_s(str(number)) == 0
    assert rate.over_s("49") > 0
    assert len(rate._free_at) == 5


SIZES = st.lists(st.tuples(PEOPLE, st.integers(0, 70), st.booleans()), max_size=25)


@given(SIZES)
def test_files_that_come_in_stay_within_both_budgets(asked: list[tuple[str, int, bool]]) -> None:
    files = Share(100, 150)
    coming: list[tuple[str, int, ExitStack]] = []
    for who, size, ends in asked:
        own = sum(bytes_ for other, bytes_, _ in coming if other == who)
        in_all = sum(bytes_ for _, bytes_, _ in coming)
        stack = ExitStack()
        refused = None
        try:
            stack.enter_context(files.taken(who, size))
            coming.append((who, size, stack))
        except OverBudget as over:
            refused = over
        assert (refused is not None) == (own + size > 100 or in_all + size > 150)
        assert refused is None or refused.of_all == (in_all + size > 150)
        if ends and coming:
            coming.pop(0)[2].close()
    for _, _, stack in coming:
        stack.close()
    with files.taken("ann", 100, all_held=50):
        pass


def test_a_sheet_of_the_largest_size_always_fits() -> None:
    budgets = Budgets.of(load_settings(upload_mb=7))
    with budgets.uploads.taken("ann", 7 * 2**20, held=2 * 7 * 2**20, all_held=9 * 7 * 2**20):
        pass
