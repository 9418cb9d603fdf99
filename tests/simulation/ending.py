"""How a world ends: in a third of them nothing fails any more, so every campaign must come to its end."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

from simulation.promises import hold
from simulation.reports import tell
from simulation.service import said
from simulation.workers import pace
from simulation.world import Do, World

ROUNDS = 14
"""So often everybody does what they do without anything getting out of the way."""

ENDED = {"draft", "done", "cancelled"}
AT_REST = {*ENDED, "paused"}
SHIFT = ("tick", "post", "post", "post", "settle", "settle", "settle", "sweep")
"""What each worker does before it sends more: it finishes what it has."""

TURNS = 3
"""So often everything is resumed at least."""


def end(world: World, do: Do) -> None:
    if world.has.ends:
        heal(world)
        rounds(world, do)
        for campaign, state in states(world).items():
            hold("stuck", state in AT_REST, f"{campaign} is {state}")
        clear_up(world, do)
        tell_all(world)


def heal(world: World) -> None:
    """Nothing fails any more, and every clock is right."""
    world.service.faulty, world.service.largest, world.service.bad = 0.0, 99, set()
    world.fails_next = None
    pace(world, 0, 0, 0)
    for worker in world.workers:
        worker.offset = timedelta()


def clear_up(world: World, do: Do) -> None:
    """A person decides everything and resumes everything, as long as that gets something out of the way.

    Time leaps here, so what was due within a leap was missed, and is asked about once more.
    """
    world.caps = (None, None)
    world.set_limits()
    world.step(("acknowledge", 0, 0, 0), do)
    left = [unfinished(world)]
    while len(left) <= TURNS or left[-1] < left[-2]:
        world.step(("advance", 6, 0, 0), do)
        for number in range(len(world.campaigns)):
            world.step(("decide_all", number, 3 if len(left) > 1 else 0, 0), do)
            if world.model.known.campaigns[world.campaigns[number]] == "paused":
                world.step(("resume", number, 0, 0), do)
        rounds(world, do)
        left.append(unfinished(world))
    for campaign, state in states(world).items():
        hold("stuck", state in ENDED, f"{campaign} is {state} ({world.reason(campaign)})")


def unfinished(world: World) -> int:
    """Batches with something to send or to decide."""
    return int(world.rows("SELECT count(*) FROM batch WHERE state IN ('ready', 'sending', 'unknown')")[0][0])


def rounds(world: World, do: Do) -> None:
    """Every worker does what it does, until all campaigns are at rest."""
    workers = range(len(world.workers))
    idle, left = 0, unfinished(world)
    while idle < ROUNDS:
        for number in workers:
            world.step(("boot", number, 1, 0), do)
        for number, name in product(workers, SHIFT):
            world.step((name, number, 0, 1), do)
        send_all(world, do)
        for number in workers:
            world.step(("tick", number, 0, 0), do)
        if set(states(world).values()) <= AT_REST:
            return
        pass_night(world, do)
        before, left = left, unfinished(world)
        idle = 0 if left < before else idle + 1


def pass_night(world: World, do: Do) -> None:
    """Twenty minutes, or until those who are asleep may be texted again."""
    if world.has.hours:
        world.step(("dawn", 0, 0, 0), do)
        if world.trace[-1][1] is not None:
            return
    world.step(("advance", 9, 0, 0), do)


def send_all(world: World, do: Do) -> None:
    for number in range(40):
        world.step(("send", number, 1 + 8 * number, 1), do)
        if world.trace[-1][1] is None and number % 4 == 3:  # each worker has tried
            return


def states(world: World) -> dict[str, str]:
    return {row[0]: row[1] for row in world.rows("SELECT id, state FROM campaign")}


def tell_all(world: World) -> None:
    """The service tells of all it took, twice and in its own order: then all of it is accepted."""
    taken = [uuid for uuid in world.service.taken if uuid in world.model.known.texts]
    hour, made = timedelta(hours=1), world.service.made
    told = [world.service.message(uuid, world.rng, sent_at=said(made[uuid] + hour)) for uuid in taken]
    if told:
        tell(world, told[::-1])
        tell(world, told)
    world.check(full=True)
