"""Credits and money of people left out later: the estimate is of the others."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, func, select

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.database import schema

_ESTIMATE = ("credits_low", "credits_high")


def estimate(connection: Connection, campaign: RowMapping) -> dict[str, Any]:
    """The estimate of one campaign's messages that were not left out later, from its row of `campaigns()`.

    Returns:
        credits_low, credits_high, cost_low and cost_high (None where a price is not known).
    """
    frozen = {name: campaign[name] for name in (*_ESTIMATE, "cost_low", "cost_high")}
    if not campaign["dropped"] or frozen["credits_high"] is None:
        return frozen
    batch = schema.batch.c
    query = select(batch.price_per_credit, *(_dropped(name) for name in _ESTIMATE)).where(
        batch.campaign_id == campaign["campaign"], batch.state != "split", batch.dropped > 0
    )
    found = [(price or campaign["price_per_credit"], *sums) for price, *sums in connection.execute(query)]
    for place, (credits_, money) in enumerate(
        (("credits_low", "cost_low"), ("credits_high", "cost_high")), 1
    ):
        frozen[credits_] -= sum(int(row[place] or 0) for row in found)
        if frozen[money] is not None:
            less = (cost(-int(row[place] or 0), row[0]) for row in found if row[0] is not None)
            frozen[money] = total([frozen[money], *less])
    return frozen


def _dropped(name: str) -> ColumnElement[int]:
    """Of a batch: credits of its messages that were dropped by themselves."""
    batch, message, result = schema.batch.c, schema.message.c, schema.result.c
    return (
        select(func.sum(message[name]))
        .join(schema.result, result.message_id == message.id)
        .where(result.message_id.between(batch.first_message, batch.last_message), result.state == "dropped")
        .correlate(schema.batch)
        .scalar_subquery()
    )
