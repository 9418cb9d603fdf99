"""What waits in batches that nothing has happened to: most of a campaign before it is sent.

It is added up for the whole campaign: by batches, one of millions would have as many rows as batches times
cells. A batch leaves the pool when it is claimed or becomes doubtful; what is left in it is then counted in
`waiting`, under the batch. Until then all of them are ready, or cancelled with their campaign.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, func, insert, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.counting import Sums, grow_pool, homes_of
from dashboard.ledger.tallies.deltas import cell_of
from dashboard.ledger.tallies.frozen import Frozen
from dashboard.ledger.tallies.shards import free_shard
from dashboard.ledger.tallies.spans import due
from dashboard.ledger.tallies.tables import waiting

_batch, _waiting = schema.batch.c, waiting.c

STATE = case((schema.campaign.c.state == "cancelled", "cancelled"), else_="ready")
"""The state of all messages in the pool of a campaign."""

_WAIT = Prepared(insert(waiting), waiting.columns.keys())


class _Housed(NamedTuple):
    """Of a batch, what says where its messages are counted."""

    campaign_id: str
    started_at: datetime | None
    price: str


def claimed(connection: Connection, campaign: Any, batch: Any, rest: Iterable[Frozen]) -> None:
    """Let a batch leave the pool that is being claimed, with the messages that are left in it.

    Args:
        connection: A write transaction.
        campaign: Its row.
        batch: Its row.
        rest: The messages.
    """
    price = batch.price_per_credit if campaign.price_per_credit is None else campaign.price_per_credit
    housed = _Housed(campaign.id, campaign.started_at, "" if price is None else str(price))
    home = homes_of(connection, {batch.id: housed})[batch.id]
    sums: Sums = defaultdict(lambda: [0] * 3)
    for frozen, many in Counter(rest).items():
        total = sums[cell_of(home, frozen), due(frozen.scheduled_at)]
        for place, value in enumerate((1, frozen.credits_low, frozen.credits_high)):
            total[place] += many * value
    if sums:
        for key, total in sums.items():
            _WAIT(connection, **_row(batch.id, key, total))
        _take(connection, sums)


def doubtful(connection: Connection, batch_ids: Collection[int]) -> None:
    """Let those of these batches leave the pool that are in it."""
    for chunk in chunks(batch_ids):
        pooled = select(_batch.id, _batch.campaign_id).where(_batch.id.in_(chunk), _batch.pooled)
        found: dict[str, list[int]] = defaultdict(list)
        for batch_id, campaign_id in connection.execute(pooled.order_by(_batch.id)):
            found[campaign_id].append(batch_id)
        connection.execute(update(schema.batch).where(_batch.id.in_(chunk)).values(pooled=False))
        for campaign_id, ids in found.items():
            recount.wait(connection, campaign_id, ids)
            _take(connection, _waiting_in(connection, ids))


def _waiting_in(connection: Connection, batch_ids: Collection[int]) -> Sums:
    sums = (func.sum(_waiting[name]) for name in ("messages", "credits_low", "credits_high"))
    query = select(_waiting.cell_id, _waiting.due, *sums).group_by(_waiting.cell_id, _waiting.due)
    rows = connection.execute(query.where(_waiting.batch_id.in_(batch_ids)))
    return {(row.cell_id, row.due): [int(value) for value in row[2:]] for row in rows}


def _take(connection: Connection, sums: Mapping[tuple[int, int], Sequence[int]]) -> None:
    less = {key: [-value for value in total] for key, total in sums.items()}
    grow_pool(connection, free_shard(connection), less)


def _row(batch_id: int, key: tuple[int, int], total: Sequence[int]) -> dict[str, Any]:
    names = ("batch_id", "cell_id", "due", "messages", "credits_low", "credits_high")
    return dict(zip(names, (batch_id, *key, *total), strict=True))
