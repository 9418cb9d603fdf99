"""Caps in mid-life: raised by whoever sends, or by marketers on their page, whose word then counts."""

from __future__ import annotations

from dashboard.ledger import Limits
from dashboard.ledger.outbox.gate import CAPS, read_gate
from dashboard.settings import Settings, load_settings
from simulation.promises import hold
from simulation.world import Worker, World

GIVEN: Settings = load_settings(data="somewhere")


def limits(world: World, a: int, b: int, c: int) -> str:
    """Caps are raised, and the share of failures that pauses changes nothing of the past."""
    campaign, day = world.caps
    world.caps = (campaign and campaign + a % 10, day and day + b % 10)
    if world.has.kind == "caps" and (world.decided or c % 2):
        world.decided = True
        world.ledger.settings.change(dict(zip(CAPS, world.caps, strict=True)), who="Ann", given=GIVEN)
    else:
        world.set_limits()
    return f"{world.caps}{', decided on the page' if world.decided else ''}"


def bring(world: World, worker: Worker) -> None:
    """An engine begins to send, with the caps of its environment, or none where marketers decided."""
    caps = (None, None) if world.decided else world.caps
    brought = Limits(world.has.share, *caps, world.has.watches_opt_outs)
    worker.ledger.outbox.set_limits(brought, worker.owner)
    with world.database.read() as connection:
        gate = read_gate(connection)
    found = (gate.credits_per_campaign, gate.credits_per_day)
    hold("cap", found == world.caps, f"{found} after an engine began, instead of {world.caps}")
