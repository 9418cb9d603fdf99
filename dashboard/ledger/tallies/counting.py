"""Keep the tallies up to date: every transaction that changes results passes its changes on to `count`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from operator import add
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, Row, Table, bindparam, delete, func, select, type_coerce, update
from sqlalchemy import String as Text
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.ledger.database import schema
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.tallies.deltas import Alike, Deltas, Home, reasons_of
from dashboard.ledger.tallies.reasons import named
from dashboard.ledger.tallies.shards import free_shard
from dashboard.ledger.tallies.tables import cell, course, pool, tally, waiting

_MEASURES = ("messages", "credits_low", "credits_high", "credits_billed", "difference")
_ESTIMATES = _MEASURES[:3]
_KEY = ("cell_id", "handed_over", "stage", "cause", "due", "reason")

Sums = dict[tuple[int, int], list[int]]
"""By cell and due: messages, credits low and high."""

_batch, _campaign = schema.batch.c, schema.campaign.c
_PRICE = func.coalesce(
    type_coerce(_campaign.price_per_credit, Text), type_coerce(_batch.price_per_credit, Text), ""
)

_HOMES = select(
    *(_batch.id, _batch.campaign_id, _campaign.started_at, _PRICE.label("price")),
    *((_batch.accepted + _batch.dropped == _batch.messages).label("is_complete"), _batch.pooled),
).join(schema.campaign, _campaign.id == _batch.campaign_id)
_HOME = Prepared(_HOMES.where(_batch.id == bindparam("id_")))
_HOMES_OF_MANY = _HOMES.where(_batch.id.in_(bindparam("ids_", expanding=True)))
_CELLS = Prepared(select(cell).where(cell.c.campaign_id == bindparam("campaign_")))
_LESS = Prepared(
    update(waiting)
    .where(
        waiting.c.batch_id == bindparam("batch_"),
        waiting.c.cell_id == bindparam("cell_"),
        waiting.c.due == bindparam("due_"),
    )
    .values({name: waiting.c[name] + bindparam(f"{name}_") for name in _ESTIMATES})
)
_OF_BATCH = delete(waiting).where(waiting.c.batch_id == bindparam("batch_"))
_NONE_LEFT = Prepared(_OF_BATCH)
_EMPTY = Prepared(_OF_BATCH.where(waiting.c.messages == 0))


def _growing(table: Table, measures: Sequence[str], dialect: Any) -> Prepared:
    made = dialect.insert(table)
    grown = {name: table.c[name] + made.excluded[name] for name in measures}
    grows = made.on_conflict_do_update(index_elements=list(table.primary_key), set_=grown)
    return Prepared(grows, table.columns.keys())


def _none_left(table: Table, measures: Sequence[str]) -> Prepared:
    keys = (column == bindparam(column.name) for column in table.primary_key)
    return Prepared(delete(table).where(*keys, *(table.c[name] == 0 for name in measures)))


_SHRINK = {tally: _none_left(tally, _MEASURES), course: _none_left(course, ("messages",))}
_GROW = {
    (table, name): _growing(table, measures, dialect)
    for table, measures in ((tally, _MEASURES), (course, ("messages",)), (pool, _ESTIMATES))
    for name, dialect in (("sqlite", sqlite), ("postgresql", postgresql))
}


def count(connection: Connection, changes: Sequence[Alike]) -> None:
    """Bring the tallies up to date with changes of results.

    Args:
        connection: A write transaction that locked the batches, and has added to their sums already.
        changes: Added up.
    """
    if not changes:
        return
    batches = batches_of(connection, {change[0] for change in changes})
    deltas = Deltas(changes, homes_of(connection, batches, reasons_of(changes)))
    shard = free_shard(connection)
    _store(connection, deltas, shard)
    from_pool: Sums = defaultdict(lambda: [0] * len(_ESTIMATES))
    from_batches: dict[tuple[int, int, int], list[int]] = {}
    for (batch_id, cell_id, due), sums in deltas.waiting.items():
        if batches[batch_id].pooled:
            total = from_pool[cell_id, due]
            total[:] = map(add, total, sums)
        else:
            from_batches[batch_id, cell_id, due] = sums
    grow_pool(connection, shard, from_pool)
    complete = {batch_id for batch_id, row in batches.items() if row.is_complete}
    _take_away(connection, from_batches, complete)


def grow_pool(connection: Connection, shard: int, sums: Mapping[tuple[int, int], Sequence[int]]) -> None:
    """Add to what waits in the pool."""
    names = ("cell_id", "due", *_ESTIMATES)
    rows = [
        {**dict(zip(names, (*key, *total), strict=True)), "shard": shard}
        for key, total in sorted(sums.items())
    ]
    for row in rows:
        _GROW[pool, connection.dialect.name](connection, **row)


def batches_of(connection: Connection, batch_ids: Collection[int]) -> dict[int, Row[Any]]:
    """What `_HOMES` asks of batches; of a single one, as while sending, by a statement that takes half."""
    if len(batch_ids) == 1:
        (batch_id,) = batch_ids
        return {batch_id: _HOME.one(connection, id_=batch_id)}
    parts = (connection.execute(_HOMES_OF_MANY, {"ids_": part}) for part in chunks(batch_ids))
    return {row.id: row for part in parts for row in part}


def homes_of(
    connection: Connection,
    batches: Mapping[int, Any],
    reasons: Mapping[int, Collection[str]] = MappingProxyType({}),
) -> dict[int, Home]:
    """Where the messages of batches are counted, which fail for these reasons."""
    by_price: dict[tuple[str, str], dict[tuple[str, str, str], int]] = {}
    wanted: dict[str, set[str]] = defaultdict(set)
    for batch_id, row in batches.items():
        wanted[row.campaign_id].update(reasons.get(batch_id, ()))
    names = {
        campaign_id: named(connection, campaign_id, some) if some else frozenset()
        for campaign_id, some in sorted(wanted.items())
    }
    for campaign_id in wanted:
        for found in _CELLS(connection, campaign_=campaign_id):
            cells = by_price.setdefault((campaign_id, found.price), {})
            cells[found.country, found.line_type, found.variant] = found.id
    return {
        batch_id: Home(
            row.campaign_id, row.started_at, by_price[row.campaign_id, row.price], names[row.campaign_id]
        )
        for batch_id, row in batches.items()
    }


def _store(connection: Connection, deltas: Deltas, shard: int) -> None:
    rows: list[dict[str, Any]] = [
        {**dict(zip(_KEY, key, strict=True)), "shard": shard, **dict(zip(_MEASURES, sums, strict=True))}
        for key, sums in sorted(deltas.tally.items())
        if any(sums)
    ]
    _add(connection, tally, rows)
    moments = [
        {"campaign_id": campaign_id, "shard": shard, "stage": stage, "at": at, "messages": messages}
        for (campaign_id, stage, at), messages in sorted(deltas.course.items())
        if messages
    ]
    _add(connection, course, moments)


def _add(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add to a table's sums; rows of which nothing is left go.

    Otherwise a service that names another time in each of its reports would make a row of each.
    """
    for row in rows:
        _GROW[table, connection.dialect.name](connection, **row)
        if row["messages"] < 0:
            _SHRINK[table](connection, **row)


def _take_away(
    connection: Connection, gone: Mapping[tuple[int, int, int], Sequence[int]], complete: Collection[int]
) -> None:
    """Take from what waits in batches what now has its own state: all of it where a batch is complete."""
    if not gone:
        return
    for batch_id in complete:
        _NONE_LEFT(connection, batch_=batch_id)
    less = [
        {
            "batch_": batch_id,
            "cell_": cell_id,
            "due_": due,
            "messages_": n,
            "credits_low_": low,
            "credits_high_": high,
        }
        for (batch_id, cell_id, due), (n, low, high) in gone.items()
        if batch_id not in complete
    ]
    for row in less:
        _LESS(connection, **row)
    for batch_id in {row["batch_"] for row in less}:
        _EMPTY(connection, batch_=batch_id)
