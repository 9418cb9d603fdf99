"""A part of the tallies that nobody else writes until this transaction ends."""

from __future__ import annotations

from sqlalchemy import Connection, text

SHARDS = 64
_LOCK = 7_203
_FREE = text(  # LIMIT 1 takes the lock of one only
    f"SELECT s FROM generate_series(0, {SHARDS - 1}) s WHERE pg_try_advisory_xact_lock({_LOCK}, s) LIMIT 1"  # noqa: S608 - words of ours
)


def free_shard(connection: Connection) -> int:
    """The first shard that no other transaction writes, until this one ends; nobody ever waits for one.

    With more writers than shards the others share one more, and wait there. SQLite has a single writer.
    """
    if connection.dialect.name == "sqlite":
        return 0
    found: int | None = connection.execute(_FREE).scalar_one_or_none()
    return SHARDS if found is None else found
