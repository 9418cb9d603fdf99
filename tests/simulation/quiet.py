"""What must hold of the hours in which people may be texted: at a claim, at a request, in a wait."""

from __future__ import annotations

from datetime import datetime, timedelta

from dashboard.ledger.outbox.claims import Claim
from simulation.promises import hold
from simulation.world import Flight, Worker, World

SOON = timedelta(minutes=3)
"""A request may leave a minute after its claim, with times moved on by two minutes: they must not pass."""


def check_claimed(world: World, got: Claim) -> None:
    """By the clock of whoever claims, in every kind of world."""
    _check(world, got, got.claimed_at)


def check_requested(world: World, flight: Flight) -> None:
    """By the clock of the world, when the request leaves."""
    if not world.skewed:
        _check(world, flight.claim, world.time)


def _check(world: World, claim: Claim, now: datetime) -> None:
    for message in claim.messages:
        awake = world.model.known.texts[message.uuid or ""].awake
        if awake:
            goes = max(message.scheduled_at or now, now)
            hold("quiet", awake.at(goes), f"texted at {goes}, hours are {awake.text}")


def check_held(world: World, worker: Worker, campaign: str) -> None:
    """What is held back says so, and goes on as soon as the hours begin."""
    now = round((world.time + worker.offset).timestamp() * 1e6)
    held = world.rows(
        "SELECT m.uuid, b.due_at FROM batch b JOIN message m ON m.id = b.first_message "
        f"WHERE b.campaign_id = '{campaign}' AND b.state = 'ready' AND b.due_at > {now} "
        "AND b.reason LIKE '%may be texted%'"
    )
    hold("quiet", held, "held back, and no batch says so")
    for uuid, due_at in held:
        awake = world.model.known.texts[uuid].awake
        hold("quiet", awake, "held back, though there are no hours")
        if awake and not world.skewed:
            until = round(awake.begins(world.time + SOON).timestamp() * 1e6)
            hold("quiet", due_at <= until, f"{(due_at - until) / 1e6:.0f} s too long, hours are {awake.text}")
    world.hits["held back by hours"] += 1
