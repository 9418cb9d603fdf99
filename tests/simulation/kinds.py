"""Kinds of world: what each has, and how often each action comes, so that every one is really hit.

A world's kind follows from its seed, its circumstances are drawn from it, and so is the list of actions. An
action's numbers are taken modulo what there is, so any part of the list can be left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from simulation.service import FAULTS, USUAL

LENGTH = 90
BIG = 1 << 16
START = ("boot", "create", "send")

Action = tuple[str, int, int, int]


def often(words: str) -> dict[str, float]:
    """How often each action comes, from a list of both."""
    names, numbers = words.split()[::2], words.split()[1::2]
    return dict(zip(names, map(float, numbers), strict=True))


WEIGHTS = often(
    "send 30 claim 6 post 6 settle 6 tick 5 advance 8 boot 4 create 4 start 4 resume 4 decide 8 report 6"
)
"""What every kind of world has."""

KINDS: dict[str, dict[str, float]] = {
    kind: often(words)
    for kind, words in {
        "plain": "pause 2 cancel 1 opt_out 5 opt_in 1 stray 1 away 1 crash 2",
        "crowd": "crash 4 boot 8 retire 4 lane_dies 3 sweep 4 away 4 claim 12 post 12 settle 12 opt_out 4",
        "slow": "send 40 decide 25 decide_all 4 advance 20 report 10",
        "caps": "send 40 limits 1.5 decide 24 decide_all 3 advance 14 crash 2 report 8",
        "refusals": "send 60 burst 12 decide_all 4 resume 10 limits 1 report 3",
        "copies": "backup 10 restore 4 put_back 4 acknowledge 5 opt_out 3 pause 2 cancel 1 resume 8 crash 2",
        "times": "schedule 5 advance 14 tick 14 pause 2 resume 5 boot 6 crash 3 create 6",
        "hours": "night 4 turn 8 brink 6 dawn 3 send 40 claim 14 post 14 settle 14 tick 8 resume 14 boot 6 "
        "crash 1 away 1 schedule 1 opt_out 1",
        "clocks": "jump 5 crash 3 retire 2 sweep 8 lane_dies 6 claim 14 pace 1 pause 1",
        "pages": "decide_all 5 forget 5 cancel 2 advance 8 opt_out 3 "
        "pause 3 backup 1 restore 1 acknowledge 1",
        "pace": "pace 4 send 50 advance 20 crash 1 away 1",
    }.items()
}


HAVE_HOURS = {"hours": 0.9, "times": 0.4, "clocks": 0.4}
"""How many of the campaigns have people who may be texted within certain hours only."""

LARGEST = {"refusals": (99, 99, 99, 99, 2, 0), "hours": (99, 99, 2)}
"""How many messages the service takes at once; else all of them. What is too large is split."""

BEGINS = (
    datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
    datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
    datetime(2026, 11, 20, 23, 30, tzinfo=UTC),
)
NIGHTS = (  # before clocks change in Europe, and in America
    *BEGINS,
    datetime(2026, 10, 24, 18, 30, tzinfo=UTC),
    datetime(2027, 3, 13, 23, 30, tzinfo=UTC),
)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a world has besides its actions; see `Service` for what its service is like."""

    kind: str
    begins: datetime
    hours: float
    workers: int
    lanes: int
    bills: float
    faulty: float
    moods: tuple[str, ...]
    largest: int
    bad: float
    cap: int | None
    day: int | None
    share: float | None
    watches_opt_outs: bool
    refusals_count: bool
    batch: int
    ends: bool


def kind_of(seed: int) -> str:
    return [*KINDS][seed % len(KINDS)]


def circumstances(seed: int) -> Circumstances:
    rng, kind = Random(f"world {seed}"), kind_of(seed)
    capped, refusing = kind == "caps", kind == "refusals"
    return Circumstances(
        kind=kind,
        begins=rng.choice(NIGHTS if kind == "hours" else BEGINS),
        hours=HAVE_HOURS.get(kind, 0.0),
        workers=rng.randint(2, 3) if kind in {"crowd", "clocks"} else rng.randint(1, 2),
        lanes=rng.randint(1, 3),
        bills=rng.choice((0.0, 0.5, 1.0)),
        faulty=rng.choice((0.2, 0.5, 0.9)),
        moods=_moods(rng, refusing=refusing, slow=kind == "slow"),
        largest=rng.choice(LARGEST[kind]) if kind in LARGEST else 99,
        bad=rng.choice((0, 0.15, 0.4, 0.4, 1.0)) if refusing else rng.choice((0, 0, 0, 0.15)),
        cap=rng.choice((None, 8, 14, 20)) if capped else None,
        day=rng.choice((None, 12, 24)) if capped else None,
        share=rng.choice((None, 0.3)) if refusing else None,
        watches_opt_outs=rng.random() < 0.3,
        refusals_count=rng.random() < 0.9,
        batch=1 if refusing and rng.random() < 0.6 else 4,
        ends=seed // len(KINDS) % 3 == 0,
    )


def _moods(rng: Random, *, refusing: bool, slow: bool) -> tuple[str, ...]:
    """What goes wrong in this world: the usual, or a few faults again and again."""
    if slow or rng.random() < 0.1:
        return ("ok", "late", "late", "lost", "500")
    if refusing or rng.random() < 0.4:
        return ("ok", *rng.choices([*FAULTS], k=rng.randint(1, 4)))
    return USUAL


def actions(seed: int) -> list[Action]:
    """All that happens in a world."""
    rng, weights = Random(f"actions {seed}"), {**WEIGHTS, **KINDS[kind_of(seed)]}
    moods = [weight * rng.choice((0.3, 1, 1, 3)) for weight in weights.values()]
    names = [*START, *rng.choices([*weights], moods, k=LENGTH)]
    return [(name, rng.randrange(BIG), rng.randrange(BIG), rng.randrange(BIG)) for name in names]
