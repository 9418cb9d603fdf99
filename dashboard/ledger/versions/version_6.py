"""Version 6 of the tables: what a campaign was going to cost, in money, and prices by country.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Connection, text

_ADDED = (
    "ALTER TABLE campaign ADD COLUMN cost_low VARCHAR",
    "ALTER TABLE campaign ADD COLUMN cost_high VARCHAR",
    "ALTER TABLE batch ADD COLUMN price_per_credit VARCHAR",
)
_PRICED = "SELECT id, price_per_credit, credits_low, credits_high FROM campaign"
_COST = "UPDATE campaign SET cost_low = :low, cost_high = :high WHERE id = :id"


def step(connection: Connection) -> None:
    """Bring a ledger of version 5 to version 6; until then a campaign had one price."""
    for statement in _ADDED:
        connection.exec_driver_sql(statement)
    for campaign, price, low, high in connection.execute(text(_PRICED)).all():
        if price is None:
            continue
        costs = {"low": str(Decimal(price) * low), "high": str(Decimal(price) * high)}
        connection.execute(text(_COST), {"id": campaign, **costs})
