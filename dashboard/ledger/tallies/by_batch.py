"""To version 2 of the tables: what figures are added up from is counted batch by batch."""

from __future__ import annotations

from sqlalchemy import Connection, select

from dashboard.ledger.database import schema
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.tables import course, tally

_COUNTED_BEFORE = ("waiting", "pool", "reason", "tally", "course")
_SUMS_BEFORE = (
    *("sent", "delivered", "failed", "pooled"),
    *("credits_billed", "credits_counted", "credits_own"),
)


def count_by_batch(connection: Connection) -> None:
    """All figures are counted anew, batch by batch; none of them changes."""
    for name in _COUNTED_BEFORE:
        connection.exec_driver_sql(f"DROP TABLE {name}")
    for table in (tally, course):
        table.create(connection)
    for campaign_id in connection.execute(select(schema.campaign.c.id)).scalars().all():
        recount.mend(connection, campaign_id)
    for name in _SUMS_BEFORE:
        connection.exec_driver_sql(f"ALTER TABLE batch DROP COLUMN {name}")
