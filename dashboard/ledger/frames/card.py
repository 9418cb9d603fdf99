"""What a notebook shows of a ledger: its newest campaigns, and what waits for a decision."""

from __future__ import annotations

import pandas as pd

from dashboard.display import Card
from dashboard.words import plural

_SHOWN = ("name", "state", "recipients", "accepted", "delivered", "failed", "unknown", "credits_billed")
_CREATE = 'ledger.create_campaign("Spring", messages, batch_size=100)'


def card(place: str, campaigns: pd.DataFrame) -> Card:
    """The card of a ledger with these campaigns, as `Ledger.campaigns` gives them."""
    unknown = int(campaigns["unknown"].sum())
    await_ = plural(
        unknown,
        "{count} message awaits a decision: nobody can tell whether the service took it.",
        "{count} messages await a decision: nobody can tell whether the service took them.",
    )
    facts = [
        place,
        plural(len(campaigns), "{count} campaign", "{count} campaigns"),
        plural(int(campaigns["recipients"].sum()), "{count} message", "{count} messages"),
    ]
    step = f"ledger.messages({campaigns['campaign'].iloc[0]!r})" if len(campaigns) else _CREATE
    return Card("Ledger", facts, campaigns[[*_SHOWN]], [await_] if unknown else [], step)
