"""Settle a claim: a compare-and-set on (batch, attempt), with everything the answer said, in one transaction.

An answer that comes too late, after the batch was declared unknown or a person decided, no longer moves the
batch. What it proves about single messages still counts: a uuid in a 2xx answer is always accepted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, Text, bindparam, case, insert, null, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.clock import Clock
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import batch_row, campaign_row
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.states import BatchState
from dashboard.ledger.evidence.merging import close_complete, take
from dashboard.ledger.evidence.parts import sent_again, split
from dashboard.ledger.evidence.reading import Evidence, Heard, read
from dashboard.ledger.evidence.reports import take_reports
from dashboard.ledger.optouts import drop_listed
from dashboard.ledger.outbox.claims import Claim
from dashboard.ledger.outbox.decisions import AFTER_ALL
from dashboard.ledger.outbox.gate import lock_gate, write_gate
from dashboard.ledger.outbox.pausing import pause_over_opt_outs, pause_running, reason_after
from dashboard.service.models import Message

MAY_PAUSE = ("rejected", "unknown", "partly accepted")

Event = Literal[
    "accepted",
    "partly accepted",
    "not sent",
    "throttled",
    "too large",
    "unauthorised",
    "misplaced",
    "rejected",
    "unknown",
]


@dataclass(frozen=True, slots=True)
class Settlement:
    """What an answer means; `dashboard.sending.outcomes` makes it.

    Attributes:
        event: What was seen, in a word.
        state: The state it moves the batch to; `split` means two halves that are ready.
        http_status: Status of the answer.
        detail: A sentence for people, without numbers and texts.
        echoed: The messages in a 2xx answer.
        closes_gate: Whether all campaigns wait: for `retry_after_s`, or without it, longer each time in a
            row.
        retry_after_s: What the service asks for.
        pauses: Whether the campaign pauses, with `detail` as its reason.
    """

    event: Event
    state: Literal["accepted", "ready", "rejected", "unknown", "split"]
    http_status: int | None = None
    detail: str | None = None
    echoed: Sequence[Message] = ()
    closes_gate: bool = False
    retry_after_s: float | None = None
    pauses: bool = False


_IS_COMPLETE = schema.batch.c.accepted + schema.batch.c.dropped == schema.batch.c.messages
_MOVE = Prepared(
    update(schema.batch)
    .where(schema.batch.c.id == bindparam("id_"))
    .values(
        state=case((_IS_COMPLETE, "accepted"), else_=bindparam("state_")),
        reason=case((_IS_COMPLETE, null()), else_=bindparam("reason_", type_=Text)),
        http_status=bindparam("status_"),
        settled_at=bindparam("now_"),
    )
    .returning(schema.batch)
)
_NO_STRIKES = Prepared(update(schema.gate).where(schema.gate.c.strikes > 0).values(strikes=0, reason=None))
_NOTE = Prepared(
    insert(schema.attempt), ("batch_id", "attempt", "owner", "at", "event", "http_status", "detail")
)


def settle(
    database: Database, claim: Claim, settlement: Settlement, clock: Clock, *, jitter: float = 1.0
) -> bool:
    """Record how a claim ended; False if others had moved the batch on, or this was already recorded."""
    said = read(_evidence(claim, settlement), echoed=True, now=clock())  # before anybody has to wait for it
    with database.write() as connection:
        return _record(connection, claim, settlement, said, now=clock(), jitter=jitter)


def _record(
    connection: Connection,
    claim: Claim,
    settlement: Settlement,
    said: Heard,
    *,
    now: datetime,
    jitter: float,
) -> bool:
    may_pause = settlement.pauses or settlement.event in MAY_PAUSE
    drops = settlement.state in {"ready", "split"}
    campaign = campaign_row(connection, claim.campaign_id, "change" if may_pause or drops else "share")
    _move_gate(connection, claim, settlement, now, jitter)
    ours = _is_ours(batch_row(connection, claim.batch_id), claim)
    if ours:
        news = take(connection, said)
        dropped = _move(connection, claim, settlement, cancelled=campaign.state == "cancelled", now=now)
    else:
        dropped = 0
        late = [(piece.uuid, piece.message) for piece in said.evidence]
        news = take_reports(connection, late, echoed=True, now=now, claimed_at=claim.claimed_at).taken
    if ours or news:
        _NOTE(
            connection,
            batch_id=claim.batch_id,
            attempt=claim.attempt,
            owner=claim.owner,
            at=now,
            event=settlement.event,
            http_status=settlement.http_status,
            detail=settlement.detail,
        )
    if ours and may_pause:
        detail = settlement.detail
        reason = detail if settlement.pauses else reason_after(connection, campaign, settlement.event, detail)
        if reason:
            pause_running(connection, claim.campaign_id, reason)
    if dropped:  # last, since its first reason is the one that is told
        pause_over_opt_outs(connection, claim.campaign_id)
    return ours


def _is_ours(batch: Row[Any], claim: Claim) -> bool:
    """Whether the batch is still on its way by this very claim."""
    return bool(batch.state == "sending" and batch.attempt == claim.attempt)


def _move_gate(
    connection: Connection, claim: Claim, settlement: Settlement, now: datetime, jitter: float
) -> None:
    if settlement.closes_gate:
        gate = lock_gate(connection, now).closed(
            reason=settlement.detail or settlement.event,
            for_s=settlement.retry_after_s,
            claimed_at=claim.claimed_at,
            now=now,
            jitter=jitter,
        )
        write_gate(connection, gate)
    elif settlement.event == "accepted":
        _NO_STRIKES(connection)


def _evidence(claim: Claim, settlement: Settlement) -> list[Evidence]:
    """The echoed messages that belong to this claim."""
    ours = {message.uuid: index for index, message in enumerate(claim.messages)}
    pieces = []
    for message in settlement.echoed:
        uuid = message.uuid.lower()
        index = ours.get(uuid)
        if index is not None:
            which = (claim.message_ids[index], uuid, claim.batch_id)
            body, frozen = claim.messages[index].body, claim.frozen[index]
            pieces.append(Evidence(*which, message, body, frozen, claim.claimed_at, claim.first_claimed_at))
    return pieces


def _move(
    connection: Connection, claim: Claim, settlement: Settlement, *, cancelled: bool, now: datetime
) -> int:
    """Move a batch out of `sending`; returns how many people who opted out meanwhile were dropped.

    One whose messages all have their own state is accepted, whatever the answer says of the rest.
    """
    state: BatchState = settlement.state
    if state == "accepted":  # an answer that lacks some messages does not accept those
        state = "unknown"
    elif state in {"ready", "split"} and cancelled:
        state = "cancelled"
    elif state == "split" and len(claim.message_ids) == 1:
        state = "rejected"
    reason = settlement.detail
    if state in {"rejected", "cancelled"} and sent_again(connection, [claim.batch_id]):
        state, reason = "unknown", AFTER_ALL
    batch = _MOVE.one(
        connection,
        id_=claim.batch_id,
        state_=state,
        reason_=reason,
        status_=settlement.http_status,
        now_=now,
    )
    ready = [batch.id] if batch.state == "ready" else []
    if batch.state == "split":
        middle = claim.message_ids[len(claim.message_ids) // 2]
        ready = split(connection, batch, [batch.first_message, middle])
    dropped = 0
    for batch_id in ready:
        dropped += drop_listed(connection, batch_id, now)
        close_complete(connection, [batch_id])
    return dropped
