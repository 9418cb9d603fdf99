"""Claims: the only way from `ready` to `sending`, committed before the request leaves.

One transaction checks that the owner lives, that the campaign runs, that the gate is open and the pace
kept, and that the batch is still ready. Rows are locked in one order everywhere (owner, campaign, gate,
batch), so that PostgreSQL never finds two transactions waiting for each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, insert, select, update

from dashboard.ledger import schema
from dashboard.ledger.gate import Gate, lock_gate, read_gate, write_gate
from dashboard.ledger.pausing import over_cap, pause_running
from dashboard.service.models import OutgoingMessage

LATE = timedelta(minutes=15)
"""A message whose own time passed by less than this, say during a pause, goes out at once."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A batch that is ours to send, once. `message_ids` and `messages` go together."""

    campaign_id: str
    batch_id: int
    attempt: int
    owner: str
    claimed_at: datetime
    message_ids: tuple[int, ...]
    messages: tuple[OutgoingMessage, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing may go out before `until`."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Nothing:
    """No batch to claim: the campaign does not run, the owner was retired, or nothing is ready."""

    why: str


@dataclass(frozen=True, slots=True)
class Lane:
    """Every `lanes`-th batch of a campaign, from the `number`-th on."""

    campaign_id: str
    number: int
    lanes: int


def claim_next(
    connection: Connection, lane: Lane, *, owner: str, ticket: str, now: datetime
) -> Claim | Wait | Nothing:
    """Claim the lane's next ready batch, or one that other lanes left when the lane has none.

    Args:
        connection: A write transaction. The claim holds once it is committed.
        lane: Whose batches.
        owner: The claiming process, registered in `owner`.
        ticket: Names this claim. Asked again with the same ticket, after a commit whose fate was not
            known, the same claim comes back instead of a second one.
        now: The time.
    """
    if not _lives(connection, owner):
        return Nothing("retired")
    gate = read_gate(connection)
    campaign = _campaign(connection, lane.campaign_id, change=gate.has_caps)
    if held := _held(connection, owner, ticket):
        return _claim(connection, campaign, held, now)
    if campaign.state != "running":
        return Nothing(campaign.state)
    if gate.messages_per_second or gate.has_caps or gate.stepped_back(now):
        gate = lock_gate(connection, now)
    if opens_at := gate.opens_at(now):
        return Wait(opens_at)
    return _claim_ready(connection, lane, campaign, gate, owner=owner, ticket=ticket, now=now)


def is_due(now: datetime) -> ColumnElement[bool]:
    """Of a batch: not held here, or its time has come."""
    due_at = schema.batch.c.due_at
    return due_at.is_(None) | (due_at <= now)


def _lives(connection: Connection, owner: str) -> bool:
    table = schema.owner
    query = select(table.c.id).where(table.c.id == owner, table.c.retired_at.is_(None))
    return connection.execute(query.with_for_update(read=True)).one_or_none() is not None


def _campaign(connection: Connection, campaign_id: str, *, change: bool) -> Row[Any]:
    query = select(schema.campaign).where(schema.campaign.c.id == campaign_id)
    return connection.execute(query.with_for_update(read=not change)).one()


def _held(connection: Connection, owner: str, ticket: str) -> Row[Any] | None:
    table = schema.batch
    query = select(table).where(table.c.owner == owner, table.c.state == "sending", table.c.ticket == ticket)
    return connection.execute(query).one_or_none()


def _claim_ready(
    connection: Connection,
    lane: Lane,
    campaign: Row[Any],
    gate: Gate,
    *,
    owner: str,
    ticket: str,
    now: datetime,
) -> Claim | Nothing:
    """Claim what is ready, now that the campaign runs and the gate is open."""
    batch = _next_ready(connection, lane, now)
    if batch is None:
        return Nothing("nothing ready")
    if reason := over_cap(connection, gate, campaign.id, batch, now):
        pause_running(connection, campaign.id, reason)
        return Nothing("paused")
    table = schema.batch
    taken = connection.execute(
        update(table)
        .where(table.c.id == batch.id, table.c.state == "ready", table.c.attempt == batch.attempt)
        .values(
            state="sending",
            attempt=batch.attempt + 1,
            owner=owner,
            ticket=ticket,
            claimed_at=now,
            settled_at=None,
            http_status=None,
            reason=None,
        )
        .returning(table)
    ).one()
    connection.execute(
        insert(schema.attempt).values(
            batch_id=taken.id, attempt=taken.attempt, owner=owner, at=now, event="claimed"
        )
    )
    if gate.messages_per_second:
        write_gate(connection, gate.after(taken.messages - taken.accepted - taken.dropped, now))
    return _claim(connection, campaign, taken, now)


def _next_ready(connection: Connection, lane: Lane, now: datetime) -> Row[Any] | None:
    table = schema.batch
    ready: Select[Any] = (
        select(table)
        .where(table.c.campaign_id == lane.campaign_id, table.c.state == "ready", is_due(now))
        .order_by(table.c.first_message)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    own = ready.where(table.c.seq % lane.lanes == lane.number)
    return connection.execute(own).one_or_none() or connection.execute(ready).one_or_none()


def _claim(connection: Connection, campaign: Row[Any], batch: Row[Any], now: datetime) -> Claim:
    """The claim with its messages, except those that have a state of their own: they are never sent again."""
    table, result = schema.message, schema.result
    rows = connection.execute(
        select(table.c.id, table.c.uuid, table.c.to, table.c.body, table.c.scheduled_at, table.c.variant)
        .outerjoin(result, result.c.message_id == table.c.id)
        .where(table.c.id.between(batch.first_message, batch.last_message), result.c.message_id.is_(None))
        .order_by(table.c.id)
    ).all()
    texts = _texts(connection, campaign) if any(row.variant is not None for row in rows) else {}
    return Claim(
        campaign_id=campaign.id,
        batch_id=batch.id,
        attempt=batch.attempt,
        owner=batch.owner,
        claimed_at=batch.claimed_at,
        message_ids=tuple(row.id for row in rows),
        messages=tuple(
            OutgoingMessage(
                to=row.to,
                body=row.body,
                uuid=row.uuid,
                sender=campaign.sender,
                shorten_links=campaign.shorten_links,
                scheduled_at=None if batch.due_at else _own_time(row.scheduled_at, now),
                campaign=texts.get(row.variant, campaign).name,
                campaign_tracking=texts.get(row.variant, campaign).tracking,
            )
            for row in rows
        ),
    )


def _texts(connection: Connection, campaign: Row[Any]) -> dict[str, Any]:
    """Name and tracking of the campaign's messages, by variant."""
    table = schema.campaign_text
    query = select(table.c.variant, table.c.name, table.c.tracking).where(table.c.campaign_id == campaign.id)
    return {row.variant: row for row in connection.execute(query)}


def _own_time(scheduled_at: datetime | None, now: datetime) -> datetime | None:
    if scheduled_at is None or scheduled_at > now or now - scheduled_at > LATE:
        return scheduled_at
    return None
