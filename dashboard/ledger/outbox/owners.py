"""Who sends: one owner per life of a process.

A slot's lock, which ends with its process, tells living owners from dead ones.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, insert, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.evidence.attempts import make_unknown

LOST_AFTER = timedelta(minutes=2)
"""Longer than a claim lives before its request (hours.CLAIM_LIFE): what is lost now is never requested."""


def register(connection: Connection, slot: int, now: datetime) -> str:
    """Enter this process as the owner of a slot whose lock it holds; its previous owners are dead.

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
    """Slots whose owner has not been retired, dead or alive."""
    table = schema.owner
    return list(
        connection.execute(select(table.c.slot).where(table.c.retired_at.is_(None)).distinct()).scalars()
    )


def has_others(connection: Connection, owner: str) -> bool:
    """Whether there are other owners that have not been retired."""
    table = schema.owner
    others = select(table.c.id).where(table.c.retired_at.is_(None), table.c.id != owner)
    return connection.execute(others.limit(1)).first() is not None


def is_retired(connection: Connection, owner: str) -> bool:
    """Whether this owner has been retired."""
    table = schema.owner
    return connection.execute(select(table.c.retired_at).where(table.c.id == owner)).scalar_one() is not None


def retire(connection: Connection, slots: Collection[int], now: datetime) -> int:
    """Retire the owners of slots whose processes have ended: what they were sending is unknown.

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
    ended = "The program ended while this batch was on its way. Nobody can tell whether the service took it."
    return _to_unknown(connection, schema.batch.c.owner.in_(list(gone)), ended, now)


def give_up_lost(connection: Connection, owner: str, in_flight: Collection[int], now: datetime) -> int:
    """Declare unknown what an owner claimed long ago and no longer knows of, as after a failure of a thread.

    What was claimed in the future was claimed before the clock was set back.

    Returns:
        How many batches became unknown.
    """
    table = schema.batch
    is_old = (table.c.claimed_at < now - LOST_AFTER) | (table.c.claimed_at > now + LOST_AFTER)
    lost = (table.c.owner == owner) & is_old & table.c.id.not_in(in_flight)
    return _to_unknown(
        connection,
        lost,
        "The program lost track of this batch. Nobody can tell whether it was sent.",
        now,
    )


def _to_unknown(connection: Connection, which: ColumnElement[bool], reason: str, now: datetime) -> int:
    which &= schema.batch.c.state == "sending"
    return make_unknown(connection, which, event="lost", reason=reason, now=now)
