"""Quiet hours, looked at in the claim: whoever could be texted when a campaign was written may sleep by now.

A pace is slow, a campaign was paused, the machine slept. What the service is handed with a time to come is
not held up here: that time was chosen within the hours.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, exists, or_, select, update

from dashboard.campaigns import first_within
from dashboard.ledger.database import schema
from dashboard.ledger.database.locks import held_by_nobody
from dashboard.ledger.database.writing import chunks

QUIET = "quiet"
REASON = "It is not an hour in which these people may be texted."

SOON = timedelta(minutes=2)
"""The service refuses a time that has passed when the request arrives: a nearer one is moved on to this."""

CLAIM_LIFE = timedelta(minutes=1)
"""How long after its claim a request may still leave; after that it never does."""

_DAY = timedelta(days=1)
_batch, _message = schema.batch.c, schema.message.c


def quiet_until(batch: Row[Any], times: Iterable[datetime | None], now: datetime) -> datetime | None:
    """Until when a batch has to wait because it is a quiet hour for its people; None if it may go.

    It may go only if it still may when the claim has lived its life: its request may leave as late as that.

    Args:
        batch: The batch.
        times: Its messages' own times.
        now: The time.
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
        connection.execute(held.values(due_at=until, reason=REASON))
