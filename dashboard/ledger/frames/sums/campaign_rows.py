"""What the ledger says about campaigns, as plain values: a look at one is taken several times a second."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from dashboard.campaigns.cost.money import cost, total
from dashboard.contacts.schema import Column
from dashboard.ledger.campaign import Campaign
from dashboard.ledger.database import schema
from dashboard.ledger.database.column_types import EPOCH, as_stored
from dashboard.ledger.frames.declared import SCHEMAS, UTC_TIME
from dashboard.ledger.frames.sums.campaign_sums import CampaignSums, campaign_sums

_COLUMNS = SCHEMAS["Ledger.campaigns()"]


def campaign_rows(connection: Connection, campaign_id: str | None = None) -> list[Sequence[Any]]:
    """The columns of `Ledger.campaigns()` per campaign, or of one; times in microseconds since 1970."""
    table = schema.campaign
    query = select(
        table.c.id.label("campaign"),
        (table.c.last_message - table.c.first_message + 1).label("recipients"),
        *as_stored(table, "name", "state", "reason", "source", "sender", "shorten_links", "service"),
        *as_stored(table, "credits_low", "credits_high", "price_per_credit"),
        *as_stored(table, "cost_low", "cost_high", "currency"),
        *as_stored(table, "created_at", "scheduled_at", "started_at", "finished_at", "forgotten_at"),
    )
    if campaign_id is not None:
        query = query.where(table.c.id == campaign_id)
    order = (table.c.created_at.desc(), table.c.first_message.desc())
    found = connection.execute(query.order_by(*order)).mappings().all()
    sums = campaign_sums(connection, campaign_id)
    return [_completed(row, sums[row["campaign"]]) for row in found]


def read_campaign(connection: Connection, campaign_id: str) -> Campaign:
    """One that exists, without a frame in between."""
    (row,) = campaign_rows(connection, campaign_id)
    return Campaign(
        **{column.name: _value(column, value) for column, value in zip(_COLUMNS, row, strict=True)}
    )


def _value(column: Column, stored: Any) -> Any:
    if stored is None:
        return None
    if column.dtype == UTC_TIME:
        return EPOCH + timedelta(microseconds=stored)
    return int(stored) if column.dtype == "Int64" else stored


def _completed(row: RowMapping, sums: CampaignSums) -> Sequence[Any]:
    values = {**row, **sums.messages, **_estimate(row, sums), **_bill(row, sums)}
    return [values[column.name] for column in _COLUMNS]


def _estimate(campaign: RowMapping, sums: CampaignSums) -> dict[str, Any]:
    """Credits, and money where the price is known, for all whom nobody left out later."""
    found = {}
    for place, (column, money) in enumerate((("credits_low", "cost_low"), ("credits_high", "cost_high"))):
        found[column] = campaign[column] - sum(each[place] for each in sums.left_out.values())
        less = (cost(-each[place], Decimal(price)) for price, each in sums.left_out.items() if price)
        found[money] = None if campaign[money] is None else total([campaign[money], *less])
    return found


def _bill(campaign: RowMapping, sums: CampaignSums) -> dict[str, Any]:
    """Credits, the money of those that have a price, and how many have none; no money without any price."""
    credits_billed, price = sum(sums.bills.values()), campaign["price_per_credit"]
    priced = (cost(many, Decimal(one)) for one, many in sums.bills.items() if one and many)
    money, without_price = total(priced), sums.bills.get("", 0)
    if price is not None:
        money, without_price = cost(credits_billed, price), 0
    elif money is None and campaign["cost_low"] is not None:
        money = Decimal()
    return {"credits_billed": credits_billed, "cost_billed": money, "credits_without_price": without_price}
