"""Whether now is a batch's time, as looked at in the claim: not long after its own, not in quiet hours.

A message may wait for its own time here or at the service. That time is missed if the machine slept, no
program was running, the database was away or the campaign was paused: then nothing goes out, perhaps in the
night, unless a person agrees. A campaign that is merely behind, for example because its pace is slow, has
missed nothing: it was sending all the while.

Whoever could be texted when a campaign was written may sleep by now. What the service is handed with a time
to come is not held up here: that time was chosen within the hours.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, exists, func, or_, select, update

from dashboard.campaigns import first_within
from dashboard.ledger.database import schema
from dashboard.ledger.database.locks import held_by_nobody
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.outbox.gate import Gate

MISSED = "missed"

LATE = timedelta(minutes=15)
"""What is later than this is asked about."""

MISSED_REASON = "Its time came while nothing was sent. Resume it to send now what was missed, or cancel it."
AGREED_REASON = "What was missed is sent all the same, as a person decided."

QUIET = "quiet"
QUIET_REASON = "It is not an hour in which these people may be texted."

SOON = timedelta(minutes=2)
"""The service refuses a time that has passed when the request arrives: a nearer one is moved on to this."""

CLAIM_LIFE = timedelta(minutes=1)
"""How long after its claim a request may still leave; after that it never does."""

_DAY = timedelta(days=1)
_batch, _campaign, _message = schema.batch.c, schema.campaign.c, schema.message.c


def is_missed(
    connection: Connection,
    campaign: Row[Any],
    batch: Row[Any],
    times: Iterable[datetime | None],
    gate: Gate,
    now: datetime,
) -> bool:
    """Whether a batch, whose messages have these times of their own, must not go out without a question."""
    due = batch.due_at or min((at for at in times if at is not None), default=None)
    if due is None or now - due <= LATE:
        return False
    if campaign.reason == AGREED_REASON and campaign.resumed_at >= due + LATE:
        due = campaign.resumed_at  # agreed to then, not for ever
    return now - due > LATE and not _is_busy(connection, batch, due, gate, now)


def _is_busy(connection: Connection, batch: Row[Any], due: datetime, gate: Gate, now: datetime) -> bool:
    """Whether the campaign has been sending until now, or waiting for its turn: the batch is only late."""
    since = now - LATE - _turn(connection, batch, gate)
    if due > since:
        return True
    query = select(_batch.id).where(
        _batch.claimed_at > since,
        _batch.campaign_id == batch.campaign_id,
        _batch.state.not_in(["ready", "sending"]),  # what only came back shows that nothing gets through
    )
    return connection.execute(query.limit(1)).first() is not None


def _turn(connection: Connection, batch: Row[Any], gate: Gate) -> timedelta:
    """How long the pace keeps a campaign waiting from one batch to the next."""
    if not gate.messages_per_second:
        return timedelta()
    campaigns = select(func.count()).where(_campaign.state == "running")
    many: int = connection.execute(campaigns).scalar_one()
    return timedelta(seconds=many * batch.messages / gate.messages_per_second)


def quiet_until(batch: Row[Any], times: Iterable[datetime | None], now: datetime) -> datetime | None:
    """Until when a batch has to wait because it is a quiet hour for its people; None if it may go.

    It may go only if it still may when the claim has lived its life: its request may leave as late as that.
    `times` are those of its messages' own.
    """
    if batch.texting_hours is None:
        return None
    to_come = {None if at is None or at <= now else at for at in times}
    for leaves in (now, now + CLAIM_LIFE):
        goes = [leaves if at is None else at_service(at, leaves) for at in to_come]
        soon = [at for at in goes if at <= leaves + SOON]
        opens = [first_within(at, batch.texting_hours) or at + _DAY for at in soon]
        if opens != soon:
            return max(opens)
    return None


def at_service(scheduled_at: datetime, now: datetime) -> datetime:
    """The time to hand over for one that is to come: it must not have passed when the request arrives."""
    return max(scheduled_at, now + SOON)


def hold(connection: Connection, batch: Row[Any], until: datetime, now: datetime) -> None:
    """Let everything of the batch's campaign that would go out to people with these hours wait until then.

    What another transaction has locked is left to it.
    """
    waits_there = exists().where(
        _message.id.between(_batch.first_message, _batch.last_message), _message.scheduled_at > now
    )
    ready = select(_batch.id).where(
        _batch.campaign_id == batch.campaign_id,
        _batch.state == "ready",
        _batch.texting_hours == batch.texting_hours,
        or_(_batch.id == batch.id, _batch.due_at <= now, _batch.due_at.is_(None) & ~waits_there),
    )
    for some in chunks(list(connection.execute(held_by_nobody(ready)).scalars())):
        held = update(schema.batch).where(_batch.id.in_(some))
        connection.execute(held.values(due_at=until, reason=QUIET_REASON))
