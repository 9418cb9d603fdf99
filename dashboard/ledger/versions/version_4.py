"""Version 4 of the tables: limits at which campaigns pause by themselves; rounds of lanes are not counted.

A step makes the tables as they were in its version and never changes; schema.py has the current ones.
"""

from __future__ import annotations

from sqlalchemy import Connection

_CHANGES = (
    "ALTER TABLE gate ADD COLUMN failure_share FLOAT",
    "ALTER TABLE gate ADD COLUMN credits_per_campaign BIGINT",
    "ALTER TABLE gate ADD COLUMN credits_per_day BIGINT",
    "ALTER TABLE gate ADD COLUMN pauses_on_opt_outs BOOLEAN",
    "ALTER TABLE campaign ADD COLUMN resumed_at BIGINT",
    "ALTER TABLE campaign DROP COLUMN epoch",
    "CREATE INDEX batch_by_claim ON batch (claimed_at)",
)


def step(connection: Connection) -> None:
    """Bring a ledger of version 3 to version 4."""
    for statement in _CHANGES:
        connection.exec_driver_sql(statement)
