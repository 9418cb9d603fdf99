"""Delete whom past campaigns texted, and what: numbers, texts, contact sheets and whom they were made for.

Counts, credits, costs, countries and times stay, so every figure stays what it was. A campaign is forgotten
when it ended long enough ago, each of its messages was due long enough ago (the service may still hold some
that it was handed with a time) and none awaits a person's decision. What the service says about it later is
still counted, without its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, exists, select, update

from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import lock_batches_where

CHUNK = 20_000
"""How many messages are forgotten in one transaction, so that sending never waits long."""

_ENDED = ("done", "cancelled")
_UNDECIDED = ("sending", "unknown")

_campaign, _batch, _message, _result = (
    table.c for table in (schema.campaign, schema.batch, schema.message, schema.result)
)


def forget(database: Database, before: datetime, now: datetime) -> int:
    """Forget the campaigns that ended before then, and the stray reports that came before then.

    Returns:
        How many messages were forgotten.
    """
    with database.write() as connection:
        strays = schema.stray_report
        connection.execute(delete(strays).where(strays.c.received_at < before))
        old = forgettable(connection, before)
    forgotten = 0
    for campaign in old:
        for first in range(campaign.first_message, campaign.last_message + 1, CHUNK):
            with database.write() as connection:
                _empty(connection, campaign.id, first, min(first + CHUNK - 1, campaign.last_message))
        with database.write() as connection:
            messages = campaign.last_message - campaign.first_message + 1
            if _close(connection, campaign.id, now):
                append(connection, "forget", campaign.id, now, details={"messages": messages})
        forgotten += messages
    database.empty_log()  # even if nothing was forgotten now: the last time somebody may have been reading
    return forgotten


def forgettable(connection: Connection, before: datetime) -> Sequence[Row[Any, Any, Any]]:
    """The campaigns that ended before then and are not forgotten yet: id, first and last message."""
    undecided = exists().where(_batch.campaign_id == _campaign.id, _batch.state.in_(_UNDECIDED))
    of_campaign = _message.id.between(_campaign.first_message, _campaign.last_message)
    waiting = exists().where(of_campaign, _message.scheduled_at >= before)
    waiting_there = exists().where(
        _result.message_id.between(_campaign.first_message, _campaign.last_message),
        _result.scheduled_at >= before,
    )
    query = select(_campaign.id, _campaign.first_message, _campaign.last_message).where(
        _campaign.state.in_(_ENDED),
        _campaign.finished_at < before,
        _campaign.forgotten_at.is_(None),
        ~undecided,
        ~waiting,
        ~waiting_there,
    )
    return connection.execute(query.order_by(_campaign.first_message)).all()


def _empty(connection: Connection, campaign_id: str, first: int, last: int) -> None:
    """Delete what is personal of these messages of a campaign; whatever brings news of them waits."""
    held = (
        (_batch.campaign_id == campaign_id) & (_batch.first_message <= last) & (_batch.last_message >= first)
    )
    lock_batches_where(connection, held)
    connection.execute(update(schema.message).where(_message.id.between(first, last)).values(to="", body=""))
    connection.execute(
        update(schema.result)
        .where(_result.message_id.between(first, last))
        .values(contact_uuid=None, body=None, extra=None)
    )


def _close(connection: Connection, campaign_id: str, now: datetime) -> bool:
    """Note that it is forgotten; False if another process did so meanwhile."""
    sheet = schema.campaign_sheet
    connection.execute(delete(sheet).where(sheet.c.campaign_id == campaign_id))
    closed = connection.execute(
        update(schema.campaign)
        .where(_campaign.id == campaign_id, _campaign.forgotten_at.is_(None))
        .values(forgotten_at=now, audience=None)
    )
    return closed.rowcount == 1
