"""What changes of results add to the tallies and take from them: sums in memory, nothing of the database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from dashboard.ledger.tallies.causes import NOT_IN_ANSWER, NOT_SENT
from dashboard.ledger.tallies.frozen import Frozen
from dashboard.ledger.tallies.reasons import LONGEST, OTHER
from dashboard.ledger.tallies.spans import due, quarter, span

SENT, FAILED, DELIVERED, DROPPED = 1, 2, 3, 4

Result = Mapping[str, Any]


class Change(NamedTuple):
    """A message's result before, None if it had none, and after; with its batch and its frozen row."""

    batch_id: int
    frozen: Frozen
    old: Result | None
    new: Result


class Home(NamedTuple):
    """Where the messages of a batch are counted."""

    campaign_id: str
    started_at: datetime | None
    cells: Mapping[tuple[str, str, str], int]
    """The campaign's cells at the batch's price, by country, line type and variant."""

    reasons: Collection[str]
    """The campaign's reasons that have a name."""


class Counted(NamedTuple):
    """What is counted of a result."""

    state: str
    handed_over_at: datetime | None
    failed_at: datetime | None
    scheduled_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    failure_reason: str | None
    credits_used: int | None
    cause: int | None

    @property
    def stage(self) -> int:
        """How far the message has got."""
        if self.state == "dropped":
            return DROPPED
        if self.delivered_at is not None:
            return DELIVERED
        if self.failure_reason is not None:
            return FAILED
        return SENT if self.sent_at is not None else 0


class Alike(NamedTuple):
    """Messages of a batch that are counted alike."""

    batch_id: int
    frozen: Frozen
    result: Counted
    many: int
    """Below 0 for those that were counted so far and are no more."""

    is_first: bool
    """Whether they had no result before."""


_counted = itemgetter(*Counted._fields)


def counted_of(result: Result) -> Counted:
    """What is counted of a row of `result`."""
    return Counted(*_counted(result))


def alike(changes: Iterable[Change]) -> list[Alike]:
    """What changes, added up: most messages are alike while sending."""
    changes = list(changes)
    fresh = Counter(
        (batch_id, frozen, _counted(new)) for batch_id, frozen, old, new in changes if old is None
    )
    known = Counter[tuple[Any, ...]]()
    for batch_id, frozen, old, new in changes:
        if old is not None:
            known[batch_id, frozen, _counted(new)] += 1
            known[batch_id, frozen, _counted(old)] -= 1
    return [
        Alike(batch_id, frozen, Counted(*result), many, is_first)
        for is_first, found in ((True, fresh), (False, known))
        for (batch_id, frozen, result), many in found.items()
        if many
    ]


class Deltas:
    """Sums to add to the tables.

    Attributes:
        tally: By cell and the rest of the key: messages, credits low, high and billed, difference.
        course: By campaign, stage and span: messages.
        waiting: By batch, cell and due: messages, credits low and high.
    """

    def __init__(self, changes: Iterable[Alike], homes: Mapping[int, Home]) -> None:
        self.tally: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0] * 5)
        self.course: dict[tuple[str, int, int], int] = defaultdict(int)
        self.waiting: dict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0] * 3)
        for batch_id, frozen, result, many, is_first in changes:
            home = homes[batch_id]
            self._add(many, home, frozen, result)
            if is_first:
                low, high = many * frozen.credits_low, many * frozen.credits_high
                key = (batch_id, cell_of(home, frozen), due(frozen.scheduled_at))
                _sum(self.waiting[key], (-many, -low, -high))

    def _add(self, many: int, home: Home, frozen: Frozen, row: Counted) -> None:
        stage, used = row.stage, row.credits_used or 0
        low, high = frozen.credits_low, frozen.credits_high
        difference = 0 if row.credits_used is None else max(used - high, 0) + min(used - low, 0)
        key = (
            cell_of(home, frozen),
            quarter(row.handed_over_at),
            stage,
            NOT_SENT if stage == DROPPED else NOT_IN_ANSWER if row.cause is None else row.cause,
            due(row.scheduled_at or frozen.scheduled_at) if stage == 0 else 0,
            _reason(home, row.failure_reason) if stage == FAILED else "",
        )
        _sum(self.tally[key], (many, many * low, many * high, many * used, many * difference))
        for happened, at in _happened(stage, row):
            self.course[home.campaign_id, happened, span(at, home.started_at)] += many


def _happened(stage: int, row: Counted) -> Iterable[tuple[int, datetime]]:
    """What happened to a message and when; whatever was delivered or failed was sent."""
    last = row.delivered_at if stage == DELIVERED else row.failed_at if stage == FAILED else None
    if stage in {SENT, FAILED, DELIVERED} and (left := row.sent_at or last):
        yield SENT, left
    if last:
        yield stage, last


def reasons_of(changes: Iterable[Alike]) -> dict[int, set[str]]:
    """The reasons for which messages fail now, or did before, by batch."""
    found: dict[int, set[str]] = defaultdict(set)
    for change in changes:
        if change.result.failure_reason is not None and change.result.delivered_at is None:
            found[change.batch_id].add(change.result.failure_reason[:LONGEST])
    return found


def cell_of(home: Home, frozen: Frozen) -> int:
    """The cell that counts a message of a batch."""
    return home.cells[frozen.country or "", frozen.line_type or "", frozen.variant or ""]


def _reason(home: Home, said: str | None) -> str:
    name = (said or "")[:LONGEST]
    return name if name in home.reasons else OTHER


def _sum(sums: list[int], more: tuple[int, ...]) -> None:
    for place, value in enumerate(more):
        sums[place] += value
