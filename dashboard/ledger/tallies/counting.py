"""Keep the tallies up to date: every transaction that changes results passes its changes on to `count`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, String, Table, bindparam, func, select, type_coerce, update

from dashboard.errors import LedgerDamagedError
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import microseconds
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import add_to, chunks
from dashboard.ledger.tallies.causes import NOT_IN_ANSWER, NOT_SENT
from dashboard.ledger.tallies.tables import (
    ACCEPTED,
    DELIVERED,
    DROPPED,
    FAILED,
    FOLLOWS,
    LONGEST,
    MEASURES,
    MOMENT,
    QUARTER,
    SENT,
    Frozen,
    cell,
    course,
    tally,
)
from dashboard.words import _

_batch, _campaign = schema.batch.c, schema.campaign.c
_OF_ALL = select(_campaign.price_per_credit).where(_campaign.id == _batch.campaign_id).scalar_subquery()
_PRICE = func.coalesce(type_coerce(_OF_ALL, String), type_coerce(_batch.price_per_credit, String), "")
_HOME = (_batch.id, _batch.campaign_id, _PRICE.label("price"))
_HOMES = select(*_HOME).where(_batch.id.in_(bindparam("ids_", expanding=True)))
_CELLS = Prepared(select(cell).where(cell.c.campaign_id == bindparam("campaign_")))
_OWN_STATES = ("accepted", "dropped")
_GROW = Prepared(
    update(schema.batch)
    .where(_batch.id == bindparam("id_"))
    .values({name: _batch[name] + bindparam(f"{name}_") for name in _OWN_STATES})
    .returning(*_HOME)
)

_Sums = dict[tuple[Any, ...], list[int]]


class Change(NamedTuple):
    """A message's result before, None if it had none, and after; with its batch and its frozen row."""

    batch_id: int
    frozen: Frozen
    old: Mapping[str, Any] | None
    new: Mapping[str, Any]


class Home(NamedTuple):
    """Where the messages of a batch are counted."""

    campaign_id: str
    cells: Mapping[tuple[str, str, str], int]
    """The campaign's cells at the batch's price, by country, line type and variant."""


class Counted(NamedTuple):
    """What is counted of a result."""

    state: str
    stage: int
    handed_over_at: datetime | None
    failed_at: datetime | None
    scheduled_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    failure_reason: str | None
    credits_used: int | None
    cause: int | None


class Alike(NamedTuple):
    """Messages that are counted alike."""

    batch_id: int
    frozen: Frozen
    result: Counted
    is_first: bool
    """Whether they had no result before."""


def count(connection: Connection, changes: Sequence[Change]) -> None:
    """Bring the tallies up to date, and how many messages of each batch have a state of their own.

    The caller locked the batches.

    Raises:
        LedgerDamagedError: What they are counted by is gone.
    """
    alike = _alike(changes)
    if not alike:
        return
    homes = _homes_of(connection, {one.batch_id for one, _ in alike}, _grow(connection, alike))
    tallied: _Sums = defaultdict(lambda: [0] * len(MEASURES))
    happened: _Sums = defaultdict(lambda: [0])
    for (batch_id, frozen, result, is_first), many in alike:
        home = homes[batch_id]
        cell_id = home.cells.get((frozen.country or "", frozen.line_type or "", frozen.variant or ""))
        if cell_id is None:
            raise LedgerDamagedError(
                _(
                    "The figures of campaign {campaign} are damaged, so what is new about it was not "
                    "recorded. Run `python -m dashboard recount --mend`, then do this again."
                ).format(campaign=home.campaign_id)
            )
        low, high = frozen.credits_low, frozen.credits_high
        key, of_bill = _own(result, frozen)
        _sum(tallied[cell_id, *key, batch_id], many, (1, low, high, *of_bill))
        if is_first:
            follows = (FOLLOWS, 0, 0, due(frozen.scheduled_at), "")
            _sum(tallied[cell_id, *follows, batch_id], -many, (1, low, high, 0, 0, 0))
        for stage, at in _happened(result):
            _sum(happened[home.campaign_id, stage, microseconds(at) // MOMENT * MOMENT, batch_id], many, (1,))
    _add(connection, tally, tallied)
    _add(connection, course, happened)


_counted = itemgetter(*Counted._fields)


def _alike(changes: Sequence[Change]) -> list[tuple[Alike, int]]:
    """What changes, added up, below 0 where it was counted so far: most messages are alike while sending."""
    found = Counter((batch, frozen, _counted(new), old is None) for batch, frozen, old, new in changes)
    found.subtract(
        (batch, frozen, _counted(old), False) for batch, frozen, old, _ in changes if old is not None
    )
    return [
        (Alike(batch, frozen, Counted(*result), is_first), many)
        for (batch, frozen, result, is_first), many in found.items()
        if many
    ]


def _grow(connection: Connection, alike: Iterable[tuple[Alike, int]]) -> list[Any]:
    """Count what has a state of its own; returns the batches in which that changed, as `_HOMES` does."""
    own: dict[int, Counter[str]] = defaultdict(Counter)
    for one, many in alike:
        own[one.batch_id][one.result.state] += many
    return [
        _GROW.one(connection, id_=batch_id, **{f"{name}_": states[name] for name in _OWN_STATES})
        for batch_id, states in sorted(own.items())
        if any(states.values())
    ]


def _homes_of(connection: Connection, batch_ids: set[int], batches: list[Any]) -> dict[int, Home]:
    """Where the messages of batches are counted, of which some are at hand."""
    for part in chunks(batch_ids - {row.id for row in batches}):
        batches += connection.execute(_HOMES, {"ids_": part}).all()
    by_price: dict[tuple[str, str], dict[tuple[str, str, str], int]] = {}
    for campaign_id in {row.campaign_id for row in batches}:
        for found in _CELLS(connection, campaign_=campaign_id):
            cells = by_price.setdefault((campaign_id, found.price), {})
            cells[found.country, found.line_type, found.variant] = found.id
    return {row.id: Home(row.campaign_id, by_price.get((row.campaign_id, row.price), {})) for row in batches}


def _add(connection: Connection, table: Table, sums: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    rows = [(*key, *values) for key, values in sums.items() if any(values)]
    if rows:
        names = table.columns.keys()
        add_to(connection, table, dict(zip(names, zip(*sorted(rows), strict=True), strict=True)))


def _own(row: Counted, frozen: Frozen) -> tuple[tuple[Any, ...], tuple[int, int, int]]:
    """Of a message with a state of its own: its key, from stage to reason, and what its bill adds."""
    stage, used = DROPPED if row.state == "dropped" else row.stage, row.credits_used or 0
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


def quarter(at: datetime | None) -> int:
    """The start of a time's quarter of an hour; 0 without a time."""
    return 0 if at is None else microseconds(at) // QUARTER * QUARTER


def due(at: datetime | None) -> int:
    """The end of a time's quarter of an hour, when it has certainly come; 0 without a time."""
    return 0 if at is None else -(-microseconds(at) // QUARTER) * QUARTER
