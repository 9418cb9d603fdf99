"""How often the statistics are wrong, by simulation: verdicts without a difference, intervals that miss.

    python tests/benchmarks/statistics_errors.py

Draws what becomes of campaigns of which the truth is known, from a fixed seed, and asks the product's own
functions. The figures in docs/analysts.md are from this.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import pandas as pd

from dashboard.reports import compare_groups, compare_rates, people_needed
from dashboard.reports.measures.clusters import of_campaigns
from dashboard.reports.measures.shares import newcombe, wilson

SEED = 18
SHARE = 0.93
EACH, LOOKS, GROUPS, CAMPAIGNS = 1000, 100, 10, 5
SIZES = (30, 100, 1000)
SHARES = (0.5, 0.8, 0.93, 0.99)
APART = 0.05
Draw = np.random.Generator


def differs(delivered: np.ndarray, of: np.ndarray) -> bool:
    """Whether the product gives any verdict on these groups."""
    rates = pd.DataFrame(
        {"value": [str(n) for n in range(len(of))], "messages": of, "delivered": delivered}
        | {"share": delivered / of, "final": True}
    )
    return bool(compare_groups(rates)["differs"].any())


def looked_at(draw: Draw) -> tuple[bool, bool]:
    """An A/A test looked at 100 times while news arrives: any verdict on the way, and the one at its end."""
    arrived = draw.random((2, EACH)) < SHARE
    looks = np.linspace(EACH // LOOKS, EACH, LOOKS).astype(int)
    known = [(arrived[:, :look].sum(axis=1), look) for look in looks]
    impatient = any(excludes_0(newcombe((hits[0], of), (hits[1], of))) for hits, of in known)
    return impatient, differs(known[-1][0], np.array([EACH, EACH]))


def many_groups(draw: Draw) -> tuple[bool, bool]:
    """Ten groups without a difference: any of the 45 pairs by itself, and after Holm's correction."""
    hits = draw.binomial(EACH, SHARE, GROUPS)
    best, worst = int(hits.max()), int(hits.min())
    alone = compare_rates((best, EACH), (worst, EACH))[0] > 0
    return alone, differs(hits, np.full(GROUPS, EACH))


def same_people(draw: Draw) -> tuple[bool, bool]:
    """Two halves of the people texted in five campaigns, whose fates are alike: by message, and by person."""
    odds = draw.beta(SHARE, 1 - SHARE, (2, EACH // CAMPAIGNS))
    hits = draw.binomial(CAMPAIGNS, odds).sum(axis=1)
    by_person = float(of_campaigns(np.full((1, CAMPAIGNS), EACH / CAMPAIGNS))[0])
    one, other = (float(n) / EACH for n in hits)
    return (
        excludes_0(newcombe((hits[0], EACH), (hits[1], EACH))),
        excludes_0(newcombe((one * by_person, by_person), (other * by_person, by_person))),
    )


def power(draw: Draw) -> tuple[bool, bool]:
    """Two points between two texts: shown by 500 people each, and by as many as `people_needed` says."""
    needed = (people_needed((93, 100), (95, 100)) or 0) // 2
    few, enough = (
        excludes_0(newcombe((draw.binomial(n, 0.95), n), (draw.binomial(n, 0.93), n))) for n in (500, needed)
    )
    return few, enough


def excludes_0(ends: tuple[float, float]) -> bool:
    """Whether an interval of a difference says which is larger."""
    return ends[0] > 0 or ends[1] < 0


def often(what: Callable[[Draw], tuple[bool, bool]], runs: int) -> str:
    """In how many of the runs, in percent, for both ways."""
    draw = np.random.default_rng(SEED)
    found = np.mean([what(draw) for _run in range(runs)], axis=0) * 100
    return " | ".join(f"{each:.1f} %" for each in found)


def coverage(runs: int) -> None:
    """How often 95 % intervals hold the truth, for each size and share."""
    for size in SIZES:
        cells = []
        for share in SHARES:
            draw = np.random.default_rng(SEED)
            ones, others = draw.binomial(size, [[share], [share - APART]], (2, runs)).tolist()
            alone = [wilson((hits, size)) for hits in ones]
            pairs = [newcombe((a, size), (b, size)) for a, b in zip(ones, others, strict=True)]
            one = np.mean([low <= share <= high for low, high in alone])
            both = np.mean([low <= APART <= high for low, high in pairs])
            cells.append(f"{100 * one:.1f} %, {100 * both:.1f} %")
        print(f"| {size:,} | {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    print(f"{runs:,} runs each, seed {SEED}")
    for what in (looked_at, many_groups, same_people, power):
        print(f"| {what.__doc__} | {often(what, runs)} |")
    print("Wilson's and Newcombe's coverage, by messages and share:", SHARES)
    coverage(runs)


if __name__ == "__main__":
    main()
