"""How far each message got, in our own words.

The contract names one status, "pending", and documents no others, so the service's word is kept as it came
and never interpreted. The stage comes from what is documented: failure_reason, delivered_at, sent_at and
scheduled_at (contract, section 3), on top of what our ledger knows about the sending. If a message has both a
failure reason and a time of delivery, it was delivered: the ledger counts it that way too. Its time has come
when the quarter of an hour has ended in which it is scheduled: all times are counted by quarters.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.errors import DashboardError
from dashboard.words import N_, _


class Stage(StrEnum):
    """Where a message is, from first to last; the order of every table and figure.

    Example:
        >>> messages[stages(messages) == Stage.FAILED]["failure_reason"].value_counts()
    """

    NOT_SENT_YET = N_("not sent yet")
    SCHEDULED = N_("scheduled")
    ACCEPTED = N_("accepted")
    SENT = N_("sent")
    DELIVERED = N_("delivered")
    FAILED = N_("failed")
    UNKNOWN = N_("unknown")
    REJECTED = N_("rejected")
    CANCELLED = N_("cancelled")
    DROPPED = N_("dropped")
    ABANDONED = N_("abandoned")


_WORDS = {
    Stage.NOT_SENT_YET: N_("Not sent yet"),
    Stage.SCHEDULED: N_("Scheduled"),
    Stage.ACCEPTED: N_("Accepted"),
    Stage.SENT: N_("Sent"),
    Stage.DELIVERED: N_("Delivered"),
    Stage.FAILED: N_("Failed"),
    Stage.UNKNOWN: N_("Unknown"),
    Stage.REJECTED: N_("Rejected"),
    Stage.CANCELLED: N_("Cancelled"),
    Stage.DROPPED: N_("Dropped"),
    Stage.ABANDONED: N_("Abandoned"),
}

STAGE_DTYPE = pd.CategoricalDtype([stage.value for stage in Stage], ordered=True)

STAGE_OF_STATE = {
    "ready": Stage.NOT_SENT_YET,
    "sending": Stage.NOT_SENT_YET,
    "accepted": Stage.ACCEPTED,
    "rejected": Stage.REJECTED,
    "unknown": Stage.UNKNOWN,
    "abandoned": Stage.ABANDONED,
    "cancelled": Stage.CANCELLED,
    "dropped": Stage.DROPPED,
}
"""What is known from a message's state alone; the states in the ledger's order."""

MAY_BE_SCHEDULED = ("ready", "accepted")
"""States in which a message may still wait for its own time: here, or at the service."""

STATE_DTYPE = pd.CategoricalDtype(list(STAGE_OF_STATE))
QUARTER = timedelta(minutes=15)


def stage_words(stage: str) -> str:
    """A stage as people read it: `Not sent yet`."""
    return _(_WORDS[Stage(stage)])


@checks_frames
def stages(messages: pd.DataFrame, *, now: datetime | None = None) -> pd.Series:
    """The stage of each message.

    Args:
        messages: As `Ledger.messages` gives them.
        now: The current time, which decides what is still scheduled; the clock's if absent.

    Returns:
        An ordered category of `Stage`, with the frame's index. Only an accepted message can be sent, failed
        or delivered: in the ledger any news of one proves that it was accepted.

    Raises:
        DashboardError: The ledger has no such state.

    Example:
        >>> stages(messages).value_counts()
    """
    state = messages["state"].astype("category").cat
    words = list(state.categories)
    present = np.unique(state.codes.to_numpy())
    if not all(code >= 0 and words[code] in STAGE_OF_STATE for code in present):
        raise DashboardError("A message has a state that this version does not know. Update the program.")
    codes = np.array([_code(STAGE_OF_STATE.get(word, Stage.UNKNOWN)) for word in words], np.int8)
    stage = codes[state.codes.to_numpy()] if words else np.empty(0, np.int8)
    at_service = stage == _code(Stage.ACCEPTED)
    waiting = messages["state"].isin(MAY_BE_SCHEDULED)
    later = times(messages, "scheduled_at") > start_of_quarter(now or datetime.now(UTC))
    stage[(waiting & later).to_numpy()] = _code(Stage.SCHEDULED)
    stage[at_service & times(messages, "sent_at").notna().to_numpy()] = _code(Stage.SENT)
    stage[at_service & messages["failure_reason"].notna().to_numpy()] = _code(Stage.FAILED)
    stage[at_service & times(messages, "delivered_at").notna().to_numpy()] = _code(Stage.DELIVERED)
    return pd.Series(pd.Categorical.from_codes(stage, dtype=STAGE_DTYPE), messages.index, name="stage")


def in_order(column: pd.Series, words: pd.CategoricalDtype) -> pd.Series:
    """The column with all of these words in this order; `astype` leaves them unordered if none is new."""
    return column.astype("category").cat.set_categories(words.categories, ordered=words.ordered)


def start_of_quarter(now: datetime) -> datetime:
    """When the quarter of an hour began: whatever is scheduled after that still waits for its time."""
    moment = now.astimezone(UTC)
    return moment - (moment - datetime.min.replace(tzinfo=UTC)) % QUARTER


def _code(stage: Stage) -> int:
    return list(Stage).index(stage)


@checks_frames
def times(messages: pd.DataFrame, column: str) -> pd.Series:
    """A column of times as aware UTC, even if nothing in it has happened yet."""
    return pd.to_datetime(messages[column], utc=True)
