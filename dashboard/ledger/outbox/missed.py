"""Times that were missed: nothing goes out long after its time, perhaps in the night, unless a person agrees.

A message may wait for its own time here or at the service. That time is missed if the machine slept, no
program was running, the database was away or the campaign was paused. A campaign that is merely behind, for
example because its pace is slow, has missed nothing: it was sending all the while.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.outbox.gate import Gate

MISSED = "missed"

LATE = timedelta(minutes=15)
"""What is later than this is asked about."""

MISSED_REASON = "Its time came while nothing was sent. Resume it to send now what was missed, or cancel it."
AGREED_REASON = "What was missed is sent all the same, as a person decided."

_batch, _campaign = schema.batch.c, schema.campaign.c


def is_missed(
    connection: Connection,
    campaign: Row[Any],
    batch: Row[Any],
    times: Iterable[datetime | None],
    gate: Gate,
    now: datetime,
) -> bool:
    """Whether a batch must not go out without being asked about.

    Args:
        connection: A transaction.
        campaign: The batch's campaign.
        batch: The batch.
        times: Its messages' own times.
        gate: Has the pace.
        now: The time.
    """
    due = batch.due_at or min((at for at in times if at is not None), default=None)
    if due is None or now - due <= LATE:
        return False
    if campaign.reason == AGREED_REASON and campaign.resumed_at >= due + LATE:
        due = campaign.resumed_at  # agreed to then, not for ever
    return now - due > LATE and not _is_busy(connection, batch, due, gate, now)


def pause_over_missed(connection: Connection, campaign_id: str, now: datetime) -> None:
    """Pause a campaign in which something was missed, as seen then, unless a person has resumed it since."""
    campaign = campaign_row(connection, campaign_id, "change")
    if campaign.state == "running" and (campaign.resumed_at is None or campaign.resumed_at <= now):
        values = {"state": "paused", "reason": MISSED_REASON}
        connection.execute(update(schema.campaign).where(_campaign.id == campaign_id).values(values))


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
