"""Keep the tallies up to date: every transaction that changes results passes its changes on to `count`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, String, Table, bindparam, func, select, type_coerce

from dashboard.ledger.database import schema
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import add_to, chunks
from dashboard.ledger.tallies.deltas import Alike, Deltas, Home
from dashboard.ledger.tallies.tables import cell, course, tally

_batch, _campaign = schema.batch.c, schema.campaign.c
_PRICE = func.coalesce(
    type_coerce(_campaign.price_per_credit, String), type_coerce(_batch.price_per_credit, String), ""
)
_HOMES = select(_batch.id, _batch.campaign_id, _PRICE.label("price")).join(
    schema.campaign, _campaign.id == _batch.campaign_id
)
_HOME = Prepared(_HOMES.where(_batch.id == bindparam("id_")))
_HOMES_OF_MANY = _HOMES.where(_batch.id.in_(bindparam("ids_", expanding=True)))
_CELLS = Prepared(select(cell).where(cell.c.campaign_id == bindparam("campaign_")))


def count(connection: Connection, changes: Sequence[Alike]) -> None:
    """Bring the tallies up to date with changes of results.

    Args:
        connection: A write transaction that locked the batches.
        changes: Added up.
    """
    if changes:
        deltas = Deltas(changes, _homes_of(connection, {change.batch_id for change in changes}))
        _add(connection, tally, deltas.tally)
        _add(connection, course, deltas.course)


def _homes_of(connection: Connection, batch_ids: Collection[int]) -> dict[int, Home]:
    """Where the messages of batches are counted."""
    if len(batch_ids) == 1:  # as while sending, by a statement that takes half
        batches = [_HOME.one(connection, id_=next(iter(batch_ids)))]
    else:
        parts = (connection.execute(_HOMES_OF_MANY, {"ids_": part}) for part in chunks(batch_ids))
        batches = [row for part in parts for row in part]
    by_price: dict[tuple[str, str], dict[tuple[str, str, str], int]] = {}
    for campaign_id in {row.campaign_id for row in batches}:
        for found in _CELLS(connection, campaign_=campaign_id):
            cells = by_price.setdefault((campaign_id, found.price), {})
            cells[found.country, found.line_type, found.variant] = found.id
    return {row.id: Home(row.campaign_id, by_price[row.campaign_id, row.price]) for row in batches}


def _add(connection: Connection, table: Table, sums: Mapping[tuple[Any, ...], Sequence[int]]) -> None:
    rows = [(*key, *values) for key, values in sums.items() if any(values)]
    if rows:
        names = table.columns.keys()
        add_to(connection, table, dict(zip(names, zip(*sorted(rows), strict=True), strict=True)))
