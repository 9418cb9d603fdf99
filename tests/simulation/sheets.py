"""What worlds send: a few dozen small sets of messages, checked once, as the ledger checks them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any

import pandas as pd
from fixtures_ledger import messages_frame

from dashboard.campaigns import sendable
from dashboard.ledger.freeze.freezing import of_campaign
from simulation.awake import SOME, Awake

SHEETS = 24
MOST_HOURS = 4


@dataclass(frozen=True)
class Sheet:
    """Messages as `sendable` gives them, what goes with them, and the hours by number."""

    messages: pd.DataFrame
    sent: Any
    awake: dict[str, Awake]


@cache
def sheet(number: int, size: int, start: datetime | None, handover: str, *, hours: bool) -> Sheet:
    """A set of messages; some have a time of their own soon after `start`, and some have hours."""
    rng = Random(f"sheet {number}")
    count = rng.randint(1, size)
    awake = _awake(rng, count) if hours else [None] * count
    frame = messages_frame(
        count,
        "Sim",
        first=rng.choice((0, 0, 5, 20)),
        credits_high=[rng.choice((1, 2, 2, 3)) for _ in range(count)],
        country=pd.Categorical([rng.choice(("GB", "DE")) for _ in range(count)]),
        texting_hours=pd.Categorical([one.text if one else "" for one in awake]),
    )
    if start:
        times = [_time(rng, start, one) for one in awake]
        frame["scheduled_at"] = pd.Series(times, dtype="datetime64[us, UTC]")
        frame["handover"] = pd.Categorical([handover] * count)
    chosen = sendable(frame)
    by_number = {to: one for to, one in zip(frame["to"], awake, strict=True) if one}
    return Sheet(chosen, of_campaign("Sim", chosen), by_number)


def _awake(rng: Random, count: int) -> list[Awake | None]:
    chosen = [*rng.sample(SOME, rng.randint(1, MOST_HOURS)), None]
    return [rng.choice(chosen) for _ in range(count)]


def _time(rng: Random, start: datetime, awake: Awake | None) -> Any:
    """A time within the hours, as `write_messages` chooses one, or none."""
    if rng.random() < 0.4:
        return pd.NaT
    at = start + timedelta(minutes=rng.choice((10, 40, 100)))
    return awake.begins(at) if awake else at
