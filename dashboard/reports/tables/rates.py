"""Shares of messages delivered with the range that they may really be in, to compare hours or texts."""

from __future__ import annotations

from datetime import datetime
from math import sqrt
from statistics import NormalDist

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns import checks_frames
from dashboard.errors import DashboardError, OptionError
from dashboard.reports.measures.counting import as_counts
from dashboard.reports.measures.standing import (
    delivered_share,
    finals,
    standings,
)
from dashboard.words import _

_EVEN = 0.5


@checks_frames
def delivery_rates(
    messages: pd.DataFrame,
    by: str | pd.Series,
    *,
    confidence: float = 0.95,
    now: datetime | None = None,
) -> pd.DataFrame:
    """The delivered share of each group, with the range that it can end in.

    Wilson's score interval (E. B. Wilson, 1927): it also holds for few messages and near 0 and 1. While
    messages are open it reaches from the lower end if none of them is delivered to the upper end if all are.

    Args:
        messages: As `Ledger.messages` gives them, or COUNTS.
        by: A column such as "variant", or your own values with the frame's index.
        confidence: The confidence of the interval.
        now: The current time, which decides what is final; the clock's if absent.

    Returns:
        value, messages (accepted), delivered, open, share (delivered ÷ accepted), share_at_most (if all that
        are open are delivered, while their news is awaited), low, high (0 to 1) and final (whether it can be
        compared); in the order of values. Only groups with any accepted.

    Example:
        >>> delivery_rates(messages, messages["sent_at"].dt.hour)
    """
    key = by if isinstance(by, str) else "value"
    frame = messages if isinstance(by, str) else messages.assign(value=by.astype("str"))
    frame = frame if "handed_over_at" in frame else frame.assign(handed_over_at=None)
    counted = as_counts(frame, [key, "state", "stage", "handed_over_at"], now=now)
    counted = counted[counted[key].notna()]
    groups = standings(counted, [key]).assign(final=finals(counted, [key], now=now))
    groups = groups[groups["accepted"] > 0].reset_index(drop=True)
    most = groups["delivered"] + groups["open"].mask(groups["final"], 0)
    table = pd.DataFrame(
        {
            "value": groups[key].astype("str"),
            "messages": groups["accepted"],
            "delivered": groups["delivered"],
            "open": groups["open"],
            "share": delivered_share(groups),
            "share_at_most": most / groups["accepted"],
        }
    )
    low = [_wilson(d, n, confidence)[0] for d, n in zip(table["delivered"], table["messages"], strict=True)]
    high = [_wilson(d, n, confidence)[1] for d, n in zip(most, table["messages"], strict=True)]
    ends = pd.DataFrame({"low": low, "high": high}, index=table.index, dtype="float64")
    return table.join(ends).assign(final=groups["final"].astype("bool"))


@checks_arguments()
def compare_rates(
    one: tuple[int, int], other: tuple[int, int], *, confidence: float = 0.95
) -> tuple[float, float]:
    """How much larger one share is than the other, as an interval; if it contains 0, either may be better.

    Newcombe's method 10 (R. G. Newcombe, Statistics in Medicine 17, 1998), made of Wilson's intervals.

    Args:
        one: Delivered, and accepted.
        other: The same of the other.
        confidence: The confidence of the interval.

    Raises:
        DashboardError: One of them has no messages.
        OptionError: More are delivered than accepted, or the confidence is not between 0 and 1.

    Example:
        >>> low, high = compare_rates((95, 100), (80, 100))
        >>> round(low, 3), round(high, 3)
        (0.059, 0.243)
    """
    if not one[1] or not other[1]:
        raise DashboardError(_("A share needs messages that the service accepted. Wait for them."))
    if not all(0 <= delivered <= known for delivered, known in (one, other)):
        raise OptionError(_("Give each share as two counts, the delivered first, then all accepted."))
    (low1, high1), (low2, high2) = (_wilson(*each, confidence) for each in (one, other))
    first, second = one[0] / one[1], other[0] / other[1]
    difference = first - second
    down = sqrt((first - low1) ** 2 + (high2 - second) ** 2)
    up = sqrt((high1 - first) ** 2 + (second - low2) ** 2)
    return difference - down, difference + up


def _wilson(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    if not 0 < confidence < 1:
        raise OptionError(_("The confidence of an interval is between 0 and 1, such as 0.95."))
    z = NormalDist().inv_cdf(_EVEN + confidence / 2)
    share, weight = hits / trials, z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / trials + weight / (4 * trials)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)
