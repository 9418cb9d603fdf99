"""Who sends: one owner per life of a process.

A slot's lock, which ends with its process, tells the living from the dead.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Collection
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, insert, select, update

from dashboard.ledger import schema


def register(connection: Connection, slot: int, now: datetime) -> str:
    """Enter this process as the owner of a slot whose lock it holds; those who had it before are dead.

    Returns:
        The owner's id, for claims.
    """
    retire(connection, [slot], now)
    owner = f"{slot}-{uuid4().hex[:12]}"
    connection.execute(
        insert(schema.owner).values(
            id=owner, slot=slot, host=socket.gethostname(), pid=os.getpid(), started_at=now
        )
    )
    return owner


def slots_in_use(connection: Connection) -> list[int]:
    """Slots whose owner was not retired, dead or alive."""
    table = schema.owner
    return list(
        connection.execute(select(table.c.slot).where(table.c.retired_at.is_(None)).distinct()).scalars()
    )


def is_retired(connection: Connection, owner: str) -> bool:
    """Whether this owner was retired."""
    table = schema.owner
    return connection.execute(select(table.c.retired_at).where(table.c.id == owner)).scalar_one() is not None


def retire(connection: Connection, slots: Collection[int], now: datetime) -> int:
    """Retire the owners of slots, whose processes have ended: what they were sending is unknown.

    Returns:
        How many batches became unknown.
    """
    table = schema.owner
    gone = connection.execute(
        update(table)
        .where(table.c.slot.in_(list(slots)), table.c.retired_at.is_(None))
        .values(retired_at=now)
        .returning(table.c.id)
    ).scalars()
    return _to_unknown(connection, list(gone), now)


def _to_unknown(connection: Connection, owners: list[str], now: datetime) -> int:
    table = schema.batch
    reason = "The program ended while this batch was on its way. Nobody can tell whether the service took it."
    orphans = connection.execute(
        update(table)
        .where(table.c.owner.in_(owners), table.c.state == "sending")
        .values(state="unknown", reason=reason, settled_at=now)
        .returning(table.c.id, table.c.attempt, table.c.owner)
    ).all()
    if orphans:
        connection.execute(
            insert(schema.attempt),
            [
                {
                    "batch_id": row.id,
                    "attempt": row.attempt,
                    "owner": row.owner,
                    "at": now,
                    "event": "unknown",
                    "detail": reason,
                }
                for row in orphans
            ],
        )
    return len(orphans)
