"""Power: how many people it takes to tell two shares apart."""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist

from dashboard.arguments import checks_arguments
from dashboard.errors import DashboardError, OptionError
from dashboard.reports.measures.shares import CONFIDENCE, Share, quantile
from dashboard.words import _

POWER = 0.8


@checks_arguments()
def people_needed(
    one: tuple[float, float],
    other: tuple[float, float],
    *,
    power: float = POWER,
    confidence: float = CONFIDENCE,
) -> int | None:
    """How many people both groups need together to show a difference, if it is as large as the one observed.

    The normal approximation for two proportions of J. L. Fleiss, B. Levin and M. C. Paik (Statistical Methods
    for Rates and Proportions, 3rd ed. 2003, section 4.2), without continuity correction; the sizes keep
    their proportion. The difference observed may itself be chance: this plans the next test.

    Args:
        one: Delivered, and of how many.
        other: The same of the other.
        power: How likely the difference is then to be shown, 0 to 1.
        confidence: 1 - how often a difference is shown where there is none.

    Returns:
        The people of both groups together, those there already included; None if the shares are equal.

    Raises:
        DashboardError: One of them has no messages.
        OptionError: More are delivered than accepted, or the power is not between 0 and 1.

    Example:
        >>> people_needed((60, 100), (70, 100))  # 356 in each
        712
    """
    check_shares(one, other)
    quantile(confidence)
    if not 0 < power < 1:
        raise OptionError(_("The power of a test is between 0 and 1, such as 0.8."))
    first, second, ratio = one[0] / one[1], other[0] / other[1], other[1] / one[1]
    if first == second:
        return None
    by_chance, if_true = _spreads(first, second, ratio)
    reach = quantile(confidence) * by_chance + NormalDist().inv_cdf(power) * if_true
    size = reach**2 / (ratio * (first - second) ** 2)
    return ceil(size) + ceil(ratio * size)


def power_of(one: Share, other: Share, *, difference: float, confidence: float = CONFIDENCE) -> float:
    """How often groups of these sizes show a difference if there is one as large as `difference`, 0 to 1.

    `people_needed` turned round, around what both groups delivered together: the observed difference itself
    says nothing about it.

    Example:
        >>> round(power_of((230, 356), (231, 356), difference=0.1), 2)
        0.81
    """
    both = (one[0] + other[0]) / (one[1] + other[1])
    first = min(1.0, both + difference / 2)
    second = max(0.0, first - difference)
    ratio = other[1] / one[1]
    by_chance, if_true = _spreads(first, second, ratio)
    if not if_true:  # all against none
        return 1.0
    reach = sqrt(one[1] * ratio) * (first - second) - quantile(confidence) * by_chance
    return NormalDist().cdf(reach / if_true)


def _spreads(first: float, second: float, ratio: float) -> tuple[float, float]:
    """How far the difference of two shares strays, if there is none and if there is, per root of a person.

    Args:
        first: One share.
        second: The other.
        ratio: How many times as many people the other group has.
    """
    both = (first + ratio * second) / (1 + ratio)
    by_chance = sqrt((ratio + 1) * both * (1 - both))
    return by_chance, sqrt(ratio * first * (1 - first) + second * (1 - second))


def check_shares(one: tuple[float, float], other: tuple[float, float]) -> None:
    """Refuse what cannot be two shares."""
    if not one[1] or not other[1]:
        raise DashboardError(_("A share needs messages that the service accepted. Wait for them."))
    if not all(0 <= delivered <= known for delivered, known in (one, other)):
        raise OptionError(_("Give each share as two counts, the delivered first, then all accepted."))
