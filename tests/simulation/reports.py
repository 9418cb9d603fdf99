"""Delivery reports in any order."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from dashboard.service import read_message
from simulation.chance import uuid_of
from simulation.model import plain
from simulation.promises import hold
from simulation.service import said
from simulation.world import World


def report(world: World, a: int, b: int, c: int) -> str | None:
    """A few reports of what the service took, some of which came before."""
    rng = Random(a << 32 | b << 16 | c)
    taken = [uuid for uuid in world.service.taken if uuid in world.model.known.texts]
    if not taken:
        return None
    reports = []
    for _ in range(1 + c % 5):
        again = bool(world.told) and rng.random() < 0.25
        reports.append(rng.choice(world.told) if again else _report(world, rng.choice(taken), rng))
    world.told = (world.told + reports)[-30:]
    tell(world, [one for one in reports if one["uuid"] in world.model.known.texts])
    return ", ".join(one["status"] for one in reports)


def _report(world: World, uuid: str, rng: Random) -> dict[str, Any]:
    def at() -> str:
        return said(world.service.made[uuid] + timedelta(minutes=rng.randint(1, 9)))

    fields: dict[str, Any] = rng.choice(
        (
            {"scheduled_at": said(world.service.made[uuid] + timedelta(hours=1))},
            {"status": "sent", "sent_at": at()},
            {"status": "delivered", "sent_at": at(), "delivered_at": at()},
            {"status": "failed", "failure_reason": rng.choice(("blocked", "absent " * 40))},
            {"status": "failed", "sent_at": at(), "failure_reason": "blocked", "network": "one"},
        )
    )
    return world.service.message(uuid, rng, **fields)


def tell(world: World, reports: list[dict[str, Any]]) -> None:
    before = {one["uuid"] for one in reports} & world.model.known.said.keys()
    result = world.ledger.record_reports(reports)
    hold("stray", not result.unknown_uuids and not result.unreadable, "one of ours was set aside")
    hold("merged", result.taken + result.stale == len(reports), "not each was counted")
    for one in reports:
        message = read_message(one)
        if message:
            world.model.heard(one["uuid"], plain(message))
    hold("merged", result.taken >= len({one["uuid"] for one in reports} - before), "news counted as old")


def stray(world: World, _a: int, _b: int, _c: int) -> str:
    odd: list[dict[str, Any]] = [{"uuid": str(uuid_of(world.rng)), "status": "sent"}, {"status": "sent"}]
    result = world.ledger.record_reports(odd)
    hold("stray", (len(result.unknown_uuids), result.unreadable) == (1, 1), "not set aside")
    return "two"


ACTIONS = {one.__name__: one for one in (report, stray)}
