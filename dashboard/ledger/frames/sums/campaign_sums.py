"""What campaigns add up to, from the tallies: as many rows however many messages there are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, func, select

from dashboard.ledger.database import schema
from dashboard.ledger.database.states import MESSAGE_STATES
from dashboard.ledger.tallies.tables import DELIVERED, DROPPED, FAILED, FOLLOWS, SENT, cell, tally

_SUMS = ("messages", "credits_low", "credits_high", "credits_billed")
_NEWS = {"sent": (SENT, FAILED, DELIVERED), "delivered": (DELIVERED,), "failed": (FAILED,)}


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


def campaign_sums(connection: Connection, campaign_id: str | None = None) -> dict[str, CampaignSums]:
    """The sums of all campaigns, or of one."""
    found: dict[str, CampaignSums] = defaultdict(CampaignSums)
    batch, which = schema.batch.c, of_campaign(campaign_id)
    of_batches = select(batch.campaign_id, batch.state, func.sum(tally.c.messages))
    of_batches = of_batches.join(tally, tally.c.batch_id == batch.id).where(which, tally.c.stage == FOLLOWS)
    for campaign, state, many in connection.execute(of_batches.group_by(batch.campaign_id, batch.state)):
        found[campaign].messages[state] += int(many)
    key = (tally.c.cell_id, tally.c.stage)
    own = select(*key, *(func.sum(tally.c[name]).label(name) for name in _SUMS)).group_by(*key)
    summed = own.where(which, tally.c.stage > FOLLOWS).subquery()
    query = select(cell.c.campaign_id, cell.c.price, *(summed.c[name] for name in ("stage", *_SUMS)))
    for campaign, price, stage, *each in connection.execute(
        query.join(summed, summed.c.cell_id == cell.c.id)
    ):
        sums, (many, low, high, billed) = found[campaign], map(int, each)
        sums.messages["dropped" if stage == DROPPED else "accepted"] += many
        for name, stages in _NEWS.items():
            sums.messages[name] += many if stage in stages else 0
        sums.bills[price] = sums.bills.get(price, 0) + billed
        if stage == DROPPED:
            before = sums.left_out.get(price, (0, 0))
            sums.left_out[price] = (before[0] + low, before[1] + high)
    return found


def of_campaign(campaign_id: str | None) -> ColumnElement[bool]:
    """Whether a row of the tally is a campaign's, or anyone's; so asked, it is read as it is stored."""
    cells = select(cell.c.id)
    return tally.c.cell_id.in_(
        cells if campaign_id is None else cells.where(cell.c.campaign_id == campaign_id)
    )
