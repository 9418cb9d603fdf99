"""Plain books beside the ledger: what was frozen, requested, proved, said and decided.

`Known` is what the ledger was told, which an older copy brings back. `Model` adds what nothing brings back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dashboard.service import Message
from simulation.awake import Awake
from simulation.promises import hold

UNKNOWN_IN_A_ROW, REFUSED_FIRST = 5, 10


def plain(message: Message) -> dict[str, Any]:
    """What counts of a Message object, and the event that it tells of."""
    sent, delivered = _at(message.sent_at), _at(message.delivered_at)
    stage = 3 if delivered else 2 if message.failure_reason else 1 if sent else 0
    at = (_at(message.created_at), sent, sent, delivered)[stage] or _at(message.created_at) or 0
    return {
        "sent_at": sent,
        "delivered_at": delivered,
        "credits_used": message.credits_used,
        "failure_reason": message.failure_reason,
        "stage": stage,
        "event": (stage, at, message.status or "", message.failure_reason or ""),
    }


def _at(time: datetime | None) -> int | None:
    return None if time is None else round(time.timestamp()) * 1_000_000


@dataclass(frozen=True, slots=True)
class Text:
    """A message as it was frozen."""

    id: int
    uuid: str
    campaign: str
    to: str
    body: str
    low: int
    high: int
    awake: Awake | None = None


@dataclass
class Known:
    campaigns: dict[str, str] = field(default_factory=dict)  # their states, as last seen
    texts: dict[str, Text] = field(default_factory=dict)  # by uuid
    rows: dict[str, list[Text]] = field(default_factory=dict)  # by campaign, in the order of sending
    tokens: dict[str, str] = field(default_factory=dict)
    said: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    free: dict[str, bool] = field(default_factory=dict)  # may it be claimed?
    agreed: set[str] = field(default_factory=set)  # a person says that the service took it
    resent: set[str] = field(default_factory=set)  # a person had it sent again
    opted: dict[str, None] = field(default_factory=dict)
    ever: set[str] = field(default_factory=set)
    stopped: set[str] = field(default_factory=set)  # a person paused or cancelled it
    forgotten: set[str] = field(default_factory=set)
    outcomes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # since it was resumed

    def copy(self) -> Known:
        plain = {name: type(value)(value) for name, value in vars(self).items() if name not in NESTED}
        nested = {
            name: defaultdict(list, {key: list(of) for key, of in getattr(self, name).items()})
            for name in NESTED
        }
        return Known(**plain, **nested)


NESTED = ("said", "outcomes")


@dataclass
class Snapshot:
    """What was known when a copy was made."""

    known: Known
    campaigns: list[str]


class Model:
    def __init__(self) -> None:
        self.known = Known()
        self.posts: Counter[str] = Counter()
        self.allowed: Counter[str] = Counter()  # how often each may be requested
        self.again: Counter[str] = Counter()  # how often a person sent it again
        self.lost: dict[str, None] = {}  # opted out after a copy that was put back
        self.moved: set[tuple[str, str, str]] | None = set()  # what this step may move; None for anything
        self.restored_ever = False

    # -- what happens ------------------------------------------------------------------------------
    def frozen(self, campaign: str, state: str, texts: list[Text]) -> None:
        known = self.known
        known.campaigns[campaign] = state
        known.rows[campaign] = texts
        for one in texts:
            known.texts[one.uuid] = one
            known.free[one.uuid] = True
            self.allowed[one.uuid] = 1

    def claimed(self, campaign: str, state: str, uuids: list[str]) -> None:
        """A batch was claimed while the campaign's row said `state`."""
        known = self.known
        hold("stopped", state == "running" and campaign not in known.stopped, f"claimed while {state}")
        for uuid in uuids:
            hold("frozen", uuid in known.texts, "claimed something else")
            hold("twice", known.free[uuid], "claimed again")
            hold("proof", uuid not in known.said, "claimed though it was proved accepted")
            hold("opt-out", known.texts[uuid].to not in known.opted, "claimed")
            known.free[uuid] = False

    def posted(self, uuids: list[str], on_their_way: set[str]) -> None:
        for uuid in uuids:
            hold("early", uuid not in on_their_way, "requested")
            self.posts[uuid] += 1
            hold("twice", self.posts[uuid] <= self.allowed[uuid], "requested again")

    def untaken(self, uuids: list[str], *, requested: bool) -> None:
        """The ledger wrote down that this attempt took nothing of these."""
        for uuid in uuids:
            self.allowed[uuid] += requested
            if uuid not in self.known.said:
                self.known.free[uuid] = True

    def heard(self, uuid: str, what: dict[str, Any]) -> None:
        if uuid in self.known.texts:
            self.known.said[uuid].append(what)

    def decided(self, uuids: list[str], decision: str) -> None:
        for uuid in uuids:
            if decision == "ready":
                self.known.free[uuid] = True
                self.allowed[uuid] += 1
                self.again[uuid] += 1
                self.known.resent.add(uuid)
            elif decision == "accepted":
                self.known.agreed.add(uuid)

    def snapshot(self, campaigns: list[str]) -> Snapshot:
        return Snapshot(self.known.copy(), list(campaigns))

    def restored(self, then: Snapshot, *, takes_over: bool) -> None:
        """A copy is the ledger now; it `takes_over` who has opted out since, or lacks them."""
        before, known = self.known, then.known.copy()
        known.free = dict.fromkeys(known.free, False)
        known.ever |= before.ever
        if takes_over:
            known.opted |= before.opted
        self.lost |= {phone: None for phone in before.opted if phone not in known.opted}
        # What had ended in the copy goes on only by a decision, which says that it should.
        known.stopped |= {one for one in before.stopped if known.campaigns.get(one, "done") != "done"}
        self.known, self.moved = known, None
        self.restored_ever = True

    # -- what follows ------------------------------------------------------------------------------
    def must_pause(self, campaign: str, accepted: bool) -> str | None:
        """Why a campaign must not run after its last outcome."""
        outcomes = self.known.outcomes[campaign]
        if outcomes[-UNKNOWN_IN_A_ROW:] == ["unknown"] * UNKNOWN_IN_A_ROW:
            return "unknown in a row"
        if (
            not accepted
            and outcomes.count("refused alone") >= REFUSED_FIRST
            and outcomes[-1] == "refused alone"
        ):
            return "refused the first"
        return None
