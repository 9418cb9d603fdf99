"""What a person decides about a batch that nobody knows the fate of, and the money that rides on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, insert, select, update

from dashboard.campaigns.cost.money import cost
from dashboard.errors import CampaignStateError, LedgerError
from dashboard.ledger.database import schema
from dashboard.ledger.database.locks import batch_row, campaign_row, lock_batches_where
from dashboard.ledger.database.states import DECISIONS, Decision
from dashboard.ledger.optouts import drop_listed, drop_listed_between
from dashboard.words import _

RESEND_AFTER = timedelta(minutes=5)
"""When the first request can no longer be on its way, counted from its claim: a minute at most from claim to
request, two to connect, write and read, and the rest for a service that works on after we stopped waiting."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What would be paid twice, or not reach anyone, if a decision is wrong; no price, no money."""

    messages: int
    credits_low: int
    credits_high: int
    money: Decimal | None
    currency: str


def decide(
    connection: Connection, batch_id: int, decision: Decision, *, who: str, why: str, now: datetime
) -> None:
    """Settle an unknown batch: `accepted`, `ready` (sends it again, with the same uuids) or `abandoned`.

    Raises:
        LedgerError: `who` or `why` is missing, or there is no such batch.
        CampaignStateError: The batch is not unknown, its request may still be on its way, or the campaign was
            cancelled.
    """
    _check_words(decision, who, why)
    campaign = campaign_row(connection, _campaign_of(connection, batch_id), "change")
    batch = batch_row(connection, batch_id)
    if batch.state != "unknown":
        raise CampaignStateError(
            _("Batch {batch_id} is {state} now, so there is nothing to decide.").format(
                batch_id=batch_id, state=batch.state
            )
        )
    if decision == "ready":
        _check_resend(campaign, batch.claimed_at, now)
    _write(connection, campaign, schema.batch.c.id == batch_id, decision, who=who, why=why, now=now)
    if decision == "ready":
        drop_listed(connection, batch_id, now)
        _run_again(connection, campaign)


def decide_all(
    connection: Connection, campaign_id: str, decision: Decision, *, who: str, why: str, now: datetime
) -> int:
    """Decide the same about all unknown batches of a campaign at once; returns how many there were.

    Raises:
        LedgerError: `who` or `why` is missing.
        UnknownCampaignError: There is no such campaign.
        CampaignStateError: Of one of them a request may still be on its way, or the campaign was cancelled;
            nothing was decided then.
    """
    _check_words(decision, who, why)
    campaign, table = campaign_row(connection, campaign_id, "change"), schema.batch
    which = (table.c.campaign_id == campaign_id) & (table.c.state == "unknown")
    claimed_at = lock_batches_where(connection, which)
    if claimed_at and decision == "ready":
        _check_resend(campaign, max(claimed_at), now)
    _write(connection, campaign, which, decision, who=who, why=why, now=now)
    if claimed_at and decision == "ready":
        drop_listed_between(connection, campaign.first_message, campaign.last_message, now)
        _run_again(connection, campaign)
    return len(claimed_at)


def risks(
    connection: Connection, campaign: Row[Any], which: ColumnElement[bool]
) -> Iterator[tuple[Row[Any], Risk]]:
    """What rides on the messages without a state of their own, of each batch of which `which` holds."""
    table = schema.batch
    batches = connection.execute(select(table).where(which).order_by(table.c.id)).all()
    own = {id_: int(low) for id_, low in connection.execute(_own_low(which))}
    for batch in batches:
        price = batch.price_per_credit if campaign.price_per_credit is None else campaign.price_per_credit
        high = batch.credits_high - batch.credits_own
        yield (
            batch,
            Risk(
                batch.messages - batch.accepted - batch.dropped,
                batch.credits_low - own.get(batch.id, 0),
                high,
                None if price is None else cost(high, price),
                campaign.currency,
            ),
        )


def _own_low(which: ColumnElement[bool]) -> Select[Any]:
    """Of each batch of which a part has a state of its own: the lowest estimate of that part."""
    table, message, result = schema.batch, schema.message, schema.result
    return (
        select(table.c.id, func.sum(message.c.credits_low))
        .join(result, result.c.message_id.between(table.c.first_message, table.c.last_message))
        .join(message, message.c.id == result.c.message_id)
        .where(which, table.c.credits_own > 0)
        .group_by(table.c.id)
    )


def _write(
    connection: Connection,
    campaign: Row[Any],
    which: ColumnElement[bool],
    decision: Decision,
    *,
    who: str,
    why: str,
    now: datetime,
) -> None:
    """Keep what was decided of each of these batches, and move them."""
    rows = [
        {
            "batch_id": batch.id,
            "attempt": batch.attempt,
            "decision": decision,
            "who": who,
            "why": why,
            "at": now,
            "messages": at_risk.messages,
            "credits_low": at_risk.credits_low,
            "credits_high": at_risk.credits_high,
            "money_at_risk": at_risk.money,
            "currency": at_risk.currency,
        }
        for batch, at_risk in risks(connection, campaign, which)
    ]
    if rows:
        connection.execute(insert(schema.decision), rows)
    reason = f"decided by {who}: {why}"
    connection.execute(update(schema.batch).where(which).values(state=decision, reason=reason))


def _check_words(decision: Decision, who: str, why: str) -> None:
    if decision not in DECISIONS:
        raise LedgerError(_("Decide one of {decisions}.").format(decisions=", ".join(DECISIONS)))
    if not who.strip() or not why.strip():
        raise LedgerError(_("Say who decides and why; both are kept with the decision."))


def _campaign_of(connection: Connection, batch_id: int) -> str:
    table = schema.batch
    query = select(table.c.campaign_id).where(table.c.id == batch_id)
    found: str | None = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise LedgerError(_("There is no batch {batch_id} in this ledger.").format(batch_id=batch_id))
    return found


def _run_again(connection: Connection, campaign: Row[Any]) -> None:
    """Let a campaign that was done run, as it has something to send."""
    if campaign.state == "done":
        values = {"state": "running", "reason": "a person sends an unknown batch again", "finished_at": None}
        connection.execute(update(schema.campaign).where(schema.campaign.c.id == campaign.id).values(values))


def _check_resend(campaign: Row[Any], claimed_at: datetime, now: datetime) -> None:
    if campaign.state == "cancelled":
        raise CampaignStateError(
            _("The campaign was cancelled, so nothing of it is sent again. Abandon the batch instead.")
        )
    if now < (at := claimed_at + RESEND_AFTER):
        raise CampaignStateError(
            _(
                "The first request may still be on its way. The batch can be sent again from {at} UTC on."
            ).format(at=f"{at:%H:%M:%S}")
        )
