"""Credits and money of people left out later: the estimate is of the others."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from dashboard.campaigns.cost.money import cost, total
from dashboard.ledger.tallies.deltas import DROPPED
from dashboard.ledger.tallies.tables import cell, tally

_ESTIMATE = ("credits_low", "credits_high")


def estimate(connection: Connection, campaign: RowMapping) -> dict[str, Any]:
    """The estimate of one campaign's messages that were not left out later, from its row of `campaigns()`.

    Returns:
        credits_low, credits_high, cost_low and cost_high (None where a price is not known).
    """
    frozen = {name: campaign[name] for name in (*_ESTIMATE, "cost_low", "cost_high")}
    if not campaign["dropped"] or frozen["credits_high"] is None:
        return frozen
    query = (
        select(cell.c.price, *(func.sum(tally.c[name]) for name in _ESTIMATE))
        .join(tally, tally.c.cell_id == cell.c.id)
        .where(cell.c.campaign_id == campaign["campaign"], tally.c.stage == DROPPED)
        .group_by(cell.c.price)
    )
    found = [(price, int(low), int(high)) for price, low, high in connection.execute(query)]
    for place, (credits_, money) in enumerate(
        (("credits_low", "cost_low"), ("credits_high", "cost_high")), 1
    ):
        frozen[credits_] -= sum(row[place] for row in found)
        if frozen[money] is not None:
            less = (cost(-row[place], Decimal(row[0])) for row in found if row[0])
            frozen[money] = total([frozen[money], *less])
    return frozen
