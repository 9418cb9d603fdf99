"""When a campaign pauses by itself, before more harm is done, and the sentence that says why.

Each check looks at little: a few of the newest answers, or what is counted by batch. A person who resumes the
campaign is not stopped again for what they have already seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, case, exists, func, or_, select, update

from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.evidence.usage import used, used_between
from dashboard.ledger.optouts import may_be_split
from dashboard.ledger.outbox.control import running
from dashboard.ledger.outbox.gate import Gate, read_gate
from dashboard.ledger.outbox.hours import MISSED_REASON
from dashboard.ledger.tallies.tables import FAILED, tally

REFUSED_FIRST = 10
"""After this many refusals with none accepted, it is not the messages, so the campaign pauses."""

UNKNOWN_IN_A_ROW = 5
"""After this many unknown batches in a row, more sending would only leave more for people to decide."""

JUDGED = 50
JUDGED_LEAST = 20
"""The share of failures is taken over this many of the newest batches; over fewer it says nothing."""

_SETTLED = ("accepted", "partly accepted", "rejected", "unknown")


def pause_running(connection: Connection, campaign_id: str, reason: str) -> None:
    """Pause a campaign if it is running; the caller has locked it."""
    table = schema.campaign
    if_running = update(table).where(table.c.id == campaign_id, table.c.state == "running")
    connection.execute(if_running.values(state="paused", reason=reason))


def pause_over_missed(connection: Connection, campaign_id: str, now: datetime) -> None:
    """Pause a campaign in which something was missed, as seen then, unless a person has resumed it since."""
    resumed_at = campaign_row(connection, campaign_id, "change").resumed_at
    if resumed_at is None or resumed_at <= now:
        pause_running(connection, campaign_id, MISSED_REASON)


def reason_after(connection: Connection, campaign: Row[Any], event: str, detail: str | None) -> str | None:
    """Why a campaign should pause after this answer, which has been recorded; None if it need not."""
    if event == "rejected" and _all_refused(connection, campaign):
        return (
            f"The service refused the first {REFUSED_FIRST} messages and accepted none. {detail} "
            "Then resume the campaign, or cancel it."
        )
    if event == "unknown" and _all_unknown(connection, campaign):
        return (
            f"{UNKNOWN_IN_A_ROW} batches in a row, and nobody can tell what became of them. "
            f"{detail} Ask the service what is wrong, then resume the campaign."
        )
    return failures(connection, campaign.id)


def failures(connection: Connection, campaign_id: str) -> str | None:
    """Whether too large a share of the newest messages was refused, is unknown, or is reported as failed."""
    limit = read_gate(connection).failure_share
    if limit is None:
        return None
    batch, judged = schema.batch, _newest(campaign_id)
    own = batch.c.messages - batch.c.accepted - batch.c.dropped
    not_taken = case((batch.c.state.in_(["rejected", "unknown"]), own), else_=0)
    batches, messages, bad = connection.execute(
        select(func.count(), func.sum(batch.c.messages), func.sum(not_taken)).where(batch.c.id.in_(judged))
    ).one()
    if batches < JUDGED_LEAST:
        return None
    failed = select(func.coalesce(func.sum(tally.c.messages), 0))
    failed = failed.where(tally.c.batch_id.in_(judged), tally.c.stage == FAILED)
    bad += int(connection.execute(failed).scalar_one())
    if bad <= limit * messages:
        return None
    return (
        f"{bad:,} of the last {messages:,} messages failed: refused, unknown, or reported as not delivered. "
        f"That is more than {limit:.0%}. Look at the reasons, then resume the campaign, or cancel it."
    )


def pause_failing(database: Database) -> None:
    """Pause the running campaigns in which too much fails, which is looked at again once they are locked."""
    with database.read() as connection:
        failing = sorted(one for one in running(connection) if failures(connection, one))
    if not failing:
        return
    with database.write() as connection:
        for campaign_id in failing:
            campaign_row(connection, campaign_id, "change")
            if reason := failures(connection, campaign_id):
                pause_running(connection, campaign_id, reason)


def over_cap(connection: Connection, gate: Gate, campaign_id: str, takes: int, now: datetime) -> str | None:
    """Why credits must not be spent: they may bring the campaign, or the day, over its cap.

    The caller has locked the campaign, and also the gate if the day has a cap.
    """
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    tomorrow = today + timedelta(days=1)
    caps: tuple[tuple[int | None, Callable[[], int], str], ...] = (
        (gate.credits_per_campaign, lambda: used(connection, campaign_id), "this campaign"),
        (gate.credits_per_day, lambda: used_between(connection, today, tomorrow), "a day (UTC)"),
    )
    for cap, used_by, of in caps:
        if cap is not None and (before := used_by()) + takes > cap:
            return (
                f"The cap of {cap:,} credits for {of} is reached: {before:,} are used, at most, and the next "
                f"batch may take {takes:,}. Raise the cap or wait, then resume the campaign."
            )
    return None


def pause_over_opt_outs(connection: Connection, campaign_id: str) -> None:
    """Pause a campaign, which the caller has locked, over people whom the list of opt-outs took from it."""
    if read_gate(connection).pauses_on_opt_outs:
        reason = (  # without a number, since more may follow while it is paused
            "The list of opt-outs changed, so some of the people still to be texted will get nothing. "
            "See who under Recipients, then resume the campaign."
        )
        pause_running(connection, campaign_id, reason)


@contextmanager
def watching_opt_outs(connection: Connection) -> Iterator[None]:
    """Pause the running campaigns that lose messages to changes of the opt-out list in this block."""
    # Before the campaigns, as everybody does; adding opt-outs takes it
    serialize(connection, Advisory.FREEZE)
    watched = running(connection)
    split = connection.execute(select(schema.campaign.c.id).where(may_be_split())).scalars()
    for campaign_id in sorted({*watched, *split}):  # in one order with those that adding opt-outs locks
        campaign_row(connection, campaign_id, "change")
    before = {campaign_id: _lost(connection, campaign_id) for campaign_id in watched}
    yield
    for campaign_id, lost in before.items():
        if _lost(connection, campaign_id) > lost:
            pause_over_opt_outs(connection, campaign_id)


def _all_refused(connection: Connection, campaign: Row[Any]) -> bool:
    """Whether that many were refused since a person last resumed it, and none was ever accepted."""
    table = schema.batch
    of_campaign = select(table.c.id).where(table.c.campaign_id == campaign.id)
    if connection.execute(of_campaign.where(table.c.accepted > 0).limit(1)).first():
        return False
    note = schema.attempt.c
    as_noted = exists().where(
        note.batch_id == table.c.id, note.attempt == table.c.attempt, note.event == "rejected"
    )  # of what was sent again, nobody can tell whether it was taken before
    is_refused = or_(table.c.state == "rejected", (table.c.state == "unknown") & as_noted)
    refused = of_campaign.where(is_refused).limit(REFUSED_FIRST)
    if campaign.resumed_at:
        refused = refused.where(table.c.settled_at > campaign.resumed_at)
    return len(connection.execute(refused).all()) == REFUSED_FIRST


def _all_unknown(connection: Connection, campaign: Row[Any]) -> bool:
    """Whether the last answers were all unclear; batches that were lost or never sent had none.

    Only those since a person last resumed the campaign count.
    """
    table, batch = schema.attempt, schema.batch
    last = (
        select(table.c.event)
        .join(batch, batch.c.id == table.c.batch_id)
        .where(batch.c.campaign_id == campaign.id, table.c.event.not_in(["claimed", "lost", "not sent"]))
        .order_by(table.c.id.desc())
        .limit(UNKNOWN_IN_A_ROW)
    )
    if campaign.resumed_at:
        last = last.where(table.c.at > campaign.resumed_at)
    return connection.execute(last).scalars().all() == ["unknown"] * UNKNOWN_IN_A_ROW


def _newest(campaign_id: str) -> Any:
    """The batches that were answered last, since a person last resumed the campaign."""
    table, batch, campaign = schema.attempt, schema.batch, schema.campaign
    return (
        select(table.c.batch_id)
        .join(batch, batch.c.id == table.c.batch_id)
        .join(campaign, campaign.c.id == batch.c.campaign_id)
        .where(
            campaign.c.id == campaign_id,
            batch.c.state != "split",
            table.c.event.in_(_SETTLED),
            table.c.at >= func.coalesce(campaign.c.resumed_at, campaign.c.created_at),
        )
        .order_by(table.c.id.desc())
        .limit(JUDGED)
        .scalar_subquery()
    )


def _lost(connection: Connection, campaign_id: str) -> int:
    """Messages of a campaign that were dropped or given up."""
    batch = schema.batch.c
    lost = case((batch.state == "abandoned", batch.messages - batch.accepted), else_=batch.dropped)
    query = select(func.sum(lost)).where(batch.campaign_id == campaign_id, batch.state != "split")
    return int(connection.execute(query).scalar_one())
