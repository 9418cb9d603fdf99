"""Sums over the batches of campaigns that are over: figures of many years are then as quick as those of one.

What follows its batch stays with it. News of such a campaign is counted by its batch as ever, with more or
less than there is, and added to the sums the next time. What is unknown stays by batch: a person may have it
sent again, and then it is halved, and pauses over what failed, batch by batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, text

from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import adding_to
from dashboard.ledger.tallies.recount import KEPT
from dashboard.ledger.tallies.tables import FOLLOWS, ROLLED_UP, cell, tally

_UNKNOWN = "SELECT id FROM batch WHERE campaign_id = :campaign AND state = 'unknown'"
_BY_BATCH = f"stage <> {FOLLOWS} AND batch_id <> {ROLLED_UP} AND batch_id NOT IN ({_UNKNOWN})"


def left_to_roll_up(connection: Connection, before: datetime) -> Sequence[str]:
    """The campaigns that were over before then and are still counted by batch."""
    campaign, batch = schema.campaign.c, schema.batch.c
    over = select(campaign.id).where(campaign.finished_at < before)
    unknown = select(batch.id).where(batch.campaign_id.in_(over), batch.state == "unknown")
    by_batch = select(tally.c.cell_id).where(
        tally.c.batch_id > ROLLED_UP, tally.c.stage > FOLLOWS, tally.c.batch_id.not_in(unknown)
    )
    left = select(cell.c.campaign_id).where(cell.c.id.in_(by_batch), cell.c.campaign_id.in_(over)).distinct()
    return connection.execute(left).scalars().all()


def roll_up(connection: Connection, campaign_id: str) -> None:
    """Sum up a campaign; the caller saw to it that nobody else changes a message of it."""
    of_campaign = {"campaign": campaign_id}
    for table, which in KEPT.items():
        keys = ", ".join(column.name for column in table.primary_key if column.name != "batch_id")
        numbers = [column.name for column in table.columns if not column.primary_key]
        sums = ", ".join(f"sum({one})" for one in numbers)
        nothing = " AND ".join(f"{one} = 0" for one in numbers)
        into = f"INSERT INTO {table.name} ({keys}, batch_id, {', '.join(numbers)})"
        of_batches = f"FROM {table.name} WHERE {which} AND {_BY_BATCH}"
        for statement in (
            f"{into} SELECT {keys}, {ROLLED_UP}, {sums} {of_batches} GROUP BY {keys}{adding_to(table)}",
            f"DELETE {of_batches}",
            f"DELETE FROM {table.name} WHERE {which} AND {nothing}",  # noqa: S608 - words of ours
        ):
            connection.execute(text(statement), of_campaign)
