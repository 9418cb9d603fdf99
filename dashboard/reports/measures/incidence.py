"""How soon something happens that something else can prevent: a failed message is never delivered.

Counting failures as messages whose time has not come would promise too much (Kaplan-Meier's estimate adds up
to more than all of them), and leaving out what is still open too little. The estimator of O. O. Aalen and
S. Johansen (Scandinavian Journal of Statistics 5, 1978, 141-150) does neither. Its variance is that of
E. Marubini and M. G. Valsecchi (Analysing Survival Data from Clinical Trials, 1995, section 10.3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dashboard.reports.measures.shares import quantile

OPEN, DELIVERED, FAILED = 0, 1, 2
"""What ended each wait: nothing so far, or one of the two."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Incidence:
    """What had happened within some times, one entry for each.

    Attributes:
        at_risk: How many had waited that long, with neither event before.
        delivered: The share delivered by then, 0 to 1.
        low: Lower end of its interval.
        high: Upper end.
        failed: The share failed by then.
    """

    at_risk: npt.NDArray[np.int64]
    delivered: Floats
    low: Floats
    high: Floats
    failed: Floats


def incidence(waited: Floats, ended: npt.NDArray[np.int8], within: Floats, confidence: float) -> Incidence:
    """The shares delivered and failed within some times.

    Args:
        waited: How long each waited for its event, or has waited so far.
        ended: OPEN, DELIVERED or FAILED.
        within: The times asked for, in the unit of `waited`.
        confidence: Of the intervals.
    """
    times, place = np.unique(waited, return_inverse=True)
    ends: list[Floats] = [
        np.bincount(place, ended == kind, len(times)).astype(np.float64) for kind in (OPEN, DELIVERED, FAILED)
    ]
    delivered, failed = ends[DELIVERED], ends[FAILED]
    left = np.concatenate([[0.0], np.cumsum(sum(ends))[:-1]]) if len(times) else np.empty(0)
    at_risk = len(waited) - left
    still = np.cumprod(1 - (delivered + failed) / at_risk)
    before = np.concatenate([[1.0], still[:-1]]) if len(times) else np.empty(0)
    by_then = np.searchsorted(times, within, side="right")
    shares = [np.concatenate([[0.0], np.cumsum(before * each / at_risk)]) for each in (delivered, failed)]
    errors = np.array([_error(shares[0], before, at_risk, delivered, failed, end) for end in by_then])
    low, high = _ends(shares[0][by_then], errors, quantile(confidence))
    waiting = len(waited) - np.searchsorted(np.sort(waited), within, side="left")
    return Incidence(waiting, shares[0][by_then], low, high, shares[1][by_then])


def _error(
    share: Floats, before: Floats, at_risk: Floats, delivered: Floats, failed: Floats, end: int
) -> float:
    """The standard error of the share delivered after the first `end` times."""
    n, d = at_risk[:end], delivered[:end]
    every = d + failed[:end]
    later = share[end] - share[1 : end + 1]
    ending = np.divide(every, n * (n - every), out=np.zeros(end), where=n > every)
    ahead = before[:end]
    parts = later**2 * ending + ahead**2 * (1 - d / n) * d / n**2 - 2 * later * ahead * d / n**2
    return float(np.sqrt(max(0.0, parts.sum())))


def _ends(share: Floats, error: Floats, z: float) -> tuple[Floats, Floats]:
    """An interval within 0 and 1, by way of log(-log(share))."""
    inside = (share > 0) & (share < 1)
    logarithm = np.log(np.where(inside, share, 0.5))
    reach = z * error / np.where(inside, share * np.abs(logarithm), 1)
    low, high = (np.where(inside, share ** np.exp(side * reach), share) for side in (1, -1))
    return low, high
