"""What a person decides about a batch that nobody knows the fate of, and the money that rides on it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from dashboard.campaigns.money import cost
from dashboard.errors import CampaignStateError, LedgerError
from dashboard.ledger import schema
from dashboard.ledger.optouts import drop_listed
from dashboard.ledger.states import DECISIONS, Decision
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
    if decision not in DECISIONS:
        raise LedgerError(_("Decide one of {decisions}.").format(decisions=", ".join(DECISIONS)))
    if not who.strip() or not why.strip():
        raise LedgerError(_("Say who decides and why; both are kept with the decision."))
    campaign, batch = _locked(connection, batch_id)
    if batch.state != "unknown":
        raise CampaignStateError(
            _("Batch {batch_id} is {state} now, so there is nothing to decide.").format(
                batch_id=batch_id, state=batch.state
            )
        )
    if decision == "ready":
        _check_resend(campaign, batch, now)
    at_risk = risk(connection, campaign, batch)
    connection.execute(
        insert(schema.decision).values(
            batch_id=batch_id,
            attempt=batch.attempt,
            decision=decision,
            who=who,
            why=why,
            at=now,
            messages=at_risk.messages,
            credits_low=at_risk.credits_low,
            credits_high=at_risk.credits_high,
            money_at_risk=at_risk.money,
            currency=at_risk.currency,
        )
    )
    table = schema.batch
    connection.execute(
        update(table).where(table.c.id == batch_id).values(state=decision, reason=f"decided by {who}: {why}")
    )
    if decision == "ready":
        drop_listed(connection, batch_id, now)
    if decision == "ready" and campaign.state == "done":
        values = {"state": "running", "reason": "a person sends an unknown batch again", "finished_at": None}
        connection.execute(update(schema.campaign).where(schema.campaign.c.id == campaign.id).values(values))


def risk(connection: Connection, campaign: Row[Any], batch: Row[Any]) -> Risk:
    """What rides on those messages of a batch that have no state of their own."""
    message, result = schema.message, schema.result
    count, low, high = connection.execute(
        select(func.count(), func.sum(message.c.credits_low), func.sum(message.c.credits_high))
        .select_from(message.outerjoin(result, result.c.message_id == message.c.id))
        .where(message.c.id.between(batch.first_message, batch.last_message), result.c.message_id.is_(None))
    ).one()
    price = batch.price_per_credit if campaign.price_per_credit is None else campaign.price_per_credit
    money = None if price is None else cost(int(high or 0), price)
    return Risk(count, int(low or 0), int(high or 0), money, campaign.currency)


def resend_from(batch: Row[Any]) -> datetime:
    """From when on an unknown batch may be sent again."""
    claimed_at: datetime = batch.claimed_at
    return claimed_at + RESEND_AFTER


def _locked(connection: Connection, batch_id: int) -> tuple[Row[Any], Row[Any]]:
    batch, campaign = schema.batch, schema.campaign
    campaign_id = connection.execute(
        select(batch.c.campaign_id).where(batch.c.id == batch_id)
    ).scalar_one_or_none()
    if campaign_id is None:
        raise LedgerError(_("There is no batch {batch_id} in this ledger.").format(batch_id=batch_id))
    locked = connection.execute(select(campaign).where(campaign.c.id == campaign_id).with_for_update()).one()
    return locked, connection.execute(select(batch).where(batch.c.id == batch_id).with_for_update()).one()


def _check_resend(campaign: Row[Any], batch: Row[Any], now: datetime) -> None:
    if campaign.state == "cancelled":
        raise CampaignStateError(
            _("The campaign was cancelled, so nothing of it is sent again. Abandon the batch instead.")
        )
    if now < (at := resend_from(batch)):
        raise CampaignStateError(
            _(
                "The first request may still be on its way. The batch can be sent again from {at} UTC on."
            ).format(at=f"{at:%H:%M:%S}")
        )
