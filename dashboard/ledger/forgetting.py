"""Delete whom past campaigns texted, and what: numbers, texts, contact sheets and whom they were made for.

Counts, credits, costs, countries and times stay, so every figure stays what it was. A campaign is forgotten
when it ended long enough ago, each of its messages was due long enough ago (the service may still hold some
that it was handed with a time) and none awaits a person's decision. What the service says about it later is
still counted, without its text.

A person is forgotten everywhere, and never texted again: of their number a hash is kept, which tells it only
from others that somebody has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, exists, select, update

from dashboard.contacts.renumberings import spellings
from dashboard.errors import LedgerError
from dashboard.ledger import forgotten, optouts
from dashboard.ledger.audit.chain import append
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import lock_batches_where
from dashboard.ledger.database.said import MASK, naming
from dashboard.ledger.database.states import UNFINISHED
from dashboard.ledger.database.writing import chunks, rows_with
from dashboard.ledger.evidence.reports import batch_of_message
from dashboard.ledger.freeze import sheets
from dashboard.words import _

CHUNK = 20_000
"""How many messages are forgotten in one transaction, so that sending never waits long."""

_UNDECIDED = ("sending", "unknown")

_campaign, _batch = schema.campaign.c, schema.batch.c
_message, _result = schema.message.c, schema.result.c
_opt_out, _stray = schema.opt_out.c, schema.stray_report.c
_REASONS = (_campaign.reason, _batch.reason, _opt_out.reason, _opt_out.source)
_REMOVALS = (_opt_out.removed_by, _opt_out.removed_why)
_TYPED = {_campaign.audience: None, **dict.fromkeys([*_REASONS, *_REMOVALS], MASK)}
"""Words that may name somebody else, and what takes their place."""


def forget(database: Database, before: datetime, now: datetime) -> int:
    """Forget the campaigns that ended before then, and the stray reports that came before then.

    Returns:
        How many messages were forgotten.
    """
    with database.write() as connection:
        connection.execute(delete(schema.stray_report).where(_stray.received_at < before))
        old = forgettable(connection, before)
    many = 0
    for campaign in old:
        for first in range(campaign.first_message, campaign.last_message + 1, CHUNK):
            with database.write() as connection:
                _empty(connection, campaign.id, first, min(first + CHUNK - 1, campaign.last_message))
        with database.write() as connection:
            messages = campaign.last_message - campaign.first_message + 1
            if _close(connection, campaign.id, now):
                append(connection, "forget", campaign.id, now, details={"messages": messages})
        many += messages
    database.empty_log()  # even if nothing was forgotten now: the last time somebody may have been reading
    return many


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
        _campaign.state.not_in(UNFINISHED),
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
    _blank(connection, _message.id.between(first, last), _result.message_id.between(first, last))


def _blank(connection: Connection, messages: ColumnElement[bool], results: ColumnElement[bool]) -> None:
    connection.execute(update(schema.message).where(messages).values(to="", body=""))
    nothing = {"contact_uuid": None, "body": None, "extra": None}
    connection.execute(update(schema.result).where(results).values(nothing))


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


def forget_person(connection: Connection, phone: str, now: datetime) -> int:
    """Forget whoever has this number (E.164), in one write transaction; returns how many messages they had.

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
    found = list(rows_with(connection, query, _message.id, theirs))
    if any(one.state in _UNDECIDED for one in found):
        raise LedgerError(
            _(
                "A message to this person, or one sent together with it, is on its way, or nobody knows "
                "what became of it. Decide that on its campaign's page first; then they can be forgotten."
            )
        )
    for some in chunks([one.id for one in found]):
        _blank(connection, _message.id.in_(some), _result.message_id.in_(some))
    for campaign in {one.campaign for one in found}:
        sheets.drop(connection, campaign, [one.row for one in found if one.campaign == campaign])
    names = naming(phone)
    _drop_mentions(connection, names)
    connection.execute(delete(schema.opt_out).where(_opt_out.phone.in_(spelled)))
    forgotten.remember(connection, phone, now)
    append(connection, "forget", "person", now, details={"messages": len(found)})
    _drop_strays(connection, names)
    return len(found)


def _drop_strays(connection: Connection, names: Callable[[str], bool]) -> None:
    """Delete the stray reports that name the number, also those that are being kept just now."""
    serialize(connection, Advisory.STRAYS)
    reports = connection.execute(select(_stray.digest, _stray.report))
    for some in chunks([digest for digest, report in reports if names(report)]):
        connection.execute(delete(schema.stray_report).where(_stray.digest.in_(some)))


def _drop_mentions(connection: Connection, names: Callable[[str], bool]) -> None:
    """Delete the number where people typed it in an odd spelling, and choices of people."""
    for typed, instead in _TYPED.items():
        table, key = typed.table, typed.table.c.id
        said = connection.execute(select(key, typed).where(typed.is_not(None)))
        for some in chunks([one for one, words in said if names(words)]):
            connection.execute(update(table).where(key.in_(some)).values({typed: instead}))
