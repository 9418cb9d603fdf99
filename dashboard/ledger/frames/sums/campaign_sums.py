"""What campaigns add up to, from the tallies: as many rows however many messages there are."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, case, func, select

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
        by_price: Messages and credits, by the price of a credit; "" without one. Of people who were left out
            only the bill counts.
    """

    messages: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*MESSAGE_STATES, *_NEWS), 0))
    by_price: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def campaign_sums(connection: Connection, campaign_id: str | None = None) -> dict[str, CampaignSums]:
    """The sums of all campaigns, or of one."""
    found: dict[str, CampaignSums] = defaultdict(CampaignSums)
    which, sums = of_campaign(campaign_id), [func.sum(tally.c[name]).label(name) for name in _SUMS]
    key, of_batch = (tally.c.cell_id, tally.c.stage), schema.batch.c.state
    of_batches = select(*key, of_batch, *sums).join(schema.batch, schema.batch.c.id == tally.c.batch_id)
    of_batches = of_batches.where(which, tally.c.stage == FOLLOWS).group_by(*key, of_batch)
    state = case((tally.c.stage == DROPPED, "dropped"), else_="accepted").label("state")
    own = select(*key, state, *sums).where(which, tally.c.stage > FOLLOWS).group_by(*key)
    for summed in (of_batches.subquery(), own.subquery()):
        query = select(cell.c.campaign_id, cell.c.price, summed).join(summed, summed.c.cell_id == cell.c.id)
        for row in connection.execute(query).mappings():
            campaign, each = found[row["campaign_id"]], {name: int(row[name]) for name in _SUMS}
            for name in (row["state"], *(news for news, stages in _NEWS.items() if row["stage"] in stages)):
                campaign.messages[name] += each["messages"]
            if row["state"] == "dropped":
                each = {"credits_billed": each["credits_billed"]}
            campaign.by_price[row["price"]].update(each)
    return found


def of_campaign(campaign_id: str | None) -> ColumnElement[bool]:
    """Whether a row of the tally is a campaign's, or anyone's; so asked, it is read as it is stored."""
    cells = select(cell.c.id)
    return tally.c.cell_id.in_(
        cells if campaign_id is None else cells.where(cell.c.campaign_id == campaign_id)
    )
