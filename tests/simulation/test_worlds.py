"""Two minutes of simulated worlds; from a fixed seed, and from one that is new each day.

A world that breaks is played again, step by step, with the command that the failure names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simulation.kinds import KINDS
from simulation.planted import FAULTS, Fault, planted
from simulation.promises import INVARIANTS
from simulation.run import Tally, play, play_many
from simulation.store import Store

FIXED_SEED = 0
SEEDS_A_DAY = 1_000_000
FEW = 12
WORLDS = {"sqlite": 110, "postgresql": 33}
CPU_S = {"sqlite": 12.0, "postgresql": 6.0}
WORLDS_UNTIL_FOUND = 400
HELD = "held back by hours"
PAUSES = ("cap of the campaign", "cap of the day", "older copy", "too large", "time missed", "a person")


def seed_of_the_day() -> int:
    return datetime.now(UTC).toordinal() * SEEDS_A_DAY


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    url = request.getfixturevalue("worlds_url") if request.param == "postgresql" else None
    made = Store(url)
    yield made
    made.close()


@pytest.fixture(scope="module")
def sqlite_store() -> Iterator[Store]:
    made = Store()
    yield made
    made.close()


def test_no_promise_breaks_in_the_first_worlds(sqlite_store: Store) -> None:
    tally = play_many(sqlite_store, FIXED_SEED, FEW)
    assert not tally.broken, told(tally, sqlite_store)


@pytest.mark.deep
def test_no_promise_breaks_in_any_of_the_same_worlds(store: Store) -> None:
    tally = play_many(store, FIXED_SEED, WORLDS["sqlite" if store.is_sqlite else "postgresql"])
    assert not tally.broken, told(tally, store)
    if store.is_sqlite:
        check_hits(tally)


@pytest.mark.deep
def test_no_promise_breaks_in_the_worlds_of_the_day(store: Store) -> None:
    tally = play_many(store, seed_of_the_day(), cpu_s=CPU_S["sqlite" if store.is_sqlite else "postgresql"])
    assert not tally.broken, told(tally, store)
    assert tally.worlds


def check_hits(tally: Tally) -> None:
    """Every action, and what pauses, really happened."""
    for name in {name for weights in KINDS.values() for name in weights}:
        assert tally.hits[name], f"nothing was ever done by {name}"
    assert tally.hits[HELD], "nobody was ever held back by hours"
    for reason in PAUSES:
        assert tally.hits[f"paused: {reason}"], f"nothing ever paused for: {reason}"


def told(tally: Tally, store: Store) -> str:
    """Every world that broke, and how to play it again."""
    url = "" if store.is_sqlite else " --postgresql URL"
    return "\n".join(
        f"{one.what}\n    python -m tests.simulation --seed {one.seed} --shrink{url}"
        for broken in tally.broken.values()
        for one in broken
    )


def test_what_faults_take_the_place_of_is_there() -> None:
    for fault in FAULTS:
        with planted(fault):
            pass


@pytest.mark.deep
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_simulator_finds_what_was_planted(sqlite_store: Store, fault: Fault) -> None:
    kind = [*KINDS].index(fault.kind)
    with planted(fault):
        numbers = (fault.tried_first, *range(WORLDS_UNTIL_FOUND))
        seeds = (kind + len(KINDS) * number for number in numbers)
        broken = next(filter(None, (play(seed, sqlite_store).invariant for seed in seeds)), None)
    assert broken in fault.found


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(0, len(KINDS), 2))
def test_a_world_is_the_same_each_time_it_is_played(sqlite_store: Store, seed: int) -> None:
    once, again = (play(seed, sqlite_store).world.trace for _ in range(2))
    assert once == again


def test_every_row_of_guarantees_names_what_watches_it() -> None:
    document = (Path(__file__).parents[2] / "docs" / "guarantees.md").read_text(encoding="utf-8")
    tables = document.partition("## How each promise is kept")[2].partition("## Simulated")
    named = set(re.findall(r"^\| `([\w-]+)` \|", tables[2].partition("\n## ")[0], re.MULTILINE))
    for row in re.findall(r"^\| (?!---|#|promise).+$", tables[0], re.MULTILINE):
        watched_by = row.rstrip(" |").rpartition("| ")[2]
        found = set(re.findall(r"`([\w-]+)`", watched_by))
        assert found <= INVARIANTS.keys(), row
        assert found or watched_by == "not simulated", row
        named |= found
    assert named == INVARIANTS.keys()
    assert f"plants {len(FAULTS)} mistakes" in document
