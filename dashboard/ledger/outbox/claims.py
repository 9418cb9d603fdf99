"""Claims: the only way from `ready` to `sending`, committed before the request leaves.

One transaction checks that the owner is alive, that the campaign is running, that the gate is open and the
pace kept, and that the batch is still ready. It locks rows in the order of `dashboard.ledger.database.locks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, insert, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import EPOCH, Instant, instant
from dashboard.ledger.database.locks import campaign_row, held_by_nobody, owner_lives
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.outbox.gate import Gate, lock_gate, read_gate, write_gate
from dashboard.ledger.outbox.hours import MISSED, QUIET, at_service, hold, is_missed, quiet_until
from dashboard.ledger.outbox.pausing import over_cap, pause_running
from dashboard.ledger.tallies.tables import FROZEN, Frozen
from dashboard.service.models import OutgoingMessage


@dataclass(frozen=True, slots=True)
class Claim:
    """A batch that is ours to send, once. `message_ids`, `messages` and `frozen` belong together."""

    campaign_id: str
    batch_id: int
    attempt: int
    owner: str
    claimed_at: datetime
    first_claimed_at: datetime
    newest_opt_out: datetime | None = field(compare=False)
    """When the newest opt-out that the claim knew of was added; none is known of one found by its ticket."""

    message_ids: tuple[int, ...]
    messages: tuple[OutgoingMessage, ...] = field(repr=False)
    frozen: tuple[Frozen, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing may go out before `until`."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Nothing:
    """No batch to claim: the campaign is not running, the owner was retired, or nothing is ready."""

    why: str


def goes_out(now: ColumnElement[Any] | datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """A ready batch goes out if one of these holds: it is not held here, or its time has come.

    Asked one after the other, each is a range of the index, however many batches are held.
    """
    due_at = schema.batch.c.due_at
    return due_at.is_(None), due_at <= now


# A name ends with _ if a column of an update or insert might have the same name.
_batch, _campaign, _message = schema.batch.c, schema.campaign.c, schema.message.c

_HELD = Prepared(
    select(schema.batch).where(
        _batch.owner == bindparam("owner_"),
        _batch.state == "sending",
        _batch.ticket == bindparam("ticket_"),
    )
)
_ALL_READY = (
    select(schema.batch)
    .where(_batch.campaign_id == bindparam("campaign_"), _batch.state == "ready")
    .order_by(_batch.due_at, _batch.first_message)
    .limit(1)
)
_READY = [
    Prepared(held_by_nobody(_ALL_READY.where(which))) for which in goes_out(bindparam("now_", type_=Instant))
]
_TAKE = Prepared(
    update(schema.batch)
    .where(_batch.id == bindparam("id_"), _batch.state == "ready", _batch.attempt == bindparam("was_"))
    .values(
        state="sending",
        attempt=_batch.attempt + 1,
        owner=bindparam("owner_"),
        ticket=bindparam("ticket_"),
        claimed_at=bindparam("now_"),
        first_claimed_at=func.coalesce(_batch.first_claimed_at, bindparam("now_", type_=Instant)),
        settled_at=None,
        http_status=None,
        reason=None,
    )
    .returning(schema.batch)
)
_NOTE = Prepared(insert(schema.attempt), ("batch_id", "attempt", "owner", "at", "event"))
_TEXTS = 4
_Message = tuple[int, str, str, str, Frozen]
_QUERY = (
    select(_message.id, _message.uuid, _message.to, _message.body, *FROZEN)
    .outerjoin(schema.result, schema.result.c.message_id == _message.id)
    .where(_message.id.between(bindparam("first_"), bindparam("last_")), schema.result.c.message_id.is_(None))
    .order_by(_message.id)
)
_MESSAGES = Prepared(_QUERY)
_IN_ONE = Prepared(select(func.json_group_array(func.json_array(*_QUERY.subquery().c)).label("rows")))
"""SQLite gives the interpreter's lock away for each row, and would wait for it as often."""

_text = schema.campaign_text.c
_OF_VARIANTS = Prepared(
    select(_text.variant, _text.name, _text.tracking).where(_text.campaign_id == bindparam("campaign_"))
)

_NEWEST_OPT_OUT = select(schema.opt_out.c.added_at).order_by(schema.opt_out.c.id.desc()).limit(1)
"""Its time, not its id: SQLite gives that of one who was forgotten to the next."""
_NEWEST = Prepared(select(_NEWEST_OPT_OUT.scalar_subquery().label("newest")))
_STATE = Prepared(
    select(
        *(_campaign.state, schema.gate.c.closed_until, _batch.attempt),
        *(_batch.state.label("batch_state"), _NEWEST_OPT_OUT.scalar_subquery().label("newest_opt_out")),
    ).where(
        _campaign.id == bindparam("campaign_"),
        _batch.id == bindparam("batch_"),
        schema.gate.c.id == 1,
    )
)


def to_send(connection: Connection, now: datetime) -> list[str]:
    """The running campaigns that have something ready whose time has come, the oldest first."""
    ready = select(_batch.id).where(_batch.campaign_id == _campaign.id, _batch.state == "ready")
    at_once, due = (ready.where(which).exists() for which in goes_out(now))
    query = select(_campaign.id).where(_campaign.state == "running", at_once | due)
    return list(connection.execute(query.order_by(_campaign.started_at)).scalars())


def claim_next(
    connection: Connection, campaign_id: str, *, owner: str, ticket: str, now: datetime
) -> Claim | Wait | Nothing:
    """Claim the next ready batch of a campaign that nobody else is claiming; it holds once it is committed.

    If it is asked for again with the same ticket, after a commit whose outcome was not known, the same claim
    comes back instead of a second one.
    """
    if not owner_lives(connection, owner):
        return Nothing("retired")
    gate = read_gate(connection)
    campaign = campaign_row(connection, campaign_id, "change" if gate.has_caps else "share")
    if held := _HELD.first(connection, owner_=owner, ticket_=ticket):
        found = _claim(connection, campaign, held, _messages(connection, held), now)
        return replace(found, newest_opt_out=EPOCH)
    if campaign.state != "running":
        return Nothing(campaign.state)
    if gate.messages_per_second or gate.has_caps or gate.stepped_back(now):
        gate = lock_gate(connection, now)
    if opens_at := gate.opens_at(now):
        return Wait(opens_at)
    return _claim_ready(connection, campaign, gate, owner=owner, ticket=ticket, now=now)


def goes_on(connection: Connection, claim: Claim, now: datetime) -> bool:
    """Whether nothing came since the claim that keeps its request back.

    A pause, a closed gate, somebody who opted out, or a person's decision about what seemed lost.
    """
    found = _STATE.one(connection, campaign_=claim.campaign_id, batch_=claim.batch_id)
    is_ours = found.batch_state == "sending" and found.attempt == claim.attempt
    are_known = found.newest_opt_out == claim.newest_opt_out
    return bool(is_ours and are_known and found.state == "running" and found.closed_until <= now)


def _claim_ready(
    connection: Connection,
    campaign: Row[Any],
    gate: Gate,
    *,
    owner: str,
    ticket: str,
    now: datetime,
) -> Claim | Nothing:
    """Claim what is ready, now that the campaign is running and the gate is open."""
    batch = _next_ready(connection, campaign.id, now)
    if batch is None:
        return Nothing("nothing ready")
    messages = _messages(connection, batch)
    times = [message[-1].scheduled_at for message in messages]
    if is_missed(connection, campaign, batch, times, gate, now):
        return Nothing(MISSED)
    if until := quiet_until(batch, times, now):
        hold(connection, batch, until, now)
        return Nothing(QUIET)
    takes = sum(message[-1].credits_high for message in messages)
    if gate.has_caps and (reason := over_cap(connection, gate, campaign.id, takes, now)):
        pause_running(connection, campaign.id, reason)
        return Nothing("paused")
    taken = _TAKE.one(connection, id_=batch.id, was_=batch.attempt, owner_=owner, ticket_=ticket, now_=now)
    _NOTE(connection, batch_id=taken.id, attempt=taken.attempt, owner=owner, at=now, event="claimed")
    claim = _claim(connection, campaign, taken, messages, now)
    if gate.messages_per_second:
        write_gate(connection, gate.after(taken.messages - taken.accepted - taken.dropped, now))
    return claim


def _next_ready(connection: Connection, campaign_id: str, now: datetime) -> Any | None:
    """The first that need not wait, or else the one that is due first."""
    for query in _READY:
        if batch := query.first(connection, campaign_=campaign_id, now_=now):
            return batch
    return None


def _messages(connection: Connection, batch: Row[Any]) -> list[_Message]:
    """A batch's messages, except those that have their own state: they are never sent again."""
    span = {"first_": batch.first_message, "last_": batch.last_message}
    if connection.dialect.name != "sqlite":
        return [(*row[:_TEXTS], Frozen(*row[_TEXTS:])) for row in _MESSAGES(connection, **span)]
    rows = sorted(orjson.loads(_IN_ONE.one(connection, **span).rows))
    return [(*row[:_TEXTS], Frozen(*[*row[_TEXTS:-1], instant(row[-1])])) for row in rows]


def _claim(
    connection: Connection, campaign: Row[Any], batch: Row[Any], rows: Sequence[_Message], now: datetime
) -> Claim:
    frozen = [row[-1] for row in rows]
    texts: dict[str | None, tuple[str, str | None]] = {}
    if any(one.variant is not None for one in frozen):
        rows_of_variants = _OF_VARIANTS(connection, campaign_=campaign.id)
        texts = {variant: (name, tracking) for variant, name, tracking in rows_of_variants}
    sender, shorten_links = campaign.sender, campaign.shorten_links
    whole = (campaign.name, campaign.tracking)
    messages = []
    for _id, uuid, to, body, one in rows:
        scheduled_at = one.scheduled_at
        at = None if scheduled_at is None or scheduled_at <= now else at_service(scheduled_at, now)
        name, tracking = texts.get(one.variant, whole)
        messages.append(OutgoingMessage(to, body, uuid, sender, shorten_links, at, name, tracking))
    return Claim(
        campaign_id=campaign.id,
        batch_id=batch.id,
        attempt=batch.attempt,
        owner=batch.owner,
        claimed_at=batch.claimed_at,
        first_claimed_at=batch.first_claimed_at,
        newest_opt_out=_NEWEST.one(connection).newest,
        message_ids=tuple(row[0] for row in rows),
        messages=tuple(messages),
        frozen=tuple(frozen),
    )
