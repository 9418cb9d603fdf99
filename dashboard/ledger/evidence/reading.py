"""What the service says about a message, in answers and reports, as it is recorded: a result and an event.

The contract numbers no reports and names no status besides "pending" (section 3), so how far a message has
got shows only in its fields: delivered_at, then failure_reason, then sent_at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from dashboard.ledger.database.column_types import EPOCH
from dashboard.ledger.database.said import LONGEST, as_json, digest, impersonal, text
from dashboard.ledger.tallies.causes import AS_ESTIMATED, SHORT_LINK, explained
from dashboard.ledger.tallies.tables import ACCEPTED, DELIVERED, FAILED, SENT, Frozen
from dashboard.service.models import Message
from dashboard.service.values import is_no_reason

STAGES = ("accepted", "sent", "failed", "delivered")
"""The words for the stages from `ACCEPTED` to `DELIVERED`, in their order."""

Event = tuple[int, int, datetime, int, str, str, str, datetime]
"""In the order of the table's columns."""

_SENT = ("sent_at", "created_at")
_TIMES_OF = (("created_at", "created_at"), _SENT, _SENT, ("delivered_at", "delivered_at"))
"""The field with each stage's time, or else the one before. The contract has no time of a failure."""

PAST = ("created_at", "sent_at", "delivered_at")
_ASTRAY = timedelta(days=1)
"""How far the service's clock may be ahead of ours."""
_FARTHEST = timedelta(days=2 * 366)
_SAID = ("status", "failure_reason", "credits_used")
_MOST_CREDITS = 1_000
"""More than any text costs; the freeze accepts no higher estimate either."""


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


def read(evidence: Sequence[Evidence], *, echoed: bool, now: datetime) -> Heard:
    """What evidence says, for `take`; it needs no transaction, so nobody waits for it.

    It may be in any order, with several pieces about one message; `echoed` is what an answer to us said.
    """
    statuses = {
        said: text(impersonal(said), LONGEST["status"]) for said in {one.message.status for one in evidence}
    }
    rows = [_read(piece, statuses, echoed=echoed, now=now) for piece in evidence]
    odd = [
        (row, piece)
        for row, piece in zip(rows, evidence, strict=True)
        if row["cause"] is None and row["credits_used"] is not None
    ]
    if odd:
        bills = [
            (row["credits_used"], piece.frozen.credits_low, piece.frozen.credits_high) for row, piece in odd
        ]
        for (row, _), cause in zip(odd, explained([piece.body for _, piece in odd], bills), strict=True):
            row["cause"] = cause
    return Heard(evidence, rows, [event_of(row) for row in rows])


def event_of(row: Mapping[str, Any]) -> Event:
    """What a row of `result` says."""
    stage, status, reason = row["stage"], row["status"] or "", row["failure_reason"] or ""
    first, otherwise = _TIMES_OF[stage]
    at = row[first] or row[otherwise] or EPOCH
    source = "answer" if row["echoed"] else "report"
    return row["message_id"], stage, at, digest(status, reason), status, reason, source, row["changed_at"]


def _read(
    piece: Evidence, statuses: Mapping[str | None, str | None], *, echoed: bool, now: datetime
) -> dict[str, Any]:
    """A row of `result`; `statuses` are those of all messages, as they are stored."""
    message = _believed(piece.message, now)
    if piece.body == "":  # number and text were deleted
        message = replace(message, body="", extra={}, raw={})
    times = (message.created_at, message.scheduled_at, message.sent_at, message.delivered_at)
    said = impersonal(message.failure_reason, piece.body, piece.message.body)
    reason = text(said, LONGEST["failure_reason"])
    reached = _stage(message, reason)
    used, low, high = message.credits_used, piece.frozen.credits_low, piece.frozen.credits_high
    is_expected = used is not None and low <= used <= high
    return {
        "message_id": piece.message_id,
        "state": "accepted",
        "echoed": echoed,
        "status": statuses[message.status],
        "failure_reason": reason,
        "credits_used": used,
        "created_at": message.created_at,
        "scheduled_at": message.scheduled_at,
        "sent_at": message.sent_at,
        "delivered_at": message.delivered_at,
        "contact_uuid": text(message.contact_uuid, LONGEST["contact_uuid"]),
        "body": text(message.body, LONGEST["body"]) if message.body != piece.body else None,
        "extra": as_json(message.extra) if message.extra else None,
        "stage": reached,
        "evidence_at": max(filter(None, times), default=None),
        "changed_at": now,
        "handed_over_at": piece.handed_over_at or message.created_at or now,
        "failed_at": now if reached == FAILED else None,
        "cause": (SHORT_LINK if low < high else AS_ESTIMATED) if is_expected else None,
    }


def _stage(message: Message, reason: str | None) -> int:
    """How far a message has got, with its reason as it is stored; no failure undoes a delivery."""
    if message.delivered_at:
        return DELIVERED
    if reason:
        return FAILED
    return SENT if message.sent_at else ACCEPTED


def _believed(message: Message, now: datetime) -> Message:
    """The message without figures that cannot be true; they are kept among the fields we do not know.

    A time before the message was handed over stays until a better one is known: what is said happened.
    """
    latest = now + _ASTRAY
    odd = [name for name in PAST if (at := getattr(message, name)) is not None and at > latest]
    if message.scheduled_at is not None and message.scheduled_at > now + _FARTHEST:
        odd.append("scheduled_at")
    if message.credits_used is not None and not 0 <= message.credits_used <= _MOST_CREDITS:
        odd.append("credits_used")
    odd += [
        name
        for name in _SAID
        if getattr(message, name) is None and not is_no_reason(message.raw.get(name))  # read as nothing
    ]
    if not odd:
        return message
    said = {f"{name} (not believed)": message.raw.get(name) for name in odd}
    nothing: dict[str, Any] = dict.fromkeys(odd)
    return replace(message, **nothing, extra={**message.extra, **said})
