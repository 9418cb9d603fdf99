"""Copies, by the command and by hand, put back by the command and by hand."""

from __future__ import annotations

from simulation.people import put_on_list
from simulation.promises import hold
from simulation.service import LATE_S
from simulation.workers import stop
from simulation.world import Paced, World

KEPT = 3


def backup(world: World, a: int, _b: int, _c: int) -> str:
    return _copy(world, a, by_hand=False)


def copy(world: World, a: int, _b: int, _c: int) -> str | None:
    return _copy(world, a, by_hand=True) if world.store.is_sqlite else None


def _copy(world: World, a: int, *, by_hand: bool) -> str:
    name = f"copy{len(world.copies) % KEPT}-{a}"
    made = world.store.copy(world.ledger, name, by_hand=by_hand)
    snapshot = world.model.snapshot(world.campaigns, marked=not by_hand and world.store.is_sqlite)
    world.copies = [*world.copies[1 - KEPT :], (made, snapshot)]
    return "by hand" if by_hand else "by the command"


def restore(world: World, a: int, _b: int, _c: int) -> str | None:
    """`python -m dashboard restore`, once everybody has stopped."""
    return _put_back(world, a, by_command=True)


def put_back(world: World, a: int, _b: int, _c: int) -> str | None:
    """A copy is put in the ledger's place by other means, and whatever opens it next notices."""
    return _put_back(world, a, by_command=False) if world.store.is_sqlite else None


def _put_back(world: World, a: int, *, by_command: bool) -> str | None:
    found = world.pick(world.copies, a)
    if found is None:
        return None
    made, then = found
    quiet(world)
    kept = False
    if by_command:
        kept = world.store.restore(made, world.time)
    else:
        world.store.put_back_by_hand(made)
    if not world.store.is_sqlite:
        then.marked = False
    before = world.model.known
    noticed = world.model.restored(then, by_command=by_command)
    world.ledger = world.open()
    if by_command:
        world.ledger.distrust(opt_outs_kept=kept)
        if not world.store.is_sqlite:
            world.model.known.opted = dict(then.known.opted)
            world.model.lost |= {one: None for one in before.opted if one not in then.known.opted}
    world.campaigns = list(then.campaigns)
    world.missing = world.ledger.missing_opt_outs() is not None
    hold(
        "copy",
        world.missing or not (noticed and world.model.lost),
        "opt-outs are missing, and nobody says so",
    )
    states = {row[0] for row in world.rows("SELECT state FROM campaign")}
    hold("copy", not noticed or not states & {"running", "scheduled"}, "campaigns go on")
    world.set_limits()
    world.ledger.outbox.set_pace(world.paced.rate)
    world.paced, world.gate_until = Paced(world.paced.rate), world.time
    how = "the command" if by_command else "hand"
    return f"by {how}, noticed: {noticed}, opt-outs missing: {world.missing}"


def quiet(world: World) -> None:
    """Everybody stops; what was on its way arrives."""
    world.pass_time(LATE_S + 60)
    for worker in world.workers:
        stop(worker)
    world.unseen = {}


def acknowledge(world: World, _a: int, _b: int, _c: int) -> str | None:
    """Somebody enters the opt-outs again, and says so."""
    if not world.missing:
        return None
    if world.model.lost:
        put_on_list(world, [*world.model.lost])
    world.ledger.acknowledge_missing_opt_outs("Ann")
    world.model.progress += 1
    world.missing = False
    return "entered"


ACTIONS = {one.__name__: one for one in (backup, copy, restore, put_back, acknowledge)}
