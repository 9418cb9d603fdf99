"""Nights: time passes by hours, and to the edge of those in which people may be texted."""

from __future__ import annotations

from datetime import datetime, timedelta

from simulation import workers
from simulation.awake import Awake
from simulation.world import World

HOURS = (1, 2, 5, 11)
AROUND_S = (-125, -61, -31, -2, 0, 0, 2, 400, 1500)
BEFORE_S, HELD_UP_S = 31, (0, 28, 45, 59, 75)


def night(world: World, a: int, _b: int, _c: int) -> str:
    hours = HOURS[a % len(HOURS)]
    world.pass_time(hours * 3600)
    return f"{hours} h"


def turn(world: World, a: int, b: int, _c: int) -> str | None:
    """Until about when the hours of some begin or end."""
    awake = world.pick([one for one in _to_be_texted(world) if one], a)
    if awake is None:
        return None
    around = AROUND_S[b % len(AROUND_S)]
    after = world.time + timedelta(seconds=max(-around, 0))
    _until(world, awake.turns(after) + timedelta(seconds=around))
    return f"{around} s around the turn of {awake.text}"


def brink(world: World, a: int, b: int, c: int) -> str | None:
    """Something is claimed just before hours end, and whoever claimed it is held up before the request."""
    awake = world.pick([one for one in _to_be_texted(world) if one], a)
    if awake is None:
        return None
    end = awake.turns(awake.begins(world.time + timedelta(seconds=BEFORE_S)))
    _until(world, end - timedelta(seconds=BEFORE_S))
    claimed = workers.claim(world, a, b, c)
    held_up = HELD_UP_S[c % len(HELD_UP_S)]
    world.pass_time(held_up)
    return f"{BEFORE_S} s before the end of {awake.text}: {claimed}, and {held_up} s more"


def dawn(world: World, _a: int, _b: int, _c: int) -> str | None:
    """Until the first who are still to be texted may be, if nobody may be now."""
    first = min((one.begins(world.time) if one else world.time for one in _to_be_texted(world)), default=None)
    if first is None or first == world.time:
        return None
    _until(world, first)
    return f"{first:%d %H:%M}"


def _to_be_texted(world: World) -> list[Awake | None]:
    """The hours of everybody for whom something is ready, each once."""
    found = world.rows(
        "SELECT m.uuid FROM batch b JOIN campaign c ON c.id = b.campaign_id "
        "JOIN message m ON m.id = b.first_message WHERE c.state = 'running' AND b.state = 'ready' "
        "ORDER BY m.id"
    )
    return [*dict.fromkeys(world.model.known.texts[row[0]].awake for row in found)]


def _until(world: World, moment: datetime) -> None:
    world.pass_time((moment - world.time).total_seconds())


ACTIONS = {one.__name__: one for one in (night, turn, brink, dawn)}
