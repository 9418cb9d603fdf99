"""Play worlds by their seeds: many, one again step by step, or its shortest list of actions."""

from __future__ import annotations

import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count

from simulation import copies, nights, people, reports, workers
from simulation.chance import chance_of
from simulation.ending import end
from simulation.kinds import Action, actions, kind_of
from simulation.promises import BrokenError
from simulation.store import Store
from simulation.world import World

ACTIONS = {**people.ACTIONS, **workers.ACTIONS, **reports.ACTIONS, **copies.ACTIONS, **nights.ACTIONS}


def do(world: World, action: Action) -> str | None:
    name, a, b, c = action
    return ACTIONS[name](world, a, b, c)


@dataclass
class Played:
    """What became of a world: the invariant that broke, if one did, and how."""

    seed: int
    world: World
    invariant: str | None = None
    what: str = ""


def play(seed: int, store: Store, listed: Sequence[Action] | None = None) -> Played:
    """Play a world, or part of it."""
    with chance_of(seed) as rng:
        return _play(World(seed, store, rng), actions(seed) if listed is None else listed)


def _play(world: World, listed: Sequence[Action]) -> Played:
    seed = world.seed
    try:
        world.play(listed, do)
        end(world, do)
    except BrokenError as broken:
        return Played(seed, world, broken.invariant, str(broken))
    except Exception as error:  # what the product should not raise
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename.rsplit('/', 1)[-1]}:{where.lineno}"
        what = f"{type(error).__name__} at {place}: {str(error)[:300]}"
        return Played(seed, world, "raised", what)
    return Played(seed, world)


def shrink(played: Played, store: Store) -> list[Action]:
    """The shortest list found that breaks the same: halves, quarters … single actions are left out."""
    listed = list(actions(played.seed))
    size = len(listed) // 2
    while size:
        start, shorter = 0, False
        while start < len(listed):
            part = listed[:start] + listed[start + size :]
            if play(played.seed, store, part).invariant == played.invariant:
                listed, shorter = part, True
            else:
                start += size
        size = size if shorter and size == 1 else size // 2
    return listed


@dataclass
class Tally:
    """What many worlds came to."""

    worlds: int = 0
    steps: int = 0
    cpu_s: float = 0.0
    hits: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    broken: dict[str, list[Played]] = field(default_factory=lambda: defaultdict(list))

    def add(self, played: Played) -> None:
        world = played.world
        self.worlds += 1
        self.kinds[kind_of(played.seed)] += 1
        self.steps += sum(done is not None for _, done in world.trace)
        self.hits.update(world.hits)
        self.faults.update(world.service.faults)
        if played.invariant:
            self.broken[played.invariant].append(played)

    @property
    def speed(self) -> float:
        return self.worlds / self.cpu_s if self.cpu_s else 0.0


def play_many(
    store: Store,
    first: int,
    worlds: int | None = None,
    *,
    cpu_s: float | None = None,
    kind: str | None = None,
    seen: Callable[[Played], None] = lambda _: None,
) -> Tally:
    """Play as many worlds, or as many as fit in so much of the processor's time; `seen` is told of each."""
    tally, began = Tally(), time.process_time()
    with suppress(KeyboardInterrupt):  # what was played until then counts
        for seed in count(first):
            if tally.worlds == worlds or (cpu_s is not None and tally.cpu_s >= cpu_s):
                break
            if kind in {None, kind_of(seed)}:
                tally.add(played := play(seed, store))
                tally.cpu_s = time.process_time() - began
                seen(played)
    return tally
