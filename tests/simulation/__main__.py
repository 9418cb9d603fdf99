"""`python -m tests.simulation`: play worlds, or one again; see docs/guarantees.md."""

from __future__ import annotations

import argparse
import gc
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulation.kinds import KINDS, kind_of
from simulation.run import Played, Tally, actions, play, play_many, shrink
from simulation.store import Store


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="SEED")
    parser.add_argument("--postgresql", metavar="URL", help="an empty database of its own")
    parser.add_argument("--kind", choices=KINDS, help="worlds of this kind only")
    parser.add_argument("--seed", type=int, help="this world only, step by step")
    parser.add_argument(
        "--shrink", action="store_true", help="the shortest list of its actions that breaks the same"
    )
    options = parser.parse_args()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)  # a world is short, and all of it is thrown away at once
    store = Store(options.postgresql)
    try:
        if options.seed is None:
            tally = play_many(store, options.first, options.worlds, kind=options.kind, seen=show_broken)
            show(tally)
            return bool(tally.broken)
        played = play(options.seed, store)
        if played.invariant and options.shrink:
            listed = shrink(played, store)
            print(f"{len(listed)} of {len(actions(options.seed))} actions: {listed}")
            played = play(options.seed, store, listed)
        show_one(played)
        return played.invariant is not None
    finally:
        store.close()


def show(tally: Tally) -> None:
    print(f"{tally.worlds:,} worlds, {tally.steps:,} steps, {tally.speed:.1f} worlds per CPU second")
    for title, counted in (("kinds", tally.kinds), ("actions", tally.hits), ("faults", tally.faults)):
        print(f"{title}: " + ", ".join(f"{name} {count:,}" for name, count in counted.most_common()))
    for invariant, broken in tally.broken.items():
        shortest = min(broken, key=lambda one: len(one.world.trace))
        print(f"BROKEN {len(broken):,} times: {invariant}, seeds {[one.seed for one in broken[:8]]}")
        print(f"    {shortest.seed}: {shortest.what}")


def show_broken(played: Played) -> None:
    if played.invariant:
        print(f"{played.seed} {kind_of(played.seed)}: {played.what}", flush=True)


def show_one(played: Played) -> None:
    print(played.world.has)
    for (name, *numbers), done in played.world.trace:
        if done is not None:
            print(f"  {name:12} {numbers} {done}")
    print("BROKEN " + played.what if played.invariant else "holds")


if __name__ == "__main__":
    sys.exit(main())
