"""A simulated service with books of its own: what it took, what it answers, and all that goes wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from dashboard.service import (
    AuthenticationError,
    Message,
    NotSentError,
    OutcomeUnknownError,
    RejectedError,
    ThrottledError,
    TooLargeError,
    read_message,
)

LATE_S = 235
"""The longest that a request whose answer was not waited for takes to arrive."""

# What the service takes of a request, and what of it stands in the answer, or what is raised instead.
FAULTS: dict[str, tuple[str, Any]] = {
    "ok": ("all", "all"),
    "part answer": ("all", "some"),
    "part taken": ("some", "some"),
    "none listed": ("all", "none"),
    "nothing taken": ("none", "none"),
    "doubled": ("all", "doubled"),
    "strangers": ("all", "strangers"),
    "lost": ("all", lambda _: OutcomeUnknownError("no answer")),
    "lost before": ("none", lambda _: OutcomeUnknownError("no answer")),
    "late": ("later", lambda _: OutcomeUnknownError("timeout")),
    "500": ("all", lambda _: OutcomeUnknownError("?", status=500)),
    "503": ("none", lambda rng: OutcomeUnknownError("?", status=503, retry_after_s=rng.choice((5.0, None)))),
    "429": ("none", lambda rng: ThrottledError(rng.choice((None, 1.0, 20.0, 90.0)))),
    "413": ("none", lambda _: TooLargeError()),
    "422": ("none", lambda _: RejectedError(422)),
    "400": ("none", lambda _: RejectedError(400)),
    "401": ("none", lambda _: AuthenticationError(401)),
    "402": ("none", lambda _: RejectedError(402)),
    "404": ("none", lambda _: RejectedError(404)),
    "not sent": ("none", lambda _: NotSentError("no connection")),
    "unforeseen": ("all", lambda _: ValueError("a mistake of ours")),
}
USUAL = ("ok",) * 8 + ("part answer",) * 3 + ("part taken",) * 2 + ("lost", "late", "429", "422", "413")
SETTINGS = ("bills", "faulty", "moods", "largest", "bad")


def said(at: datetime) -> str:
    """A time as the service writes it."""
    return f"{at:%Y-%m-%dT%H:%M:%S.000000Z}"


@dataclass
class Service:
    """What it took, how often, and what is still on its way to it.

    Attributes:
        bills: How many of the messages in its answers say what they cost, from 0 to 1.
        faulty: How many of its answers are drawn from `moods`, from 0 to 1.
        largest: How many messages it takes at once; 0 for none at all.
        made: When it took each first, as it says.
    """

    bills: float
    faulty: float
    moods: tuple[str, ...]
    largest: int
    taken: Counter[str] = field(default_factory=Counter)
    made: dict[str, datetime] = field(default_factory=dict)
    costs: dict[str, int] = field(default_factory=dict)
    bad: set[str] = field(default_factory=set)
    on_their_way: list[tuple[datetime, list[str]]] = field(default_factory=list)
    billed: list[tuple[datetime, str, int]] = field(default_factory=list)  # claimed at, campaign, credits
    faults: Counter[str] = field(default_factory=Counter)

    def serve(
        self, uuids: list[str], claimed: tuple[datetime, str], now: datetime, rng: Random
    ) -> tuple[str, list[Message] | Exception]:
        """Which fault it was, and what comes of a request."""
        fault = rng.choice(self.moods) if rng.random() < self.faulty else "ok"
        fault = "413" if len(uuids) > self.largest else "422" if self.bad & set(uuids) else fault
        self.faults[fault] += 1
        takes, answers = FAULTS[fault]
        some = [uuid for uuid in uuids if rng.random() < 0.5]
        chosen = {"all": uuids, "some": some}.get(takes, [])
        if takes == "later":
            self.on_their_way.append((now + timedelta(seconds=rng.randint(1, LATE_S)), uuids))
        self.bill(uuids if takes == "later" else chosen, claimed)
        self.take(chosen, now)
        if callable(answers):
            return fault, answers(rng)
        return fault, self.answer(answers, uuids, some, rng)

    def answer(self, which: str, uuids: list[str], some: list[str], rng: Random) -> list[Message]:
        listed = {"all": uuids, "some": some, "none": [], "strangers": some, "doubled": uuids}[which]
        objects = [self.message(uuid, rng) for uuid in listed]
        if which == "doubled":
            objects += [{**self.message(uuid, rng), "uuid": uuid.upper()} for uuid in some]
        if which == "strangers":
            objects += [{"uuid": str(UUID(int=rng.getrandbits(128), version=4))} for _ in uuids]
        rng.shuffle(objects)
        return [message for one in objects if (message := read_message(one))]

    def message(self, uuid: str, rng: Random, **fields: Any) -> dict[str, Any]:
        """A Message object of contract section 2.1."""
        bill = {"credits_used": self.costs[uuid]} if rng.random() < self.bills else {}
        return {
            "uuid": uuid,
            "status": "pending",
            "created_at": said(self.made[uuid]),
            **bill,
            **fields,
        }

    def take(self, uuids: list[str], now: datetime) -> None:
        self.taken.update(uuids)
        self.made = dict.fromkeys(uuids, now.replace(microsecond=0)) | self.made

    def bill(self, uuids: list[str], claimed: tuple[datetime, str]) -> None:
        """Written down when it is requested: what arrives late counts from then on."""
        at, campaign = claimed
        self.billed += [(at, campaign, self.costs[uuid]) for uuid in uuids]

    def arrive(self, now: datetime) -> None:
        """What was on its way until now is here."""
        for due, uuids in self.on_their_way:
            if due <= now:
                self.take(uuids, due)
        self.on_their_way = [one for one in self.on_their_way if one[0] > now]

    def awaits(self) -> set[str]:
        return {uuid for _, uuids in self.on_their_way for uuid in uuids}
