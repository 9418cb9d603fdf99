"""What the service says about a message, in answers and reports, merged so that order does not matter.

The contract numbers no reports and names no status besides "pending" (section 3), so how far a message has
got shows only in its fields: delivered_at, then failure_reason, then sent_at. The furthest evidence gives
status and failure_reason; among equals, the one with the newest time. What happened did so when that was
first said to have been: the earliest time since the hand-over (minutes before it, as clocks differ) stays,
also where a status is repeated with a later one; one before that only while there is no other. Credits only
grow. Merging is commutative, associative and idempotent: reports may come twice and in any order, and an
older one never undoes a newer one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, case, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.said import LONGEST, as_json, impersonal, text
from dashboard.ledger.database.writing import chunks, insert_columns
from dashboard.ledger.evidence.events import Event, append_events, event_of
from dashboard.ledger.tallies.causes import expected, explained
from dashboard.ledger.tallies.counting import count
from dashboard.ledger.tallies.deltas import Change, alike
from dashboard.ledger.tallies.frozen import Frozen
from dashboard.service.models import Message

_OWN_STATES = ("accepted", "dropped")
_GROWING = ("scheduled_at", "credits_used")
_LOOK_UP = 500
_FAILED = 2
_PAST = ("created_at", "sent_at", "delivered_at")
_ASTRAY = timedelta(days=1)
"""How far the service's clock may be ahead of ours."""
_BEHIND = timedelta(minutes=5)
"""How far it may be behind ours, as clocks are; one that is hours behind is in another zone."""

_FARTHEST = timedelta(days=2 * 366)
_MOST_CREDITS = 1_000
"""More than any text costs; the freeze accepts no higher estimate either."""

Result = Mapping[str, Any]

_COLUMNS = [column.name for column in schema.result.columns if column.name != "message_id"]
_CHANGE = (
    update(schema.result)
    .where(schema.result.c.message_id == bindparam("id_"))
    .values({name: bindparam(name) for name in _COLUMNS})
)
_BETWEEN = Prepared(
    select(schema.result).where(schema.result.c.message_id.between(bindparam("first_"), bindparam("last_")))
)
_THESE = select(schema.result).where(schema.result.c.message_id.in_(bindparam("ids_", expanding=True)))
_GROW = Prepared(
    update(schema.batch)
    .where(schema.batch.c.id == bindparam("id_"))
    .values({name: schema.batch.c[name] + bindparam(f"{name}_") for name in _OWN_STATES})
)


class Evidence(NamedTuple):
    """One Message object about one of our messages, whose frozen text is `body`; "" once deleted.

    `handed_over_at` is when the request that it answers was claimed; None if nobody knows of any. Nothing
    became of the message before `earliest`.
    """

    message_id: int
    uuid: str
    batch_id: int
    message: Message
    body: str
    frozen: Frozen
    handed_over_at: datetime | None
    earliest: datetime


class Heard(NamedTuple):
    """Evidence as it is recorded: a row of `result` and an event for each piece."""

    evidence: Sequence[Evidence]
    rows: Sequence[dict[str, Any]]
    events: Sequence[Event]


def stage(message: Message) -> int:
    """How far a message has got: 0 accepted, 1 sent, 2 failed, 3 delivered, which no failure undoes."""
    if message.delivered_at:
        return 3
    if message.failure_reason:  # an empty reason counts as none
        return 2
    return 1 if message.sent_at else 0


def read(evidence: Sequence[Evidence], *, echoed: bool, now: datetime) -> Heard:
    """What evidence says, for `take`; it needs no transaction, so nobody waits for it.

    Args:
        evidence: In any order; there may be several about one message.
        echoed: Whether it comes from the answer to our request.
        now: When it came.
    """
    rows = [_read(piece, echoed=echoed, now=now) for piece in evidence]
    return Heard(evidence, rows, [event_of(row) for row in rows])


def take(connection: Connection, heard: Heard) -> int:
    """Merge evidence into the results; returns how many pieces added something new.

    Every message becomes `accepted`, whatever it was before: the service has it.

    Args:
        connection: A write transaction that locked the batches.
        heard: What `read` made of the evidence.
    """
    evidence = heard.evidence
    before = _results(connection, [piece.message_id for piece in evidence])
    after: dict[int, dict[str, Any]] = dict(before)
    append_events(connection, heard.events)
    news = 0
    for piece, row in zip(evidence, heard.rows, strict=True):
        old = after.get(row["message_id"])
        new = _merged(old, row, piece.earliest)
        if new is not old:
            after[row["message_id"]] = new
            news += 1
    piece_of = {piece.message_id: piece for piece in evidence}
    changed = [row for message_id, row in after.items() if row is not before.get(message_id)]
    _explain(changed, piece_of)
    store(connection, changed, known=before)
    changes = [
        Change(piece.batch_id, piece.frozen, before.get(piece.message_id), row)
        for row in changed
        for piece in (piece_of[row["message_id"]],)
    ]
    count_changes(connection, changes)
    return news


def store(connection: Connection, rows: Sequence[Result], *, known: Mapping[int, Result]) -> None:
    """Write result rows, replacing those that are `known`."""
    added = [row for row in rows if row["message_id"] not in known] if known else rows
    if added:
        names = list(added[0])
        columns = zip(*map(itemgetter(*names), added), strict=True)
        insert_columns(connection, schema.result, dict(zip(names, columns, strict=True)))
    moved = [{**row, "id_": row["message_id"]} for row in rows if row["message_id"] in known] if known else []
    if moved:
        connection.execute(_CHANGE, moved)


def count_changes(connection: Connection, changes: Iterable[Change]) -> None:
    """Bring the tallies up to date, and how many messages of each batch have a state of their own."""
    summed = alike(changes)
    own: dict[int, Counter[str]] = defaultdict(Counter)
    for batch_id, _frozen, result, many, _is_first in summed:
        own[batch_id][result.state] += many
    for batch_id, states in sorted(own.items()):
        if any(states.values()):
            _GROW(connection, id_=batch_id, **{f"{name}_": states[name] for name in _OWN_STATES})
    count(connection, summed)


def close_complete(connection: Connection, batch_ids: Iterable[int]) -> None:
    """Close batches whose messages all have their own state: nothing in them is left to send."""
    table = schema.batch
    complete = table.c.accepted + table.c.dropped == table.c.messages
    close = update(table).where(complete, table.c.state.not_in(["sending", "split"]))
    closed = case((table.c.accepted > 0, "accepted"), else_="dropped")
    for chunk in chunks(batch_ids):
        connection.execute(close.where(table.c.id.in_(chunk)).values(state=closed, reason=None))


def _results(connection: Connection, message_ids: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The existing results; those of one batch are stored side by side."""
    if not message_ids:
        return {}
    first, last = min(message_ids), max(message_ids)
    if last - first < 2 * len(message_ids):
        return {row.message_id: row._asdict() for row in _BETWEEN(connection, first_=first, last_=last)}
    found: dict[int, dict[str, Any]] = {}
    for start in range(0, len(message_ids), _LOOK_UP):
        part = message_ids[start : start + _LOOK_UP]
        for row in connection.execute(_THESE, {"ids_": part}).mappings():
            found[row["message_id"]] = dict(row)
    return found


def _read(piece: Evidence, *, echoed: bool, now: datetime) -> dict[str, Any]:
    message = _believed(piece.message, now)
    message = _impersonal(message) if piece.body == "" else message
    reached = stage(message)
    times = (message.created_at, message.scheduled_at, message.sent_at, message.delivered_at)
    reason = impersonal(message.failure_reason, piece.body, piece.message.body)
    return {
        "message_id": piece.message_id,
        "state": "accepted",
        "echoed": echoed,
        "status": text(impersonal(message.status), LONGEST["status"]),
        "failure_reason": text(reason, LONGEST["failure_reason"]),
        "credits_used": message.credits_used,
        "created_at": message.created_at,
        "scheduled_at": message.scheduled_at,
        "sent_at": message.sent_at,
        "delivered_at": message.delivered_at,
        "contact_uuid": text(message.contact_uuid, LONGEST["contact_uuid"]),
        "body": text(message.body, LONGEST["body"]) if message.body != piece.body else None,
        "extra": as_json(message.extra) if message.extra else None,
        "stage": reached,
        "evidence_at": max([at for at in times if at], default=None),
        "changed_at": now,
        "handed_over_at": piece.handed_over_at or message.created_at or now,
        "failed_at": now if reached == _FAILED else None,
        "cause": None,
    }


def _explain(rows: Iterable[dict[str, Any]], piece_of: Mapping[int, Evidence]) -> None:
    """Give rows with a new bill its cause."""
    odd = []
    for row in rows:
        used = row["credits_used"]
        if used is None or row["cause"] is not None:
            continue
        frozen = piece_of[row["message_id"]].frozen
        row["cause"] = expected(used, frozen.credits_low, frozen.credits_high)
        if row["cause"] is None:
            odd.append((row, (used, frozen.credits_low, frozen.credits_high)))
    if odd:
        bodies = [piece_of[row["message_id"]].body for row, _bill in odd]
        for (row, _bill), cause in zip(odd, explained(bodies, [bill for _row, bill in odd]), strict=True):
            row["cause"] = cause


def _believed(message: Message, now: datetime) -> Message:
    """The message without figures that cannot be true; they are kept among the fields we do not know.

    A time before the message was handed over stays until a better one is known: what is said happened.
    """
    latest = now + _ASTRAY
    odd = [name for name in _PAST if (at := getattr(message, name)) is not None and at > latest]
    if message.scheduled_at is not None and message.scheduled_at > now + _FARTHEST:
        odd.append("scheduled_at")
    if message.credits_used is not None and not 0 <= message.credits_used <= _MOST_CREDITS:
        odd.append("credits_used")
    if not odd:
        return message
    said = {f"{name} (not believed)": message.raw.get(name) for name in odd}
    nothing: dict[str, Any] = dict.fromkeys(odd)
    return replace(message, **nothing, extra={**message.extra, **said})


def _impersonal(message: Message) -> Message:
    """What may be kept about a message whose number and text were deleted."""
    return replace(message, body="", extra={}, raw={})


def _merged(old: dict[str, Any] | None, new: dict[str, Any], earliest: datetime) -> dict[str, Any]:
    """The two as one row; `old` itself if `new` adds nothing. What happened did so from `earliest` on."""
    if old is None:
        return new
    merged = dict(new if _order(new) > _order(old) else old)
    for name in _PAST:
        merged[name] = _first([at for at in (old[name], new[name]) if at], earliest - _BEHIND)
    for name in (*_GROWING, "contact_uuid", "body"):
        merged[name] = _larger(old[name], new[name])
    merged["echoed"] = old["echoed"] or new["echoed"]
    merged["state"] = "accepted"
    merged["handed_over_at"] = old["handed_over_at"] or new["handed_over_at"]
    merged["failed_at"] = None if merged["delivered_at"] else old["failed_at"] or new["failed_at"]
    merged["cause"] = old["cause"] if merged["credits_used"] == old["credits_used"] else None
    same = all(merged[name] == old[name] for name in merged if name != "changed_at")
    return old if same else {**merged, "changed_at": new["changed_at"]}


def _order(row: Result) -> tuple[Any, ...]:
    """The order of evidence; a total order, so that the winner does not depend on what comes first."""
    at = row["evidence_at"]
    return (
        row["stage"],
        at.timestamp() if at else 0.0,
        row["status"] not in {None, "pending"},
        row["status"] or "",
        row["failure_reason"] or "",
        row["extra"] or "",
    )


def _first(times: Iterable[datetime], earliest: datetime) -> datetime | None:
    """The first from `earliest` on, or else the last before; a total order."""
    return min(times, key=lambda at: (at < earliest, abs(at - earliest)), default=None)


def _larger(one: Any, other: Any) -> Any:
    return one if other is None else other if one is None else max(one, other)
