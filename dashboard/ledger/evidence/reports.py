"""Delivery reports: Message objects of contract section 2.1, later proof of what became of a message.

The contract announces a webhook without describing it (section 6), so reports are accepted leniently: in any
order, any number of times, about any message. A report about a message that is not ours is set aside and
counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.column_types import Instant
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import lock_batches
from dashboard.ledger.database.said import as_json, phones_in
from dashboard.ledger.database.writing import insert_new, rows_with
from dashboard.ledger.evidence.merging import close_complete, take
from dashboard.ledger.evidence.reading import Evidence, read
from dashboard.ledger.evidence.unread_times import example_of, other_numbers, unread_time
from dashboard.ledger.forgotten import forgotten_among
from dashboard.ledger.tallies.tables import FROZEN, Frozen
from dashboard.service.models import Message
from dashboard.service.reading import read_message
from dashboard.words import plural

CHUNK = 500
"""How many reports are taken in one transaction, so that sending never waits long for a large upload."""


@dataclass(frozen=True, slots=True)
class ReportResult:
    """What became of some delivery reports.

    Attributes:
        taken: How many added something new.
        stale: How many added nothing new: repeated, or older than what is known.
        unknown_uuids: How many are about messages that are not sent from here; these reports are set aside.
        unreadable: How many have no readable uuid.
        unread_times: How many of our messages' reports were not taken, because of a time that cannot be read.
        example: The first of these times, with its field and without a phone number.
    """

    taken: int = 0
    stale: int = 0
    unknown_uuids: tuple[str, ...] = ()
    unreadable: int = 0
    unread_times: int = 0
    example: str = ""

    def __add__(self, other: ReportResult) -> ReportResult:
        return ReportResult(
            self.taken + other.taken,
            self.stale + other.stale,
            self.unknown_uuids + other.unknown_uuids,
            self.unreadable + other.unreadable,
            self.unread_times + other.unread_times,
            self.example or other.example,
        )

    @property
    def unread_words(self) -> str:
        """What to do about times that cannot be read; "" if there are none."""
        if not self.unread_times:
            return ""
        return plural(
            self.unread_times,
            "{count} report was not taken, because of a time that cannot be read ({example}). Write times "
            "as 2026-12-03T14:05:00Z, leave unknown ones blank, and bring in the file again.",
            "{count} reports were not taken, because of times that cannot be read ({example}). Write times "
            "as 2026-12-03T14:05:00Z, leave unknown ones blank, and bring in the file again.",
            example=self.example,
        )


def record_reports(database: Database, reports: Sequence[object], now: datetime) -> ReportResult:
    """Import delivery reports into the ledger, `CHUNK` at a time, in the order of the messages.

    A report about a message in an unknown batch settles that message: the service has it. One of ours with a
    time that cannot be read is not taken at all, rather than half of it. Neighbours are stored together in
    the database and share a batch, so taking them together is three times as fast as taking them as they
    come.
    """
    readable = [
        (uuid, message)
        for report in reports
        if (message := read_message(report)) and (uuid := _uuid(message))
    ]
    with database.read() as connection:
        places = {row.uuid: row.id for row in _placed(connection, [uuid for uuid, _ in readable])}
    others = other_numbers((message for uuid, message in readable if uuid in places), now)
    to_take: list[tuple[str, Message]] = []
    unread: list[Message] = []
    for uuid, message in readable:
        if uuid in places and unread_time(message, others):
            unread.append(message)
        else:
            to_take.append((uuid, message))
    example = example_of(unread[0], others) if unread else ""
    total = ReportResult(unreadable=len(reports) - len(readable), unread_times=len(unread), example=example)
    to_take.sort(key=lambda pair: places.get(pair[0], 0))
    for start in range(0, len(to_take), CHUNK):
        part = to_take[start : start + CHUNK]
        with database.write() as connection:
            taken = take_reports(connection, part, echoed=False, now=now)
            strangers = set(taken.unknown_uuids)
            _set_aside(connection, [pair for pair in part if pair[0] in strangers], now)
        total += taken
    return total


def take_reports(
    connection: Connection,
    reports: Sequence[tuple[str, Message]],
    *,
    echoed: bool,
    now: datetime,
    claimed_at: datetime | None = None,
) -> ReportResult:
    """Take Message objects, each preceded by its uuid in lower case, within a transaction.

    There may be at most `CHUNK`, or those of one batch; several may be about the same message. They are about
    the claim of `claimed_at`, or without it about the last of each batch.
    """
    evidence = _located(connection, reports, claimed_at)
    news = take(connection, read(evidence, echoed=echoed, now=now))
    close_complete(connection, {piece.batch_id for piece in evidence})
    known = {piece.uuid for piece in evidence}
    strangers = tuple(dict.fromkeys(uuid for uuid, _ in reports if uuid not in known))
    return ReportResult(taken=news, stale=len(evidence) - news, unknown_uuids=strangers)


def batch_of_message(told: ColumnElement[Any] = schema.batch.c.id) -> ScalarSelect[Any]:
    """The batch that currently holds a row of `message`, or what else is to be told of it, as a subquery."""
    table = schema.batch
    return (
        select(told)
        .where(table.c.first_message <= schema.message.c.id, table.c.state != "split")
        .order_by(table.c.first_message.desc())
        .limit(1)
        .correlate(schema.message)
        .scalar_subquery()
    )


def batches_of(connection: Connection, messages: Collection[int]) -> set[int]:
    """The batches that currently hold these rows of `message`."""
    query = select(batch_of_message().label("id"))
    return {row.id for row in rows_with(connection, query, schema.message.c.id, messages)}


def _located(
    connection: Connection, reports: Sequence[tuple[str, Message]], claimed_at: datetime | None
) -> list[Evidence]:
    """Pair each Message with ours, with the batches locked; only then is it known who was forgotten."""
    table, known = schema.message, len(Frozen._fields)
    uuids = list(dict.fromkeys(uuid for uuid, _ in reports))
    while True:
        batch_of = {row.uuid: row.batch_id for row in _placed(connection, uuids)}
        if lock_batches(connection, set(batch_of.values())):
            break
    query = select(table.c.uuid, *FROZEN, table.c.id, table.c.body)
    ours = {row.uuid: row for row in rows_with(connection, query, table.c.uuid, batch_of)}
    claims = _claims(connection, set(batch_of.values()))
    return [
        Evidence(
            *(row.id, uuid, batch_of[uuid], message, row.body, Frozen(*row[1 : 1 + known])),
            claimed_at or claims[batch_of[uuid]].claimed_at,
            claims[batch_of[uuid]].earliest,
        )
        for uuid, message in reports
        if (row := ours.get(uuid))
    ]


def _placed(connection: Connection, uuids: Sequence[str]) -> Iterator[Row[Any]]:
    """Uuid, row and batch of our messages among these; none that the freeze left out is ever sent."""
    message, batch = schema.message.c, schema.batch.c
    query = (
        select(message.uuid, message.id, batch.id.label("batch_id"))
        .join(schema.batch, batch.id == batch_of_message())
        .where((batch.state != "dropped") | (batch.dropped > 0))
    )
    return rows_with(connection, query, message.uuid, uuids)


def _claims(connection: Connection, batch_ids: Collection[int]) -> dict[int, Any]:
    """When batches were last claimed, and the earliest that they can have been."""
    batch, campaign = schema.batch.c, schema.campaign.c
    earliest = func.coalesce(batch.first_claimed_at, campaign.created_at, type_=Instant)
    query = select(batch.id, batch.claimed_at, earliest.label("earliest"))
    query = query.join(schema.campaign, campaign.id == batch.campaign_id)
    return {row.id: row for row in rows_with(connection, query, batch.id, batch_ids)}


def _uuid(message: Message) -> str | None:
    try:
        return str(UUID(message.uuid))
    except ValueError:
        return None


def _set_aside(connection: Connection, reports: Sequence[tuple[str, Message]], now: datetime) -> None:
    """Keep reports about messages that are not ours, except to people whom somebody asked to forget."""
    if not reports:
        return
    serialize(connection, Advisory.STRAYS)  # somebody may be being forgotten
    about = [phones_in(message.raw) for _uuid, message in reports]
    rows, gone = [], forgotten_among(connection, frozenset().union(*about))
    for (uuid, message), phones in zip(reports, about, strict=True):
        if phones & gone:
            continue
        text = as_json(message.raw)
        digest = sha256(text.encode()).hexdigest()
        rows.append({"digest": digest, "uuid": uuid, "received_at": now, "report": text})
    insert_new(connection, schema.stray_report, rows)
