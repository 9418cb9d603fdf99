"""What is at stake in unknown batches: messages, credits and money, for each and for all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, func, select

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.database import schema
from dashboard.ledger.evidence.usage import FOLLOWING
from dashboard.ledger.tallies.tables import tally

RESEND_AFTER = timedelta(minutes=5)
"""When the first request can no longer be on its way, counted from its claim.

At most a minute from claim to request, two to connect, write and read, and the rest for a service that keeps
working after we stopped waiting.
"""


class Risk(NamedTuple):
    """What would be paid twice, or reach nobody, if a decision is wrong; no money without a price.

    Its fields are columns of `decision`.
    """

    messages: int
    credits_low: int
    credits_high: int
    money_at_risk: Decimal | None
    currency: str


@dataclass(frozen=True, slots=True)
class UnknownTotal:
    """What awaits a decision in a campaign.

    Attributes:
        batches: How many.
        messages: How many unknown messages are in them.
        credits: The most at risk.
        money: The credits at their price, as far as it is known; None without any price.
        credits_without_price: Credits that have no price.
        currency: ISO 4217.
        resend_from: When all may be sent again (UTC); None without a batch.
        newest_at: When the last of them was found to be unknown (UTC); None without a batch.
    """

    batches: int
    messages: int
    credits: int
    money: Decimal | None
    credits_without_price: int
    currency: str
    resend_from: datetime | None
    newest_at: datetime | None


def unknown(campaign_id: str) -> ColumnElement[bool]:
    """Whether a batch awaits a decision in this campaign."""
    return (schema.batch.c.campaign_id == campaign_id) & (schema.batch.c.state == "unknown")


def newest(connection: Connection, which: ColumnElement[bool], limit: int, skip: int) -> list[int]:
    """The batches that match `which`, the last in the order of sending first, after `skip` of them."""
    table = schema.batch
    query = select(table.c.id).where(which).order_by(table.c.first_message.desc(), table.c.id.desc())
    return list(connection.execute(query.limit(limit).offset(skip)).scalars())


def unknown_total(connection: Connection, campaign: Row[Any]) -> UnknownTotal:
    """What awaits a decision, added up in the database: a row for each price."""
    table = schema.batch
    query = select(
        table.c.price_per_credit,
        func.count(table.c.id.distinct()).label("batches"),
        func.sum(tally.c.messages).label("messages"),
        func.sum(tally.c.credits_high).label("credits"),
        *(
            func.max(time, type_=time.type).label(time.name)
            for time in (table.c.claimed_at, table.c.settled_at)
        ),
    ).select_from(FOLLOWING)
    query = query.where(unknown(campaign.id)).group_by(table.c.price_per_credit)
    found = connection.execute(query).all()
    priced = [(row, _price(campaign, row)) for row in found]
    return UnknownTotal(
        batches=sum(row.batches for row in found),
        messages=sum(int(row.messages) for row in found),
        credits=sum(int(row.credits) for row in found),
        money=total(None if price is None else cost(row.credits, price) for row, price in priced),
        credits_without_price=sum(int(row.credits) for row, price in priced if price is None),
        currency=campaign.currency,
        resend_from=max((row.claimed_at + RESEND_AFTER for row in found), default=None),
        newest_at=max((row.settled_at for row in found), default=None),
    )


def risks(
    connection: Connection, campaign: Row[Any], which: ColumnElement[bool]
) -> Iterator[tuple[Row[Any], Risk]]:
    """What is at stake in messages without their own state, for each batch that matches `which`."""
    table = schema.batch
    sums = (
        func.sum(tally.c[name]).label(f"{name}_left") for name in ("messages", "credits_low", "credits_high")
    )
    query = select(table, *sums).select_from(FOLLOWING).where(which).group_by(table.c.id).order_by(table.c.id)
    for batch in connection.execute(query).all():
        price, high = _price(campaign, batch), int(batch.credits_high_left)
        money = None if price is None else cost(high, price)
        left = (int(batch.messages_left), int(batch.credits_low_left), high)
        yield batch, Risk(*left, money, campaign.currency)


def _price(campaign: Row[Any], batch: Row[Any]) -> Decimal | None:
    price: Decimal | None = batch.price_per_credit
    return price if campaign.price_per_credit is None else campaign.price_per_credit
