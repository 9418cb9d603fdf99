"""Shares and their differences: what they may really be, and how much of that may be chance.

A share is a pair: how many were delivered, and of how many. Neither has to be whole, because messages to the
same people count as fewer (`clusters`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, sqrt
from statistics import NormalDist

from dashboard.errors import OptionError
from dashboard.words import _

Share = tuple[float, float]

CONFIDENCE = 0.95
_HALF = 0.5
_HIGHEST_Z, _STEPS = 38.0, 60  # beyond 38 a chance is less than the smallest number there is


def wilson(share: Share, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The range in which the true share may lie.

    The score interval of E. B. Wilson (JASA 22, 1927), which also holds for few messages and near 0 and 1.

    Raises:
        OptionError: The confidence is not between 0 and 1.
    """
    return _wilson(share, quantile(confidence))


def newcombe(one: Share, other: Share, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The range of how much larger one share is than the other; if it contains 0, either may be.

    Method 10 of R. G. Newcombe (Statistics in Medicine 17, 1998, 873-890), made of Wilson's intervals.

    Raises:
        OptionError: The confidence is not between 0 and 1.
    """
    return _newcombe(one, other, quantile(confidence))


def chance(one: Share, other: Share) -> float:
    """How often chance alone makes two shares differ by this much or more, 0 to 1: Newcombe's p-value.

    That is 1 - the highest confidence at which Newcombe's interval leaves out 0, so that both always agree.
    """
    low, high = (one, other) if _of(one) < _of(other) else (other, one)
    inside, outside = 0.0, _HIGHEST_Z
    for _step in range(_STEPS):
        z = (inside + outside) / 2
        inside, outside = (z, outside) if _newcombe(high, low, z)[0] > 0 else (inside, z)
    return erfc(inside / sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for how many there are: at most 5 % of such families hold one below 0.05 by chance.

    S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    corrected, highest = [0.0] * len(chances), 0.0
    for place, (value, index) in enumerate(sorted((value, at) for at, value in enumerate(chances))):
        highest = max(highest, min(1.0, (len(chances) - place) * value))
        corrected[index] = highest
    return corrected


def quantile(confidence: float) -> float:
    """How many standard errors an interval of this confidence reaches to either side.

    Raises:
        OptionError: The confidence is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise OptionError(_("The confidence of an interval is between 0 and 1, such as 0.95."))
    return NormalDist().inv_cdf(_HALF + confidence / 2)


def _of(share: Share) -> float:
    return share[0] / share[1]


def _wilson(share: Share, z: float) -> tuple[float, float]:
    trials, part = share[1], _of(share)
    weight = z * z / trials
    middle = (part + weight / 2) / (1 + weight)
    half = z * sqrt(part * (1 - part) / trials + weight / (4 * trials)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def _newcombe(one: Share, other: Share, z: float) -> tuple[float, float]:
    (low1, high1), (low2, high2) = _wilson(one, z), _wilson(other, z)
    first, second = _of(one), _of(other)
    down = sqrt((first - low1) ** 2 + (high2 - second) ** 2)
    up = sqrt((high1 - first) ** 2 + (second - low2) ** 2)
    return first - second - down, first - second + up
