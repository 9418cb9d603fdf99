"""The vital signs of a ledger: what waits, what became unknown, how the service answers, what is behind.

For monitors, which look every few seconds for years: a handful of statements that read indexes, whatever the
ledger has grown to. Nothing here tells of a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import get_args

from sqlalchemy import Connection, Select, exists, func, select, text

from dashboard.ledger.copies.copying import BACKED_UP_AT
from dashboard.ledger.copies.doubt import fact
from dashboard.ledger.database import schema
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.states import CAMPAIGN_STATES, MESSAGE_STATES, UNFINISHED
from dashboard.ledger.outbox.gate import read_gate
from dashboard.ledger.outbox.settle import Event
from dashboard.ledger.tallies.tables import DELIVERED, FAILED, SENT, tally

REPORTS_WITHIN = timedelta(hours=24)
"""Whoever has not reported about a batch for a day is not late any more: nobody waits for it."""

LONGEST_S = 20
"""PostgreSQL ends a statement of ours that takes longer; what was read before is said again meanwhile."""

EVENTS = ("claimed", "lost", *get_args(Event))

_batch, _campaign = schema.batch.c, schema.campaign.c


@dataclass(frozen=True)
class Vitals:
    """How a ledger stands at a moment. Ages are in seconds, and 0 where nothing waits.

    Attributes:
        campaigns: How many there are, by state.
        batches: How many batches campaigns that are not over have, by state; `unknown` of all campaigns.
        attempts: Requests and how they ended, by event, counted since this process first looked.
        queue_age_s: For how long the oldest batch could have gone out: it is ready, its time has come and
            its campaign runs.
        last_claim: When a batch was last claimed; None before the first.
        report_lag_s: For how long the service has had the oldest batch of the last day about which it has
            reported nothing at all.
        gate_closed_s: For how much longer all sending waits because the service asked for it, or is away.
        senders: Processes that have registered to send and were not found dead.
        sessions: Browsers that are signed in.
        backed_up_at: When the last backup was complete; None if none is known.
    """

    campaigns: Mapping[str, int]
    batches: Mapping[str, int]
    attempts: Mapping[str, int]
    queue_age_s: float
    last_claim: datetime | None
    report_lag_s: float
    gate_closed_s: float
    senders: int
    sessions: int
    backed_up_at: datetime | None


class VitalSigns:
    """Reads them, again and again; not safe to share between threads.

    Attempts are counted as they come in, so that no look counts them all. One that another transaction has
    just entered may not be seen yet while a later one is: only those up to the newest of the look before are
    counted, which have long been committed.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self._attempts = Counter(dict.fromkeys(EVENTS, 0))
        self._counted: int | None = None
        self._newest = 0

    def read(self) -> Vitals:
        """How the ledger stands now.

        Raises:
            LedgerError: It cannot be read.
        """
        now = self._now()
        with self._database.read() as connection:
            if not self._database.is_sqlite:
                connection.execute(text(f"SET LOCAL statement_timeout = '{LONGEST_S}s'"))
            self._count_attempts(connection)
            return Vitals(
                campaigns=_campaigns(connection),
                batches=_batches(connection),
                attempts=dict(self._attempts),
                queue_age_s=_queue_age_s(connection, now),
                last_claim=connection.execute(select(func.max(_batch.claimed_at))).scalar_one(),
                report_lag_s=_report_lag_s(connection, now),
                gate_closed_s=max(0.0, (read_gate(connection).closed_until - now).total_seconds()),
                senders=_senders(connection),
                sessions=_sessions(connection, now),
                backed_up_at=_backed_up_at(connection),
            )

    def _count_attempts(self, connection: Connection) -> None:
        table = schema.attempt.c
        newest = connection.execute(select(func.coalesce(func.max(table.id), 0))).scalar_one()
        if self._counted is None:
            self._counted = newest
        elif self._newest > self._counted:
            new = table.id.between(self._counted + 1, self._newest)
            found = select(table.event, func.count()).where(new).group_by(table.event)
            self._attempts.update(_counts(connection, found))
            self._counted = self._newest
        self._newest = newest


def _campaigns(connection: Connection) -> dict[str, int]:
    found = select(_campaign.state, func.count()).group_by(_campaign.state)
    return {**dict.fromkeys(CAMPAIGN_STATES, 0), **_counts(connection, found)}


def _batches(connection: Connection) -> dict[str, int]:
    of_campaign = select(_batch.state, func.count()).join(schema.campaign).group_by(_batch.state)
    live = of_campaign.where(_campaign.state.in_(UNFINISHED))
    over = of_campaign.where(_campaign.state.not_in(UNFINISHED), _batch.state == "unknown")
    counts = Counter(_counts(connection, live)) + Counter(_counts(connection, over))
    return {state: counts[state] for state in MESSAGE_STATES}


def _counts(connection: Connection, query: Select[str, int]) -> dict[str, int]:
    return {str(row[0]): int(row[1]) for row in connection.execute(query)}


def _queue_age_s(connection: Connection, now: datetime) -> float:
    """Since when the longest waiting batch could have gone out: its campaign started, or its time came."""
    ready = (_batch.campaign_id == _campaign.id) & (_batch.state == "ready")
    at_once = select(_batch.id).where(ready, _batch.due_at.is_(None)).exists()
    due = select(func.min(_batch.due_at)).where(ready, _batch.due_at <= now).scalar_subquery()
    began = func.coalesce(_campaign.resumed_at, _campaign.started_at, type_=_campaign.started_at.type)
    query = select(began, at_once, due).where(_campaign.state == "running")
    since = [
        start if waits else max(start, first)
        for start, waits, first in connection.execute(query)
        if start is not None and (waits or first is not None)
    ]
    return max(0.0, (now - min(since, default=now)).total_seconds())


def _report_lag_s(connection: Connection, now: datetime) -> float:
    message = schema.message.c
    news = (tally.c.batch_id == _batch.id) & tally.c.stage.in_((SENT, FAILED, DELIVERED))
    silent = (_batch.state == "accepted") & ~exists().where(news)
    is_due = message.scheduled_at.is_(None) | (message.scheduled_at <= now)
    query = (
        select(_batch.claimed_at, message.scheduled_at)
        .join(schema.message, message.id == _batch.first_message)
        .where(_batch.claimed_at > now - REPORTS_WITHIN, silent, is_due)
        .order_by(_batch.claimed_at)
        .limit(1)
    )
    found = connection.execute(query).first()
    since = max(found.claimed_at, found.scheduled_at or found.claimed_at) if found else now
    return max(0.0, (now - since).total_seconds())


def _senders(connection: Connection) -> int:
    table = schema.owner.c
    query = select(func.count(table.slot.distinct())).where(table.retired_at.is_(None))
    return int(connection.execute(query).scalar_one())


def _sessions(connection: Connection, now: datetime) -> int:
    table, barred = schema.browser_session.c, schema.barred.c
    admitted = table.address.not_in(select(barred.address))
    query = select(func.count()).where(table.ends_at > now, admitted)
    return int(connection.execute(query).scalar_one())


def _backed_up_at(connection: Connection) -> datetime | None:
    """As the ledger notes it, or a person who backs it up with other programs."""
    try:
        at = datetime.fromisoformat(fact(connection, BACKED_UP_AT) or "")
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
