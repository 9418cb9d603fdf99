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
        *as_stored(table, "price_per_credit", "currency"),
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
    values = {**row, **sums.messages, **_credits(sums)}
    return [values[column.name] for column in _COLUMNS]


def _credits(sums: CampaignSums) -> dict[str, Any]:
    """Estimated and billed, with the money of what has a price; an estimate has it only as a whole."""
    found: dict[str, Any] = {}
    for name in ("low", "high", "billed"):
        credits_ = {price: each[f"credits_{name}"] for price, each in sums.by_price.items()}
        priced = (cost(many, Decimal(price)) for price, many in credits_.items() if price)
        found |= {f"credits_{name}": sum(credits_.values()), f"cost_{name}": total(priced)}
    unpriced = sums.by_price[""]
    if unpriced["messages"]:
        found |= {"cost_low": None, "cost_high": None}
    return {**found, "credits_without_price": unpriced["credits_billed"]}
