"""How benchmarks take the time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

ROUNDS = int(os.environ.get("BENCHMARK_ROUNDS", "5"))
"""One is enough to see that a benchmark runs."""


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of CPU."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def in_turn(
    jobs: dict[str, tuple[int, Callable[[], object]]],
    turn_rows: int,
    counts: Callable[[Sequence[float]], float],
) -> dict[str, float]:
    """CPU nanoseconds a row of each job: what `counts` of rounds in which every job has its turn.

    In its turn a short job is repeated, so that it does not pay for the memory that the others left cold.
    """
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, (rows, job) in jobs.items():
            repeats = max(1, turn_rows // rows)
            cpu = sum(timed(job)[1] for _ in range(repeats))
            taken[name].append(cpu / rows / repeats * 1e9)
    return {name: counts(times) for name, times in taken.items()}
