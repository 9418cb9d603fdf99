"""Where messages stand: each figure's one definition.

The names are the columns of `Ledger.campaigns()`; what follows from others is a function of anything that has
those by name: a row of COUNTS added up, a frame of campaigns, a dict of numbers.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.counting import Names, as_counts, named
from dashboard.reports.measures.stages import STAGE_OF_STATE, Stage

STATES = tuple(STAGE_OF_STATE)
FEWEST = 30
"""Fewer accepted messages say nothing about a share."""

LAST_NEWS = timedelta(hours=72)
"""How long after the handing over news is waited for; what is open then has no news."""

_GONE = (Stage.SENT.value, Stage.FAILED.value, Stage.DELIVERED.value)
_NEEDED = ("state", "stage")


class Named(Protocol):
    """Anything that has numbers of messages by name."""

    def __getitem__(self, name: Any, /) -> Any: ...


@checks_frames
def standings(frame: pd.DataFrame, by: Names = (), *, now: datetime | None = None) -> pd.DataFrame:
    """Where messages stand, group by group.

    Args:
        frame: As `Ledger.messages` gives them, or COUNTS.
        by: The column or columns that make the groups; without any there is one row.
        now: The current time, which decides what is still scheduled; the clock's if absent.

    Returns:
        The columns in `by`, sorted, then messages in each figure of `words.STANDING`; int64.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> standings(messages, "variant")[["variant", "accepted", "delivered"]]
    """
    by = named(by)
    counted = as_counts(frame, [*by, *_NEEDED], now=now)
    state, stage = counted["state"].astype("str"), counted["stage"].astype("str")
    accepted = state == "accepted"
    found = {
        **{name: state == name for name in STATES},
        "waiting": accepted & (stage == Stage.SCHEDULED),
        "sent": accepted & stage.isin(_GONE),
        "delivered": stage == Stage.DELIVERED,
        "failed": stage == Stage.FAILED,
    }
    each = pd.DataFrame({name: counted["messages"].where(chosen, 0) for name, chosen in found.items()})
    if not by:
        return with_derived(each.sum().astype("int64").to_frame().T)
    keys = [counted[name] for name in by]
    return with_derived(each.groupby(keys, observed=True, dropna=False).sum().astype("int64").reset_index())


def standing(frame: pd.DataFrame, *, now: datetime | None = None) -> dict[str, int]:
    """Where all the messages of a frame stand, see `standings`."""
    return {str(name): int(number) for name, number in standings(frame, now=now).iloc[0].items()}


def with_derived(of: pd.DataFrame) -> pd.DataFrame:
    """A frame with the messages in each state, such as `Ledger.campaigns()`, with what follows from those."""
    return of.assign(
        approved=approved(of), handed_over=handed_over(of), open=open_(of), not_sent_yet=not_sent_yet(of)
    )


def approved(of: Named) -> Any:
    """All messages frozen with the campaign."""
    return sum((of[state] for state in STATES[1:]), of[STATES[0]])


def handed_over(of: Named) -> Any:
    """Messages whose request left this machine, however that ended."""
    return of["accepted"] + of["rejected"] + of["unknown"] + of["abandoned"]


def open_(of: Named) -> Any:
    """Accepted messages of which the service has not said the last word."""
    return of["accepted"] - of["delivered"] - of["failed"]


def not_sent_yet(of: Named) -> Any:
    """Messages that are still to be handed over, or are being."""
    return of["ready"] + of["sending"]


def delivered_share(of: Named) -> Any:
    """Delivered ÷ accepted, 0 to 1; nan, or missing, without any accepted."""
    return _share(of["delivered"], of["accepted"])


def delivered_share_at_most(of: Named) -> Any:
    """What the delivered share becomes if every open message is delivered."""
    return _share(of["delivered"] + open_(of), of["accepted"])


def failed_share(of: Named) -> Any:
    """Failed ÷ accepted, 0 to 1; nan, or missing, without any accepted."""
    return _share(of["failed"], of["accepted"])


@checks_frames
def finals(frame: pd.DataFrame, by: Names = (), *, now: datetime | None = None) -> list[bool]:
    """Whether the groups of `standings` are final: nothing open or not sent yet, or no news for LAST_NEWS.

    The latter ends for open messages only: a group is not final while one is still to be handed over, as in a
    paused campaign, or waits at the service for its time.

    Args:
        frame: As `Ledger.messages` gives them, or COUNTS.
        by: The column or columns that make the groups.
        now: The current time; the clock's if absent.

    Returns:
        Whether each group is, in the order of `standings`.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> finals(messages, "campaign", now=datetime(2027, 1, 1, tzinfo=UTC))
        [True]
    """
    moment = now or datetime.now(UTC)
    by = named(by)
    counted = as_counts(frame, [*by, *_NEEDED, "handed_over_at"], now=moment)
    groups = standings(counted, by)
    at = counted["handed_over_at"]
    keys = [counted[name] for name in by] or pd.Series(0, counted.index)
    newest = at.groupby(keys, observed=True, dropna=False).max().reset_index(drop=True)
    silent = (newest + LAST_NEWS < moment) & (groups["waiting"] == 0)
    return ((groups["not_sent_yet"] == 0) & ((groups["open"] == 0) | silent)).tolist()


def _share(part: Any, whole: Any) -> Any:
    if isinstance(whole, pd.Series):
        return part.astype("float64") / whole.astype("float64").where(whole > 0)
    return part / whole if whole else float("nan")
