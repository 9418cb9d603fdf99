"""Start, schedule, pause, resume, cancel, finish: the campaign's own state.

Each is one transaction that locks the campaign, so once it commits, no claim that it forbids goes through;
batches already on their way finish.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, exists, select, update

from dashboard.errors import CampaignStateError
from dashboard.ledger.database import schema
from dashboard.ledger.database.locks import campaign_row, lock_batches_where, lock_campaigns_where
from dashboard.ledger.database.said import without_numbers
from dashboard.ledger.database.states import OPEN, UNFINISHED, BatchState, CampaignState
from dashboard.ledger.database.writing import chunks
from dashboard.ledger.evidence.parts import sent_again
from dashboard.ledger.outbox.decisions import AFTER_ALL
from dashboard.ledger.outbox.hours import AGREED_REASON, LATE, MISSED_REASON
from dashboard.words import _

ENDED_REASON = "It ended while it was paused, as nothing was left to send. It had paused because: {reason}"
_TO_RESUME = re.compile(r"(?<=[.!?]) [^.!?]*\bresume\b.*", re.IGNORECASE | re.DOTALL)
"""What a reason for a pause asks for at its end; nobody can do it once the campaign has ended."""


def start(connection: Connection, campaign_id: str, now: datetime) -> bool:
    """Let a draft or scheduled campaign run now; False for one that is already running, which continues."""
    campaign = campaign_row(connection, campaign_id, "change")
    if campaign.state == "running":
        return False
    _check(campaign, "started", "draft", "scheduled")
    _change(connection, campaign_id, state="running", reason=None, started_at=now)
    return True


def schedule(connection: Connection, campaign_id: str, at: datetime) -> None:
    """Let it start by itself at a given time; call again to change the time."""
    _check(campaign_row(connection, campaign_id, "change"), "scheduled", "draft", "scheduled")
    _change(connection, campaign_id, state="scheduled", reason=None, scheduled_at=at)


def running(connection: Connection) -> list[str]:
    """The campaigns that run, the oldest first."""
    table = schema.campaign
    query = select(table.c.id).where(table.c.state == "running").order_by(table.c.started_at)
    return list(connection.execute(query).scalars())


def due(connection: Connection, now: datetime) -> list[str]:
    """The scheduled campaigns whose time has come."""
    table = schema.campaign
    query = select(table.c.id).where(table.c.state == "scheduled", table.c.scheduled_at <= now)
    return list(connection.execute(query).scalars())


def start_due(connection: Connection, now: datetime) -> None:
    """Start the scheduled campaigns whose time has come.

    A time missed by more than LATE, because no program was running, is not made up for automatically: it
    may be the middle of the night by now.
    """
    table = schema.campaign
    is_due = (table.c.state == "scheduled") & (table.c.scheduled_at <= now)
    for chunk in chunks(lock_campaigns_where(connection, is_due)):
        these = update(table).where(table.c.id.in_(chunk))
        missed = these.where(table.c.scheduled_at < now - LATE)
        connection.execute(missed.values(state="paused", reason=MISSED_REASON))
        in_time = these.where(table.c.scheduled_at >= now - LATE)
        connection.execute(in_time.values(state="running", started_at=now))


def pause(connection: Connection, campaign_id: str, reason: str) -> bool:
    """Claim no more of it; what is on its way finishes. False for one that is paused; it still says why."""
    campaign = campaign_row(connection, campaign_id, "change")
    if campaign.state == "paused":
        return False
    _check(campaign, "paused", "running", "paused")
    _change(connection, campaign_id, state="paused", reason=without_numbers(reason))
    return True


def resume(connection: Connection, campaign_id: str, now: datetime) -> bool:
    """Continue after a pause; one whose time has not come yet waits for it.

    Whoever resumes one that was paused over missed times lets out what was missed. False for one that is
    running: a second click must not undo what the first one agreed to.
    """
    campaign = campaign_row(connection, campaign_id, "change")
    if campaign.state == "running":
        return False
    _check(campaign, "resumed", "paused", "running")
    if campaign.started_at is None and campaign.scheduled_at and campaign.scheduled_at > now:
        _change(connection, campaign_id, state="scheduled", reason=None, resumed_at=now)
        return True
    _change(
        connection,
        campaign_id,
        state="running",
        reason=AGREED_REASON if campaign.reason == MISSED_REASON else None,
        started_at=campaign.started_at or now,
        resumed_at=now,
    )
    return True


def put_back(connection: Connection, campaign_id: str) -> None:
    """Make a paused campaign, which the caller has locked, a draft again."""
    _change(connection, campaign_id, state="draft", reason=None)


def cancel(connection: Connection, campaign_id: str, reason: str, now: datetime) -> bool:
    """Never send what has not been claimed yet; final. False if it was cancelled before.

    What a person had sent again is not sent either, but nobody can tell whether it was taken before.
    """
    campaign = campaign_row(connection, campaign_id, "change")
    if campaign.state == "cancelled":
        return False
    _check(campaign, "cancelled", *UNFINISHED)
    _change(connection, campaign_id, state="cancelled", reason=without_numbers(reason), finished_at=now)
    ready = (schema.batch.c.campaign_id == campaign_id) & (schema.batch.c.state == "ready")
    never = {"state": "cancelled", "reason": "the campaign was cancelled"}
    perhaps = {"state": "unknown", "reason": AFTER_ALL, "settled_at": now}
    locked = lock_batches_where(connection, ready).keys()
    again = sent_again(connection, locked)
    for values, batches in ((never, locked - again), (perhaps, again)):
        for chunk in chunks(batches):
            connection.execute(update(schema.batch).where(schema.batch.c.id.in_(chunk)).values(values))
    return True


def finish(connection: Connection, campaign_id: str, now: datetime) -> None:
    """Mark a campaign done if it is over; one that had paused still says why."""
    campaign = campaign_row(connection, campaign_id, "change")
    if campaign_id not in over(connection, campaign_id):
        return
    why = _TO_RESUME.sub("", campaign.reason or "")
    reason = ENDED_REASON.format(reason=why) if campaign.state == "paused" else None
    started_at = campaign.started_at or now
    _change(connection, campaign_id, state="done", reason=reason, started_at=started_at, finished_at=now)


def over(connection: Connection, campaign_id: str | None = None) -> list[str]:
    """The campaigns with nothing left to send, or this one if it is among them.

    What is unknown keeps a paused one: it does not go on by itself if a person sends that again.
    """
    table = schema.campaign.c

    def left(*states: BatchState) -> ColumnElement[bool]:
        return exists().where(schema.batch.c.campaign_id == table.id, schema.batch.c.state.in_(states))

    runs_out = (table.state == "running") & ~left(*OPEN)
    ends_paused = (table.state == "paused") & ~left(*OPEN, "unknown")
    query = select(table.id).where(runs_out | ends_paused)
    query = query if campaign_id is None else query.where(table.id == campaign_id)
    return list(connection.execute(query).scalars())


def _check(campaign: Row[Any], step: str, *allowed: CampaignState) -> None:
    if campaign.state not in allowed:
        raise CampaignStateError(
            _("A campaign that is {state} cannot be {step}; only one that is {allowed} can.").format(
                state=campaign.state, step=step, allowed=" or ".join(allowed)
            )
        )


def _change(connection: Connection, campaign_id: str, **values: Any) -> None:
    table = schema.campaign
    connection.execute(update(table).where(table.c.id == campaign_id).values(values))
