"""What changes of results add to the tallies and take from them: sums in memory, nothing of the database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from dashboard.ledger.tallies.causes import NOT_IN_ANSWER, NOT_SENT
from dashboard.ledger.tallies.frozen import Frozen
from dashboard.ledger.tallies.spans import due, moment, quarter
from dashboard.ledger.tallies.tables import ACCEPTED, DELIVERED, DROPPED, FAILED, FOLLOWS, MEASURES, SENT

LONGEST = 200
"""Characters of a reason that tell it from others: no key of a database may be of any length."""

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
    cells: Mapping[tuple[str, str, str], int]
    """The campaign's cells at the batch's price, by country, line type and variant."""


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
        return SENT if self.sent_at is not None else ACCEPTED


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
    """Sums to add to the tables, by the columns of their keys.

    Attributes:
        tally: The measures.
        course: Messages.
    """

    def __init__(self, changes: Iterable[Alike], homes: Mapping[int, Home]) -> None:
        self.tally: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0] * len(MEASURES))
        self.course: dict[tuple[Any, ...], list[int]] = defaultdict(lambda: [0])
        for batch_id, frozen, result, many, is_first in changes:
            home = homes[batch_id]
            cell = home.cells[frozen.country or "", frozen.line_type or "", frozen.variant or ""]
            low, high = frozen.credits_low, frozen.credits_high
            key, of_bill = _own(result, frozen)
            _sum(self.tally[cell, *key, batch_id], many, (1, low, high, *of_bill))
            if is_first:
                follows = (FOLLOWS, 0, 0, due(frozen.scheduled_at), "")
                _sum(self.tally[cell, *follows, batch_id], -many, (1, low, high, 0, 0, 0))
            for happened, at in _happened(result):
                _sum(self.course[home.campaign_id, happened, moment(at), batch_id], many, (1,))


def _own(row: Counted, frozen: Frozen) -> tuple[tuple[Any, ...], tuple[int, int, int]]:
    """Of a message with a state of its own: its key, from stage to reason, and what its bill adds."""
    stage, used = row.stage, row.credits_used or 0
    high = frozen.credits_high
    key = (
        stage,
        quarter(row.handed_over_at),
        NOT_SENT if stage == DROPPED else NOT_IN_ANSWER if row.cause is None else row.cause,
        due(row.scheduled_at or frozen.scheduled_at) if stage == ACCEPTED else 0,
        (row.failure_reason or "")[:LONGEST] if stage == FAILED else "",
    )
    difference = 0 if row.credits_used is None else max(used - high, 0) + min(used - frozen.credits_low, 0)
    return key, (used, 0 if stage == DROPPED else used or high, difference)


def _happened(row: Counted) -> Iterable[tuple[int, datetime]]:
    """What happened to a message and when; whatever was delivered or failed was sent."""
    stage = row.stage
    last = row.delivered_at if stage == DELIVERED else row.failed_at if stage == FAILED else None
    if stage in {SENT, FAILED, DELIVERED} and (left := row.sent_at or last):
        yield SENT, left
    if last:
        yield stage, last


def _sum(sums: list[int], many: int, more: tuple[int, ...]) -> None:
    for place, value in enumerate(more):
        sums[place] += many * value
