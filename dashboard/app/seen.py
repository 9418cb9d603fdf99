"""What whoever is looking may see of people's numbers, take along and change: the one place that asks."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from dashboard.app import runtime
from dashboard.app.masking import masked, masked_frame
from dashboard.app.people import signed_in

Seen = Callable[[pd.DataFrame], pd.DataFrame]


def rows_seen() -> Seen:
    """What makes of a frame what the person looking may see of it; to be called outside the session, too."""
    return in_full if signed_in().sees_numbers else masked_frame


def text_seen(text: str) -> str:
    """What the person looking may see of a text."""
    return text if signed_in().sees_numbers else masked(text)


def may_change() -> bool:
    """Whether the person looking may change the campaigns shown; made-up ones are only to look at."""
    return signed_in().may("sender") and runtime.current().sample_history.ledger is None


def in_full(frame: pd.DataFrame) -> pd.DataFrame:
    """What somebody sees who sees everything."""
    return frame
