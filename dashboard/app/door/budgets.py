"""How much of this server anybody may take: requests, open pages and files in memory.

Whoever is over a budget is told so or has to wait, and nobody else notices. A person's budgets are shared by
all their browsers; strangers are known by their address only. Used from one event loop, so nothing is locked.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dashboard.contacts import Limits
from dashboard.settings import Settings

MOST_KNOWN = 10_000
"""People or addresses whose rate is remembered; the one that was quiet for longest is forgotten first."""


class OverBudget(Exception):  # noqa: N818  it tells of nothing that went wrong here
    """Taking it would exceed a budget.

    Attributes:
        of_all: Whether everybody together takes too much, and not this person alone.
    """

    def __init__(self, *, of_all: bool = False) -> None:
        super().__init__()
        self.of_all = of_all


class Rate:
    """A rate per second, and a number at once after a quiet time (a token bucket).

    Args:
        per_s: How many a second, in the long run.
        at_once: How many without a pause.
        now: The time in seconds, which never goes back.
    """

    def __init__(self, per_s: float, at_once: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._per_s = per_s
        self._ahead_s = (at_once - 1) / per_s
        self._now = now
        self._free_at: OrderedDict[str, float] = OrderedDict()

    def over_s(self, who: str) -> float:
        """Take one if there is one left, and return 0; else the seconds until there will be."""
        wait_s = self._wait_s(who)
        if not wait_s:
            self._take(who)
        return wait_s

    def due_s(self, who: str) -> float:
        """Take one in any case; how many seconds its turn is away."""
        wait_s = self._wait_s(who)
        self._take(who)
        return wait_s

    def _wait_s(self, who: str) -> float:
        return max(0.0, self._free_at.get(who, 0.0) - self._ahead_s - self._now())

    def _take(self, who: str) -> None:
        self._free_at[who] = max(self._now(), self._free_at.get(who, 0.0)) + 1 / self._per_s
        self._free_at.move_to_end(who)
        while len(self._free_at) > MOST_KNOWN:
            self._free_at.popitem(last=False)


class Share:
    """A limit for each person, and one for all together, on what is given back later.

    Args:
        own: How much one person may have.
        in_all: How much all of them may have.
    """

    def __init__(self, own: int, in_all: int) -> None:
        self._own = own
        self._in_all = in_all
        self._taken: Counter[str] = Counter()

    def left(self, *, held: int, all_held: int) -> tuple[int, bool]:
        """How much more one may have who holds this much, and whether it is the others who leave no more."""
        own, in_all = self._own - held, self._in_all - all_held
        return max(0, min(own, in_all)), in_all < own

    @contextmanager
    def taken(self, who: str, amount: int = 1, *, held: int = 0, all_held: int = 0) -> Iterator[None]:
        """Count an amount as theirs until the end of the block.

        Args:
            who: Whose it is.
            amount: How much.
            held: How much they hold besides, which is not counted here.
            all_held: How much everybody holds besides.

        Raises:
            OverBudget: They, or all together, would have too much.
        """
        if all_held + self._taken.total() + amount > self._in_all:
            raise OverBudget(of_all=True)
        if held + self._taken[who] + amount > self._own:
            raise OverBudget
        self._taken[who] += amount
        try:
            yield
        finally:
            self._taken[who] -= amount
            if not self._taken[who]:
                del self._taken[who]


@dataclass
class Budgets:
    """What is taken now, and how much more may be.

    Attributes:
        uploads: Bytes of files in memory here.
        strangers: Requests of an address where nobody is signed in.
        pages: Open pages.
        requests: Requests of a person.
        frames: What a person's pages ask for: each click, and each key that a page listens to.
    """

    uploads: Share
    strangers: Rate
    pages: Share = field(default_factory=lambda: Share(30, 300))
    requests: Rate = field(default_factory=lambda: Rate(50, 1000))
    frames: Rate = field(default_factory=lambda: Rate(20, 200))

    @classmethod
    def of(cls, settings: Settings) -> Budgets:
        """Room for three of the largest sheets a person, and for ten in all."""
        sheet = Limits.of(settings).upload_bytes
        return cls(Share(3 * sheet, 10 * sheet), Rate(settings.strangers, 30 * settings.strangers))
