"""The simulated carriers: pending messages become sent, sent ones delivered or failed, each when due."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from dashboard.sandbox.simulation import Simulation, fate
from dashboard.sandbox.store import Change, Store

TICK_S = 0.1
AT_ONCE = 1000


def now_us() -> int:
    """The time in microseconds since 1970."""
    return time.time_ns() // 1000


def deliver(store: Store, simulation: Simulation, *, now_us: int) -> int:
    """Take the next step of up to a thousand messages that are due; returns how many took one."""
    changes = [
        _step(number, uuid, status, simulation, now_us)
        for number, uuid, status in store.due(now_us, limit=AT_ONCE)
    ]
    if changes:
        store.change(changes)
    return len(changes)


async def keep_delivering(store: Store, simulation: Callable[[], Simulation]) -> None:
    """Deliver forever; `simulation` returns the current settings."""
    while True:
        busy = deliver(store, simulation(), now_us=now_us()) == AT_ONCE
        await asyncio.sleep(0 if busy else TICK_S)


def _step(number: int, uuid: str, status: str, simulation: Simulation, now_us: int) -> Change:
    lot = fate(uuid, simulation)
    if status == "pending":
        return Change(number, "sent", None, now_us, None, now_us + lot.delivery_delay_us)
    if lot.failure_reason is not None:
        return Change(number, "failed", lot.failure_reason, None, None, None)
    return Change(number, "delivered", None, None, now_us, None)
