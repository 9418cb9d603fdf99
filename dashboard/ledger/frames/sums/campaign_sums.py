"""What campaigns add up to, from the tallies: as many rows however many messages there are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Select, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.states import MESSAGE_STATES
from dashboard.ledger.tallies.deltas import DELIVERED, DROPPED, FAILED, SENT
from dashboard.ledger.tallies.pool import STATE
from dashboard.ledger.tallies.tables import cell, pool, tally, waiting

_SUMS = ("messages", "credits_low", "credits_high", "credits_billed")
_NEWS = {"sent": (SENT, FAILED, DELIVERED), "delivered": (DELIVERED,), "failed": (FAILED,)}
_campaign, _batch = schema.campaign.c, schema.batch.c


@dataclass
class CampaignSums:
    """What one campaign adds up to.

    Attributes:
        messages: In each state, and sent, delivered and failed.
        bills: Credits billed, by price; "" without one.
        left_out: Credits of people left out later, low and high, by price.
    """

    messages: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*MESSAGE_STATES, *_NEWS), 0))
    bills: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def credits_billed(self) -> int:
        """At any price."""
        return sum(self.bills.values())


def campaign_sums(connection: Connection, campaign_id: str | None = None) -> dict[str, CampaignSums]:
    """The sums of all campaigns, or of one."""
    found: dict[str, CampaignSums] = defaultdict(CampaignSums)
    for query in (_in_batches(), _in_pool()):
        for campaign, state, many in connection.execute(_of(query, campaign_id)):
            found[campaign].messages[state] += int(many)
    for campaign, price, stage, *each in connection.execute(_of(_own(), campaign_id)):
        sums, (many, low, high, billed) = found[campaign], map(int, each)
        sums.messages["dropped" if stage == DROPPED else "accepted"] += many
        for name, stages in _NEWS.items():
            sums.messages[name] += many if stage in stages else 0
        sums.bills[price] = sums.bills.get(price, 0) + billed
        if stage == DROPPED:
            sums.left_out[price] = (low, high)
    return found


def _of(query: Select[Any], campaign_id: str | None) -> Select[Any]:
    return query if campaign_id is None else query.where(cell.c.campaign_id == campaign_id)


def _in_batches() -> Select[Any]:
    key = (cell.c.campaign_id, _batch.state)
    query = select(*key, func.sum(waiting.c.messages)).group_by(*key)
    return query.join(waiting, waiting.c.cell_id == cell.c.id).join(
        schema.batch, _batch.id == waiting.c.batch_id
    )


def _in_pool() -> Select[Any]:
    key = (cell.c.campaign_id, STATE)
    query = select(*key, func.sum(pool.c.messages)).group_by(*key)
    return query.join(pool, pool.c.cell_id == cell.c.id).join(
        schema.campaign, _campaign.id == cell.c.campaign_id
    )


def _own() -> Select[Any]:
    key = (cell.c.campaign_id, cell.c.price, tally.c.stage)
    query = select(*key, *(func.sum(tally.c[name]) for name in _SUMS)).group_by(*key)
    return query.join(tally, tally.c.cell_id == cell.c.id)
