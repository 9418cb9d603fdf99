"""What the service says about a message, in answers and reports, merged so that order does not matter.

The furthest evidence gives status and failure_reason; among equals, the one with the newest time. What
happened did so when that was first said to have been: the earliest time since the hand-over (minutes before
it, as clocks differ) stays, also where a status is repeated with a later one; one before that only while
there is no other. Credits only grow. Merging is commutative, associative and idempotent: reports may come
twice and in any order, and an older one never undoes a newer one. One thing depends on their order: a message
that was never claimed here was handed over when the first report says so.

`result` says where a message is now. `event` says how it got there: every status ever reported, each once, so
that nothing is lost that was overtaken by newer news before anybody looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, bindparam, case, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.writing import chunks, insert_columns
from dashboard.ledger.evidence.reading import PAST, Event, Heard
from dashboard.ledger.tallies.counting import Change, count

_GROWING = ("scheduled_at", "credits_used")
_BEHIND = timedelta(minutes=5)
"""How far it may be behind ours, as clocks are; one that is hours behind is in another zone."""

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


def append_events(connection: Connection, events: Sequence[Event]) -> None:
    """Record what was said, leaving out what was said before."""
    if events:
        columns = zip(schema.event.columns.keys(), zip(*events, strict=True), strict=True)
        insert_columns(connection, schema.event, dict(columns), only_new=True)


def take(connection: Connection, heard: Heard) -> int:
    """Merge evidence into the results; returns how many pieces added something new.

    Every message becomes `accepted`, whatever it was before: the service has it. The caller
    locked the batches.
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
    store(connection, changed, known=before)
    pieces = (piece_of[row["message_id"]] for row in changed)
    count(
        connection,
        [
            Change(piece.batch_id, piece.frozen, before.get(piece.message_id), row)
            for piece, row in zip(pieces, changed, strict=True)
        ],
    )
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
    for part in chunks(message_ids):
        for row in connection.execute(_THESE, {"ids_": part}).mappings():
            found[row["message_id"]] = dict(row)
    return found


def _merged(old: dict[str, Any] | None, new: dict[str, Any], earliest: datetime) -> dict[str, Any]:
    """The two as one row; `old` itself if `new` adds nothing. What happened did so from `earliest` on."""
    if old is None:
        return new
    merged = dict(new if _order(new) > _order(old) else old)
    for name in PAST:
        merged[name] = _first([at for at in (old[name], new[name]) if at], earliest - _BEHIND)
    for name in (*_GROWING, "contact_uuid", "body"):
        merged[name] = _larger(old[name], new[name])
    merged["echoed"] = old["echoed"] or new["echoed"]
    merged["state"] = "accepted"
    merged["handed_over_at"] = old["handed_over_at"] or new["handed_over_at"]
    merged["failed_at"] = None if merged["delivered_at"] else old["failed_at"] or new["failed_at"]
    merged["cause"] = (old if merged["credits_used"] == old["credits_used"] else new)["cause"]
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
