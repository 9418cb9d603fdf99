"""At which hours of the week messages get through, and whether an hour stands out by more than chance."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pandas as pd

from dashboard.campaigns import checks_frames
from dashboard.reports.measures.clusters import by_campaign, of_campaigns
from dashboard.reports.measures.counting import as_counts
from dashboard.reports.measures.shares import CONFIDENCE, chance, holm
from dashboard.reports.measures.standing import (
    FEWEST,
    delivered_share,
    finals,
    standings,
)
from dashboard.reports.tables.comparing.rates import with_ends

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_KEYS = ["weekday", "hour"]
_SEVERAL = 2


@checks_frames
def delivered_by_hour(
    messages: pd.DataFrame, *, tz: str = "UTC", now: datetime | None = None
) -> pd.DataFrame:
    """The delivered share by the weekday and hour at which messages were handed over.

    An hour stands out if more got through than in all other hours together by more than chance: Newcombe's
    p-value, corrected for the number of hours (Holm). Only hours that are final, with at least two campaigns
    of 30 messages or more, each of which did better than the other hours: otherwise it may be the campaign.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS; of one campaign or of many together.
        tz: Time zone of the hours, such as "Europe/Berlin".
        now: The current time, which decides what is final; the clock's if absent.

    Returns:
        weekday ("Mon" …), hour (0 to 23), messages (accepted of those handed over then), delivered, open,
        share (delivered ÷ accepted), share_at_most, independent, low, high and final as `delivery_rates` has
        them, campaigns (how many they are from) and stands_out. Only hours with any accepted.

    Raises:
        FrameError: The frame lacks columns, or has something other than numbers or times where these belong.

    Example:
        >>> delivered_by_hour(ledger.messages(), tz="Europe/London")[["weekday", "hour", "share"]]
    """
    counted = as_counts(messages, ["campaign", "handed_over_at", "state", "stage"], now=now)
    taken = counted[(counted["state"] == "accepted") & counted["handed_over_at"].notna()]
    local = taken["handed_over_at"].dt.tz_convert(tz)
    weekday = pd.Categorical.from_codes(local.dt.day_of_week.to_numpy(), pd.Index(WEEKDAYS), ordered=True)
    each = taken.assign(weekday=weekday, hour=local.dt.hour.to_numpy("int64"))
    hours = standings(each, _KEYS)
    accepted = by_campaign(each, _KEYS)
    delivered = by_campaign(
        each.assign(messages=each["messages"].where(each["stage"] == "delivered", 0)), _KEYS
    )
    of, got = accepted.to_numpy("float64"), delivered.to_numpy("float64")
    table = pd.DataFrame(
        {
            **{name: hours[name] for name in _KEYS},
            "messages": hours["accepted"],
            "delivered": hours["delivered"],
            "open": hours["open"],
            "share": delivered_share(hours),
        }
    )
    final = pd.Series(finals(each, _KEYS, now=now), dtype="bool")
    return with_ends(table, of_campaigns(of), final).assign(
        campaigns=(of > 0).sum(axis=1), stands_out=_stands_out(of, got, final.to_numpy())
    )


def _stands_out(of: np.ndarray, got: np.ndarray, final: np.ndarray) -> np.ndarray:
    """Which hours (rows) did better than all other final ones, from each campaign's (columns) messages."""
    of, got = of * final[:, None], got * final[:, None]
    others_of, others_got = of.sum(axis=0) - of, got.sum(axis=0) - got
    sizes, others = of_campaigns(of), of_campaigns(others_of)
    large = of >= FEWEST
    sound = (large.sum(axis=1) >= _SEVERAL) & (sizes >= FEWEST) & (others >= FEWEST)
    shares, rest = (
        np.divide(part.sum(axis=1), whole.sum(axis=1), out=np.zeros(len(of)), where=sound)
        for part, whole in ((got, of), (others_got, others_of))
    )
    chances = holm(
        [
            chance((shares[at] * sizes[at], sizes[at]), (rest[at] * others[at], others[at]))
            for at in np.flatnonzero(sound)
        ]
    )
    everywhere = (~large | (got > rest[:, None] * of)).all(axis=1)
    found = np.zeros(len(of), bool)
    found[sound] = np.array(chances, "float64") < 1 - CONFIDENCE
    return np.asarray(found & everywhere & (shares > rest), bool)
