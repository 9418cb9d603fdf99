"""A part of the tallies that nobody else writes until this transaction ends."""

from __future__ import annotations

from sqlalchemy import Connection

from dashboard.ledger.database.advisory import Advisory, first_free

SHARDS = 64


def free_shard(connection: Connection) -> int:
    """The first shard that no other transaction writes, until this one ends; nobody ever waits for one.

    With more writers than shards the others share one more, and wait there. SQLite has a single writer.
    """
    if connection.dialect.name == "sqlite":
        return 0
    found = first_free(connection, Advisory.SHARD, SHARDS)
    return SHARDS if found is None else found
