"""Backups, put back by the command and by hand."""

from __future__ import annotations

from simulation.people import put_on_list
from simulation.promises import hold
from simulation.service import LATE_S
from simulation.workers import stop
from simulation.world import Paced, World

KEPT = 3


def backup(world: World, a: int, _b: int, _c: int) -> str:
    made = world.store.copy(world.ledger, f"copy{len(world.copies) % KEPT}-{a}")
    world.copies = [*world.copies[1 - KEPT :], (made, world.model.snapshot(world.campaigns))]
    return "made"


def restore(world: World, a: int, _b: int, _c: int) -> str | None:
    """`python -m dashboard restore`, once everybody has stopped."""
    return _put_back(world, a, by_command=True)


def put_back(world: World, a: int, _b: int, _c: int) -> str | None:
    """A backup is put in the ledger's place by other means, and whatever opens it next notices."""
    return _put_back(world, a, by_command=False) if world.store.is_sqlite else None


def _put_back(world: World, a: int, *, by_command: bool) -> str | None:
    found = world.pick(world.copies, a)
    if found is None:
        return None
    made, then = found
    quiet(world)
    if by_command:
        kept = world.store.restore(made, world.time)
        world.ledger = world.open()
        world.ledger.distrust(opt_outs_kept=kept)
    else:
        world.store.put_back_by_hand(made)
        world.ledger = world.open()
    world.model.restored(then, takes_over=by_command and world.store.is_sqlite)
    world.campaigns = list(then.campaigns)
    world.missing = world.ledger.missing_opt_outs() is not None
    hold("copy", world.missing or not world.model.lost, "opt-outs are missing, and nobody says so")
    states = {row[0] for row in world.rows("SELECT state FROM campaign")}
    hold("copy", not states & {"running", "scheduled"}, "campaigns go on")
    world.set_limits()
    world.ledger.outbox.set_pace(world.paced.rate)
    world.paced, world.gate_until = Paced(world.paced.rate), world.time
    return f"by {'the command' if by_command else 'hand'}, opt-outs missing: {world.missing}"


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
    world.missing = False
    return "entered"


ACTIONS = {one.__name__: one for one in (backup, restore, put_back, acknowledge)}
