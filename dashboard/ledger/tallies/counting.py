"""Keep the tallies up to date: every transaction that changes results passes its changes on to `count`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, bindparam, delete, func, select, type_coerce, update
from sqlalchemy import String as Text
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.tallies.deltas import Change, Deltas, Home
from dashboard.ledger.tallies.shards import free_shard
from dashboard.ledger.tallies.tables import cell, course, tally, waiting

_MEASURES = ("messages", "credits_low", "credits_high", "credits_billed", "difference")
_KEY = ("cell_id", "handed_over", "stage", "cause", "due", "reason")

_batch, _campaign = schema.batch.c, schema.campaign.c
_PRICE = func.coalesce(
    type_coerce(_campaign.price_per_credit, Text), type_coerce(_batch.price_per_credit, Text), ""
)

# Built once: SQLAlchemy takes longer to build a statement than SQLite to run it.
_HOMES = select(
    *(_batch.id, _batch.campaign_id, _campaign.started_at, _PRICE.label("price")),
    (_batch.accepted + _batch.dropped == _batch.messages).label("is_complete"),
).join(schema.campaign, _campaign.id == _batch.campaign_id)
_HOME = _HOMES.where(_batch.id == bindparam("id_"))
_HOMES_OF_MANY = _HOMES.where(_batch.id.in_(bindparam("ids_", expanding=True)))
_CELLS = select(cell).where(cell.c.campaign_id == bindparam("campaign_"))
_LESS = (
    update(waiting)
    .where(
        waiting.c.batch_id == bindparam("batch_"),
        waiting.c.cell_id == bindparam("cell_"),
        waiting.c.due == bindparam("due_"),
    )
    .values({name: waiting.c[name] + bindparam(f"{name}_") for name in _MEASURES[:3]})
)
_NONE_LEFT = delete(waiting).where(waiting.c.batch_id == bindparam("batch_"))
_EMPTY = _NONE_LEFT.where(waiting.c.messages == 0)


def _growing(table: Table, measures: Sequence[str], dialect: Any) -> Any:
    made = dialect.insert(table)
    grown = {name: table.c[name] + made.excluded[name] for name in measures}
    return made.on_conflict_do_update(index_elements=list(table.primary_key), set_=grown)


_GROW = {
    (table, name): _growing(table, measures, dialect)
    for table, measures in ((tally, _MEASURES), (course, ("messages",)))
    for name, dialect in (("sqlite", sqlite), ("postgresql", postgresql))
}


def count(connection: Connection, changes: Sequence[Change]) -> None:
    """Bring the tallies up to date with changes of results.

    Args:
        connection: A write transaction that locked the batches, and has added to their sums already.
        changes: One per message.
    """
    if not changes:
        return
    batches = _batches(connection, {change[0] for change in changes})
    deltas = Deltas(changes, _homes(connection, batches))
    _store(connection, deltas)
    complete = {batch_id for batch_id, row in batches.items() if row.is_complete}
    _take_away(connection, deltas.waiting, complete)


def _batches(connection: Connection, batch_ids: Collection[int]) -> dict[int, Row[Any]]:
    """What `_HOMES` asks of batches; of a single one, as while sending, by a statement that takes half."""
    if len(batch_ids) == 1:
        (batch_id,) = batch_ids
        return {batch_id: connection.execute(_HOME, {"id_": batch_id}).one()}
    parts = (connection.execute(_HOMES_OF_MANY, {"ids_": part}) for part in chunks(batch_ids))
    return {row.id: row for part in parts for row in part}


def _homes(connection: Connection, batches: Mapping[int, Any]) -> dict[int, Home]:
    by_price: dict[tuple[str, str], dict[tuple[str, str, str], int]] = {}
    for campaign_id in {row.campaign_id for row in batches.values()}:
        for found in connection.execute(_CELLS, {"campaign_": campaign_id}):
            cells = by_price.setdefault((campaign_id, found.price), {})
            cells[found.country, found.line_type, found.variant] = found.id
    return {
        batch_id: Home(row.campaign_id, row.started_at, by_price[row.campaign_id, row.price])
        for batch_id, row in batches.items()
    }


def _store(connection: Connection, deltas: Deltas) -> None:
    shard, dialect = free_shard(connection), connection.dialect.name
    rows: list[dict[str, Any]] = [
        {**dict(zip(_KEY, key, strict=True)), "shard": shard, **dict(zip(_MEASURES, sums, strict=True))}
        for key, sums in sorted(deltas.tally.items())
        if any(sums)
    ]
    if rows:
        connection.execute(_GROW[tally, dialect], rows)
    moments = [
        {"campaign_id": campaign_id, "shard": shard, "stage": stage, "at": at, "messages": messages}
        for (campaign_id, stage, at), messages in sorted(deltas.course.items())
        if messages
    ]
    if moments:
        connection.execute(_GROW[course, dialect], moments)


def _take_away(
    connection: Connection, gone: Mapping[tuple[int, int, int], Sequence[int]], complete: Collection[int]
) -> None:
    """Take from what waits in batches what now has its own state: all of it where a batch is complete."""
    if not gone:
        return
    if complete:
        connection.execute(_NONE_LEFT, [{"batch_": batch_id} for batch_id in complete])
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
    if less:
        connection.execute(_LESS, less)
        connection.execute(_EMPTY, [{"batch_": batch_id} for batch_id in {row["batch_"] for row in less}])
