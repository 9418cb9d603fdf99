"""Forget one person everywhere: their number, what they were texted, their rows of contact sheets.

Counts, credits and costs stay. They are never texted again: of their number a hash is kept, which tells it
only from others that somebody has.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, delete, select, update

from dashboard.contacts.renumberings import spellings
from dashboard.errors import LedgerError
from dashboard.ledger import forgotten, optouts
from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.said import MASK, naming
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.evidence.reports import batch_of_message
from dashboard.ledger.freeze import sheets
from dashboard.words import _

_OPEN = ("sending", "unknown")
_message, _result, _campaign, _batch = (
    table.c for table in (schema.message, schema.result, schema.campaign, schema.batch)
)
_opt_out = schema.opt_out.c
_TYPED = {_campaign.audience: None} | dict.fromkeys(
    (
        *(_campaign.reason, _batch.reason),
        *(_opt_out.reason, _opt_out.source, _opt_out.removed_by, _opt_out.removed_why),
    ),
    MASK,
)
"""Words that may name somebody else, and what takes their place."""


def erase(connection: Connection, phone: str, now: datetime) -> int:
    """Forget a person, in one write transaction; returns how many messages they had.

    Args:
        connection: A write transaction.
        phone: Their number, in E.164.
        now: The time.

    Raises:
        LedgerError: Nobody knows yet what became of a message to them, which may have to be sent again.
    """
    serialize(connection, Advisory.FREEZE)  # a campaign frozen in the meantime would have them again
    spelled = spellings(phone)
    theirs = connection.execute(select(_message.id).where(_message.to.in_(spelled))).scalars().all()
    optouts.add_opt_outs(  # drops what is ready
        connection, [phone], reason=None, source=None, now=now, messages=theirs
    )
    query = (
        select(_message.id, _message.row, _batch.state, _campaign.id.label("campaign"))
        .join(schema.batch, _batch.id == batch_of_message())
        .join(schema.campaign, _campaign.id == _batch.campaign_id)
    )
    found = [row for some in chunks(theirs) for row in connection.execute(query.where(_message.id.in_(some)))]
    if any(one.state in _OPEN for one in found):
        raise LedgerError(
            _(
                "A message to this person is on its way, or nobody knows what became of it. Decide that on "
                "its campaign's page first; then they can be forgotten."
            )
        )
    for some in chunks([one.id for one in found]):
        connection.execute(update(schema.message).where(_message.id.in_(some)).values(to="", body=""))
        blank = {"contact_uuid": None, "body": None, "extra": None}
        connection.execute(update(schema.result).where(_result.message_id.in_(some)).values(blank))
    for campaign in {one.campaign for one in found}:
        sheets.drop(connection, campaign, [one.row for one in found if one.campaign == campaign])
    _drop_mentions(connection, naming(phone))
    connection.execute(delete(schema.opt_out).where(schema.opt_out.c.phone.in_(spelled)))
    forgotten.remember(connection, phone, now)
    append(connection, "forget", "person", now, details={"messages": len(found)})
    return len(found)


def _drop_mentions(connection: Connection, names: Callable[[str], bool]) -> None:
    """Delete what else names the number: stray reports, choices of people, reasons in an odd spelling."""
    strays = schema.stray_report
    reports = connection.execute(select(strays.c.digest, strays.c.report))
    for some in chunks([digest for digest, report in reports if names(report)]):
        connection.execute(delete(strays).where(strays.c.digest.in_(some)))
    for typed, instead in _TYPED.items():
        table, key = typed.table, typed.table.c.id
        said = connection.execute(select(key, typed).where(typed.is_not(None)))
        for some in chunks([one for one, words in said if names(words)]):
            connection.execute(update(table).where(key.in_(some)).values({typed: instead}))
