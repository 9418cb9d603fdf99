"""What worlds send: a few dozen small sets of messages, checked once, as the ledger checks them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any

import pandas as pd
from fixtures_ledger import messages_frame

from dashboard.campaigns import sendable
from dashboard.ledger.freeze.freezing import of_campaign

SHEETS = 24
DAY = datetime(2026, 11, 20, tzinfo=UTC)


@cache
def sheet(number: int, hour: int, size: int, *, held: bool) -> tuple[pd.DataFrame, Any]:
    """The messages of a set, as `sendable` and `of_campaign` give them; some have a time of their own."""
    rng = Random(f"sheet {number}")
    count = rng.randint(1, size)
    start = DAY + timedelta(hours=hour, minutes=30)
    times = [
        start + timedelta(minutes=rng.choice((10, 40, 100))) if rng.random() < 0.6 else pd.NaT
        for _ in range(count)
    ]
    frame = messages_frame(
        count,
        "Sim",
        first=rng.choice((0, 0, 5, 20)),
        credits_high=[rng.choice((1, 2, 2, 3)) for _ in range(count)],
        country=pd.Categorical([rng.choice(("GB", "DE")) for _ in range(count)]),
    )
    if held:
        frame["scheduled_at"] = pd.Series(times, dtype="datetime64[us, UTC]")
        frame["handover"] = pd.Categorical(["hold"] * count)
    chosen = sendable(frame)
    return chosen, of_campaign("Sim", chosen)
