"""Shares of messages delivered with the range that they may really be in, to compare hours or texts."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.campaigns import checks_frames
from dashboard.errors import DashboardError, OptionError
from dashboard.reports.tables.stages import Stage, stages
from dashboard.words import _

_ENDED = (Stage.DELIVERED.value, Stage.FAILED.value)
_EVEN = 0.5


@checks_frames
def delivery_rates(messages: pd.DataFrame, by: str | pd.Series, *, confidence: float = 0.95) -> pd.DataFrame:
    """The share delivered, of the messages whose outcome is known, with its interval.

    Wilson's score interval (E. B. Wilson, 1927): it also holds for few messages and near 0 and 1, and
    messages still on their way do not pull a share down.

    Args:
        messages: As `Ledger.messages` gives them.
        by: A column such as "variant", or your own values with the frame's index.
        confidence: The confidence of the interval.

    Returns:
        value, messages (delivered or failed), delivered, share, low, high (0 to 1); in the order of values.

    Example:
        >>> delivery_rates(messages, messages["sent_at"].dt.hour)
    """
    values = messages[by] if isinstance(by, str) else by
    stage = stages(messages)
    ended = stage.isin(_ENDED) & values.notna()
    each = pd.DataFrame({"value": values[ended], "delivered": stage[ended] == Stage.DELIVERED})
    counts = each.groupby("value", observed=True)["delivered"].agg(messages="size", delivered="sum")
    table = counts.astype("int64").reset_index().astype({"value": "str"})
    ends = [_wilson(d, n, confidence) for d, n in zip(table["delivered"], table["messages"], strict=True)]
    bounds = pd.DataFrame(ends, columns=["low", "high"], index=table.index, dtype="float64")
    return table.assign(share=table["delivered"] / table["messages"]).join(bounds)


@checks_arguments()
def compare_rates(
    one: tuple[int, int], other: tuple[int, int], *, confidence: float = 0.95
) -> tuple[float, float]:
    """How much larger one share is than the other, as an interval; if it contains 0, either may be better.

    Newcombe's method 10 (R. G. Newcombe, Statistics in Medicine 17, 1998), made of Wilson's intervals.

    Args:
        one: Delivered, and messages whose outcome is known.
        other: The same of the other.
        confidence: The confidence of the interval.

    Raises:
        DashboardError: One of them has no messages.
        OptionError: More are delivered than have an outcome, or the confidence is not between 0 and 1.

    Example:
        >>> low, high = compare_rates((95, 100), (80, 100))
        >>> round(low, 3), round(high, 3)
        (0.059, 0.243)
    """
    if not one[1] or not other[1]:
        raise DashboardError(_("A share needs messages whose outcome is known. Wait for delivery reports."))
    if not all(0 <= delivered <= known for delivered, known in (one, other)):
        raise OptionError(_("Give each share as two counts, the delivered first, then all with an outcome."))
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
