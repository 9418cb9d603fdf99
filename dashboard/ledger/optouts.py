"""People who must not be texted: kept with why and since when, and removed from what is still to be sent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, literal_column, or_, select, update

from dashboard.contacts import OptOuts, read_opt_outs
from dashboard.contacts.renumberings import calling_codes, other_spellings, spellings
from dashboard.errors import LedgerError
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.locks import lock_batches, lock_campaigns_where
from dashboard.ledger.database.said import text, without_numbers
from dashboard.ledger.database.states import UNFINISHED
from dashboard.ledger.database.writing import chunks, insert_new, rows_with
from dashboard.ledger.evidence.merging import close_complete, store
from dashboard.ledger.evidence.parts import sent_again, split
from dashboard.ledger.evidence.reports import batch_of_message, batches_of
from dashboard.ledger.forgotten import admit_again, forgets, forgotten_among
from dashboard.ledger.tallies.counting import Change, count
from dashboard.ledger.tallies.tables import FROZEN, Frozen
from dashboard.words import _, plural

RANGE = 10_000
"""Messages looked through at a time; with one message per batch, that is as many batches to lock."""

_IS_LISTED = (
    select(literal_column("1"))
    .where(schema.opt_out.c.phone == schema.message.c.to, schema.opt_out.c.removed_at.is_(None))
    .offset(literal_column("0"))
    .correlate(schema.message)
    .exists()
)
"""Whether a message is for somebody on the list, looked up by its number.

PostgreSQL plans what has an OFFSET by itself. As a join it may be planned badly while nothing is known of a
list that has just grown.
"""
_MAY_BE_SPELLED_OTHERWISE = or_(
    *(schema.message.c.to.startswith(f"+{code}") for code in sorted(calling_codes()))
)

_SENT_BEFORE = (
    "Its recipient opted out, so it is not sent again. Whether the service took it the time before is what "
    "nobody could tell, and still cannot."
)
"""Why a message is left as it is that a person wanted to be sent again."""


def opted_out(connection: Connection, phones: Iterable[str]) -> frozenset[str]:
    """The phones on the list, in every spelling, and those of these whose people were forgotten."""
    table = schema.opt_out
    query = select(table.c.phone).where(table.c.removed_at.is_(None))
    listed = connection.execute(query).scalars().all()
    respelled = (other for _phone, other in other_spellings(listed))
    return frozenset([*listed, *respelled]) | forgotten_among(connection, phones)


def add_opt_outs(
    connection: Connection,
    phones: OptOuts,
    *,
    reason: str | None,
    source: str | None,
    now: datetime,
    messages: Collection[int] = (),
) -> int:
    """Add phones to the list and drop their messages that are ready in any campaign.

    The batches of `messages` are locked as well, so that all are locked in one order.

    Returns:
        How many phones were new on the list.

    Raises:
        LedgerError: Something is not a phone in international format; nothing was added.
    """
    read = read_opt_outs(phones)
    if read.unread:
        raise LedgerError(
            plural(
                len(read.unread),
                "{count} opt-out is not a phone number in international format: entry {places}. "
                "Correct it or remove it; nothing was added.",
                "{count} opt-outs are not phone numbers in international format: entries {places}. "
                "Correct them or remove them; nothing was added.",
                places=read.places(),
            )
        )
    wanted = read.phones
    # Cleaned rather than refused, so that nobody's refusal is lost
    reason, source = (one and text(without_numbers(one), len(one)) for one in (reason, source))
    serialize(connection, Advisory.FREEZE)  # a campaign frozen in the meantime would miss them
    before = _listed(connection)
    said = {"reason": reason, "source": source, "added_at": now}
    insert_new(connection, schema.opt_out, [{"phone": phone, **said} for phone in wanted])
    unfinished = _unfinished(connection)
    parts = [schema.message.c.id.between(*part) & _IS_LISTED for part in _parts(unfinished)]
    for some in chunks({other for _phone, other in other_spellings(wanted)}):
        parts += [schema.message.c.id.between(*span) & schema.message.c.to.in_(some) for span in unfinished]
    _drop_everywhere(connection, [_still_to_send(connection, part) for part in parts], now, messages)
    return _listed(connection) - before


def drop_all_listed(connection: Connection, now: datetime) -> None:
    """Drop what is ready for people on the list, in every spelling of their numbers.

    For what was frozen before one of the spellings was known here: an upgrade may bring more.
    """
    serialize(connection, Advisory.FREEZE)
    listed = [_listed_of(connection, part) for part in _parts(_unfinished(connection))]
    _drop_everywhere(connection, listed, now, ())


def drop_listed(connection: Connection, batch_id: int, now: datetime) -> int:
    """Drop people who opted out while a batch was away, now that it is ready again; returns how many.

    The caller locked the batch.
    """
    batch = schema.batch.c
    ends = select(batch.first_message, batch.last_message).where(batch.id == batch_id)
    rows = _listed_of(connection, tuple(connection.execute(ends).one()))
    _drop(connection, rows, now)
    return len(rows)


def remove_opt_out(connection: Connection, phone: str, *, who: str, reason: str, now: datetime) -> None:
    """Take a phone off the list, in every spelling; the entries are kept, with who did it and why.

    Raises:
        LedgerError: The phone is not on the list, or `who` or `reason` is missing.
    """
    if not who.strip() or not reason.strip():
        raise LedgerError(_("Say who takes the number off the list and why; both are kept."))
    table, spelled = schema.opt_out, spellings(phone)
    removed = connection.execute(
        update(table)
        .where(table.c.phone.in_(spelled), table.c.removed_at.is_(None))
        .values(removed_at=now, removed_by=without_numbers(who), removed_why=without_numbers(reason))
    )
    admitted = [admit_again(connection, one) for one in spelled]
    if not removed.rowcount and not any(admitted):
        raise LedgerError(_("This number is not on the list of opt-outs."))


def _listed(connection: Connection) -> int:
    table = schema.opt_out
    return connection.execute(select(func.count()).where(table.c.removed_at.is_(None))).scalar_one()


def drop_listed_of(
    connection: Connection, campaign: Row[Any], batch_ids: Collection[int], now: datetime
) -> None:
    """The same for many batches of a campaign."""
    parts = _parts([(campaign.first_message, campaign.last_message)])
    listed = [row for part in parts for row in _listed_of(connection, part) if row.batch_id in batch_ids]
    _drop(connection, listed, now)


def _drop_everywhere(
    connection: Connection, found: Iterable[Sequence[Row[Any]]], now: datetime, messages: Collection[int]
) -> None:
    """Drop those of the messages found, in any campaign, that are ready.

    All batches are locked first, in one order, those of `messages` too: others lock batches of several
    campaigns as well. So are the campaigns of which a batch may have to be split.
    """
    lock_campaigns_where(connection, may_be_split())
    listed = [row.id for rows in found for row in rows]
    locked = set[int]()
    while not (batches := batches_of(connection, {*listed, *messages})) <= locked:
        lock_batches(connection, batches)
        locked |= batches
    for some in chunks(listed):
        _drop(connection, _still_to_send(connection, schema.message.c.id.in_(some)), now)


def may_be_split() -> ColumnElement[bool]:
    """Whether a campaign may have a batch that has to be split: one that a person has sent again."""
    decided = select(schema.batch.c.campaign_id).join(
        schema.decision, schema.decision.c.batch_id == schema.batch.c.id
    )
    again = schema.campaign.c.id.in_(decided.where(schema.decision.c.decision == "ready"))
    return again & schema.campaign.c.state.in_(UNFINISHED)


def _parts(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of messages, divided so that few are looked through at a time."""
    return [
        (start, min(start + RANGE - 1, last))
        for first, last in spans
        for start in range(first, last + 1, RANGE)
    ]


def _unfinished(connection: Connection) -> list[tuple[int, int]]:
    table = schema.campaign
    query = select(table.c.first_message, table.c.last_message).where(table.c.state.in_(UNFINISHED))
    return [(row.first_message, row.last_message) for row in connection.execute(query)]


def _listed_of(connection: Connection, part: tuple[int, int]) -> Sequence[Row[Any]]:
    """The messages of a part that are still to be sent, to people on the list."""
    within = schema.message.c.id.between(*part)
    return _still_to_send(connection, within & _is_listed(connection, within))


def _is_listed(connection: Connection, within: ColumnElement[bool]) -> ColumnElement[bool]:
    """Whether a message is for somebody on the list, in whichever spelling of their number, or forgotten.

    It is asked only of the messages `within`, as their numbers are read.
    """
    message, table = schema.message, schema.opt_out
    phones = connection.execute(select(message.c.to).where(within, _MAY_BE_SPELLED_OTHERWISE)).scalars()
    spelled = other_spellings(set(phones))
    query = select(table.c.phone).where(table.c.removed_at.is_(None))
    others = {other for _phone, other in spelled}
    listed = {row.phone for row in rows_with(connection, query, table.c.phone, others)}
    theirs = {phone for phone, other in spelled if other in listed}
    if forgets(connection):  # somebody may be in what a copy brought back
        theirs |= forgotten_among(
            connection, connection.execute(select(message.c.to).where(within)).scalars()
        )
    return or_(_IS_LISTED, message.c.to.in_(theirs)) if theirs else _IS_LISTED


def _still_to_send(connection: Connection, which: ColumnElement[bool]) -> Sequence[Row[Any]]:
    """Those of these messages that have no state of their own, with their batch."""
    message, result = schema.message, schema.result
    columns: tuple[Any, ...] = (message.c.id, *FROZEN, batch_of_message().label("batch_id"))
    query = select(*columns).outerjoin(result, result.c.message_id == message.c.id)
    return connection.execute(query.where(which, result.c.message_id.is_(None))).all()


def _drop(connection: Connection, rows: Sequence[Row[Any]], now: datetime) -> None:
    """Drop those of these messages, whose batches are locked, that are ready.

    One that a person has sent again is left instead: it may have been taken the time before.
    """
    batch = schema.batch
    query = select(batch).where(batch.c.state == "ready")
    batches = {row.batch_id for row in rows}
    ready = {row.id: row for row in rows_with(connection, query, batch.c.id, batches)}
    again = sent_again(connection, ready)
    given_up: dict[int, set[int]] = {}
    for row in rows:
        if row.batch_id in again:
            given_up.setdefault(row.batch_id, set()).add(row.id)
    _leave(connection, [(ready[batch_id], given_up[batch_id]) for batch_id in sorted(given_up)], now)
    dropped = [row for row in rows if row.batch_id in ready.keys() - again]
    if not dropped:
        return
    blank = {column.name: None for column in schema.result.columns}
    fixed = {"state": "dropped", "echoed": False, "stage": 0, "changed_at": now}
    results = [{**blank, **fixed, "message_id": row.id} for row in dropped]
    store(connection, results, known={})
    pairs = zip(dropped, results, strict=True)
    count(connection, [Change(row.batch_id, _frozen(row), None, result) for row, result in pairs])
    close_complete(connection, ready)


def _leave(connection: Connection, given_up: Sequence[tuple[Row[Any], set[int]]], now: datetime) -> None:
    """Abandon these messages of ready batches, each split so that its others are still ready."""
    table, left, others = schema.batch, list[int](), list[int]()
    for batch, messages in given_up:
        if len(messages) == batch.messages - batch.accepted - batch.dropped:
            left.append(batch.id)
            continue
        edges = {batch.first_message, *messages, *(one + 1 for one in messages)} - {batch.last_message + 1}
        firsts = sorted(one for one in edges if not {one - 1, one} <= messages)
        of_batch = update(table).where(table.c.id == batch.id)
        connection.execute(of_batch.values(state="split", reason=_SENT_BEFORE))
        for part, first in zip(split(connection, batch, firsts), firsts, strict=True):
            (left if first in messages else others).append(part)
    for some in chunks(left):
        abandoned = update(table).where(table.c.id.in_(some))
        connection.execute(abandoned.values(state="abandoned", reason=_SENT_BEFORE, settled_at=now))
    close_complete(connection, [*left, *others])


def _frozen(row: Row[Any]) -> Frozen:
    return Frozen(*row[1 : 1 + len(Frozen._fields)])
