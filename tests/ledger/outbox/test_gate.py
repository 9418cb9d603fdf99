"""The gate by itself: a pace that is kept over any time, and pauses that grow."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.ledger.outbox.gate import LONGEST_BACKOFF_S, LONGEST_PAUSE_S, Gate

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def close(gate: Gate, *, for_s: float | None, claimed: datetime = NOW, now: datetime = NOW) -> Gate:
    return gate.closed(reason="why", for_s=for_s, claimed_at=claimed, now=now, jitter=1.0)


@given(
    rate=st.floats(0.5, 5000),
    batch=st.integers(1, 200),
    lateness=st.lists(st.floats(0, 0.09), min_size=20, max_size=60),
)
def test_whoever_comes_a_little_late_keeps_the_pace_and_does_not_pass_it(
    rate: float, batch: int, lateness: list[float]
) -> None:
    gate, now = Gate(messages_per_second=rate), NOW
    for late in lateness:
        now = max(now, gate.opens_at(now) or now) + seconds(late)
        gate = gate.after(batch, now)
    took = (now - NOW).total_seconds()
    ideal = (len(lateness) - 1) * batch / rate
    assert took >= ideal - 0.11, "the tolerance may be used once, not again and again"
    slowest = max(ideal, sum(lateness)) + 0.1
    assert took <= slowest + 1e-3 or batch / rate < 0.1


def test_time_unused_is_not_saved_up() -> None:
    gate = Gate(messages_per_second=10).after(10, NOW)
    later = NOW + seconds(3600)
    gate = gate.after(10, later)
    opens = gate.opens_at(later)
    assert opens is not None
    assert opens >= later + seconds(0.9)


def test_pauses_in_a_row_grow_to_a_limit_and_jitter_spreads_them() -> None:
    gate, waits, now = Gate(), [], NOW
    for _ in range(9):
        gate = close(gate, for_s=None, claimed=now, now=now)
        waits.append((gate.closed_until - now).total_seconds())
        now = gate.closed_until
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    spread = Gate().closed(reason="why", for_s=None, claimed_at=NOW, now=NOW, jitter=0.8)
    assert (spread.closed_until - NOW).total_seconds() == 0.8
    assert LONGEST_BACKOFF_S == 60


@pytest.mark.parametrize("claimed_s", [0, -1])
def test_an_answer_written_down_again_or_under_way_when_it_closed_counts_once(claimed_s: float) -> None:
    """Whoever does not know whether it was written asks again; an answer may come at the claim's moment."""
    gate = Gate()
    for after_s in (0, 0.001, 1, 59):
        gate = close(gate, for_s=None, claimed=NOW + seconds(claimed_s), now=NOW + seconds(after_s))
        assert gate.strikes == 1


@pytest.mark.parametrize(
    ("asked", "waits"), [(0, 1), (-5, 1), (0.01, 0.05), (7, 7), (10**6, LONGEST_PAUSE_S)]
)
def test_the_service_is_given_the_pause_it_asks_for_within_reason(asked: float, waits: float) -> None:
    gate = close(Gate(), for_s=asked)
    assert (gate.closed_until - NOW).total_seconds() == waits


def test_a_shorter_pause_does_not_open_a_gate_that_is_closed_for_longer() -> None:
    gate = close(close(Gate(), for_s=30), for_s=1)
    assert gate.closed_until == NOW + seconds(30)


def test_a_clock_that_stepped_back_takes_the_gate_with_it() -> None:
    gate = close(Gate(messages_per_second=10).after(10, NOW), for_s=30)
    back = NOW - seconds(3600)
    assert gate.stepped_back(back)
    moved = gate.moved_back(back)
    assert moved.opens_at(back) == back + seconds(30)
    assert not gate.stepped_back(NOW - seconds(30)), "two machines may differ by as much"
