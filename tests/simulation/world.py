"""One seed, one world: everything in it happens one action at a time, and can be played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, TypeVar

from dashboard.errors import DashboardError
from dashboard.ledger import Ledger, Limits
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.settle import Settlement
from dashboard.sending import Rules
from simulation import invariants
from simulation.invariants import Rows
from simulation.kinds import Action, Circumstances, circumstances
from simulation.model import Model, Snapshot
from simulation.promises import BrokenError
from simulation.service import Service
from simulation.store import Store

STEP = timedelta(milliseconds=1)
"""Time never stands still; two things never happen at one moment."""

FULL_EVERY = 10
_Thing = TypeVar("_Thing")
Do = Callable[["World", Action], str | None]
"""Does an action; says what was done, or None if there was nothing to do."""


@dataclass(eq=False)
class Flight:
    """A claim that a worker holds, and what became of its request."""

    claim: Claim
    asked_at: datetime
    fault: str | None = None
    settlement: Settlement | None = None
    written: bool | None = None

    @property
    def uuids(self) -> list[str]:
        return [message.uuid or "" for message in self.claim.messages]


@dataclass
class Worker:
    slot: int
    ledger: Ledger
    offset: timedelta = timedelta()
    owner: str | None = None
    flights: list[Flight] = field(default_factory=list)
    pending: tuple[str, str, datetime] | None = None  # a claim of which nobody knows whether it was written


@dataclass
class Paced:
    """What was claimed since the pace was set."""

    rate: float = 0.0
    since: datetime | None = None
    messages: int = 0


class World:
    def __init__(self, seed: int, store: Store, rng: Random) -> None:
        store.renew()
        self.seed, self.store, self.database = seed, store, store.database
        self.has: Circumstances = circumstances(seed)
        self.rng = rng
        self.time = self.began = self.has.begins
        self.model = Model()
        has = self.has
        self.service = Service(has.bills, has.faulty, has.moods, has.largest)
        self.rules = Rules(has.refusals_count)
        self.caps: tuple[int | None, int | None] = (has.cap, has.day)
        self.decided = False  # the caps are those that marketers decided
        self.ledger = self.open()
        self.workers = [Worker(slot, self.ledger) for slot in range(has.workers)]
        self.campaigns: list[str] = []
        self.copies: list[tuple[Any, Snapshot]] = []
        self.told: list[dict[str, Any]] = []
        self.gate_until, self.paced = self.time, Paced()
        self.skewed = has.kind == "clocks"
        self.trace: list[tuple[Action, str | None]] = []
        self.hits: Counter[str] = Counter()
        self.fails_next: str | None = None
        self.unseen: dict[str, list[str]] = {}  # claims that were written though the worker does not know it
        self._changes: tuple[int, ...] | None = None
        self._rows = Rows((), (), ())  # as they were after so many changes
        self.missing = False  # the ledger says that opt-outs may be missing
        self.set_limits()

    # -- what everything in the world uses -----------------------------------------------------------
    def open(self, offset: Callable[[], timedelta] = timedelta) -> Ledger:
        """A ledger as a program opens it."""
        ledger = Ledger(self.database, lambda: self.time + offset())
        ledger.outbox.look_for_doubt()
        return ledger

    def set_limits(self) -> None:
        """As every engine does when it starts."""
        limits = Limits(self.has.share, *self.caps, self.has.watches_opt_outs)
        self.ledger.outbox.set_limits(limits)

    @contextmanager
    def armed(self) -> Iterator[None]:
        """The next transaction in the block fails if an action asked for that; its caller asks again."""
        self.database.fails, self.fails_next = self.fails_next, None
        try:
            yield
        finally:
            self.fails_next, self.database.fails = self.database.fails, None

    def pick(self, things: Sequence[_Thing], number: int) -> _Thing | None:
        return things[number % len(things)] if things else None

    def state(self, campaign: str) -> str:
        return str(self.rows(f"SELECT state FROM campaign WHERE id = '{campaign}'")[0][0])

    def rows(self, query: str) -> list[Any]:
        with self.store.raw() as raw:
            return list(raw.execute(query).fetchall())

    def pass_time(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)
        self.service.arrive(self.time)

    def allow(self, campaign: str, *to: str) -> str:
        """This step may move a campaign there; returns where it is."""
        state = self.state(campaign)
        if self.model.moved is not None:
            self.model.moved |= {(campaign, state, after) for after in to}
        return state

    # -- stepping --------------------------------------------------------------------------------------
    def play(self, actions: Sequence[Action], do: Do) -> None:
        """Play a list of actions, with every invariant after every step."""
        for number, action in enumerate(actions, 1):
            self.step(action, do, full=number % FULL_EVERY == 0 or number == len(actions))

    def step(self, action: Action, do: Do, *, full: bool = False) -> None:
        self.time += STEP
        done = None
        try:
            done = do(self, action)
        except DashboardError as error:
            self.hits[f"{action[0]} refused"] += 1
            done = f"refused: {error}"
        except BrokenError:
            self.trace.append((action, "…"))
            raise
        self.trace.append((action, done))
        if done is not None:
            self.hits[action[0]] += not done.startswith("refused")
        if done is not None or full:
            self.check(full=full)

    def check(self, *, full: bool) -> None:
        before = dict(self.model.known.campaigns)
        changes = self.store.changes()
        with self.store.raw() as raw:
            if changes is None or changes != self._changes:  # the same rows hold the same
                self._changes, self._rows = changes, invariants.read(raw)
            invariants.check(self._rows, self.model)
            if full:
                invariants.check_said(raw, self._rows, self.model)
        for campaign, state in self.model.known.campaigns.items():
            if state == "paused" and before.get(campaign) != state:
                self.hits[f"paused: {why(self.reason(campaign))}"] += 1

    def reason(self, campaign: str) -> str:
        return str(self.rows(f"SELECT reason FROM campaign WHERE id = '{campaign}'")[0][0])


REASONS = {
    "for this campaign is reached": "cap of the campaign",
    "for a day (UTC) is reached": "cap of the day",
    "refused the first": "the first ten refused",
    "in a row": "five unclear in a row",
    "messages failed": "share of failures",
    "opt-outs changed": "opt-outs of people still to be texted",
    "does not accept the API key": "key refused",
    "refuses the account": "account refused",
    "refuses requests": "address refused",
    "no such service": "address refused",
    "even a single message": "too large",
    "is a copy": "older copy",
    "Its time came": "time missed",
    "stopped by": "a person",
}
"""How often each was seen is told by the word on the right."""


def why(reason: str) -> str:
    return next((word for phrase, word in REASONS.items() if phrase in reason), "other")
