"""How far each message got, in words of our own.

The contract names one status, "pending", and documents no others, so the service's word is kept as it came
and never interpreted. The stage comes from what is documented: failure_reason, delivered_at, sent_at and
scheduled_at (contract, section 3), on top of what our ledger knows of the sending. Where a message has both
a failure reason and a time of delivery, it was delivered: the ledger counts it so too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum

import pandas as pd

from dashboard.errors import DashboardError


class Stage(StrEnum):
    """Where a message is, from first to last; the order of every table and figure."""

    NOT_SENT_YET = "not sent yet"
    SCHEDULED = "scheduled"
    ACCEPTED = "accepted"
    SENT = "sent"
    DELIVERED = "delivered"
    FAILED = "failed"
    UNKNOWN = "unknown"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    DROPPED = "dropped"
    ABANDONED = "abandoned"


STAGE_DTYPE = pd.CategoricalDtype([stage.value for stage in Stage], ordered=True)

_STAGE_OF_STATE = {
    "ready": Stage.NOT_SENT_YET,
    "sending": Stage.NOT_SENT_YET,
    "accepted": Stage.ACCEPTED,
    "unknown": Stage.UNKNOWN,
    "rejected": Stage.REJECTED,
    "cancelled": Stage.CANCELLED,
    "dropped": Stage.DROPPED,
    "abandoned": Stage.ABANDONED,
}


def stages(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.Series:
    """The stage of each message.

    Args:
        messages: As `Ledger.messages` gives them.
        now: The present, which tells what is still scheduled; the clock's when absent.

    Returns:
        An ordered category of `Stage`, with the frame's index.

    Raises:
        DashboardError: A state is none of the ledger's.
    """
    state = messages["state"].astype("str")
    if not set(state.unique()) <= set(_STAGE_OF_STATE):
        raise DashboardError("A message has a state that this version does not know. Update the program.")
    later = times(messages, "scheduled_at") > (now or datetime.now(UTC))
    waiting = state.isin(["ready", "accepted"]) & later
    at_service = state.isin(["accepted", "unknown"])
    stage = (
        state.map({state: stage.value for state, stage in _STAGE_OF_STATE.items()})
        .mask(waiting, Stage.SCHEDULED.value)
        .mask(at_service & times(messages, "sent_at").notna(), Stage.SENT.value)
        .mask(at_service & messages["failure_reason"].notna(), Stage.FAILED.value)
        .mask(at_service & times(messages, "delivered_at").notna(), Stage.DELIVERED.value)
    )
    return stage.astype(STAGE_DTYPE).rename("stage")


def times(messages: pd.DataFrame, column: str) -> pd.Series:
    """A column of times as aware UTC, also when nothing in it has happened yet."""
    return pd.to_datetime(messages[column], utc=True)
