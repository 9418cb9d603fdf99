"""Caps on credits, checked in the transaction that makes a campaign: two tabs cannot both fit below."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, func, select

from dashboard.campaigns import check_caps
from dashboard.errors import CampaignError
from dashboard.ledger import schema
from dashboard.ledger.states import UNFINISHED

_TAKEN = ("sending", "accepted", "unknown")


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that may be spent.

    Attributes:
        per_campaign: Credits of one campaign; None for no cap.
        per_day: Credits of all campaigns of a day; None for no cap.
        day_from, day_to: When that day begins and ends, aware.
    """

    per_campaign: int | None
    per_day: int | None
    day_from: datetime
    day_to: datetime

    def check(self, connection: Connection, credits_high: int) -> None:
        """Refuse a campaign that may cost too much.

        Raises:
            CampaignError: It may; the sentence says by how much.
        """
        used = credits_between(connection, self.day_from, self.day_to)
        verdict = check_caps(
            credits_high, used_today=used, per_campaign=self.per_campaign, per_day=self.per_day
        )
        if not verdict.allowed:
            raise CampaignError(verdict.sentence)


def credits_between(connection: Connection, start: datetime, end: datetime) -> int:
    """Credits, at most, of what was handed over from `start` to `end`, or is ready to be until then."""
    batch, campaign = schema.batch, schema.campaign
    taken = batch.c.state.in_(_TAKEN) & (batch.c.claimed_at >= start) & (batch.c.claimed_at < end)
    due_at = func.coalesce(batch.c.due_at, campaign.c.scheduled_at, campaign.c.created_at)
    waiting = (batch.c.state == "ready") & campaign.c.state.in_(UNFINISHED) & (due_at < end)
    billed = case((batch.c.accepted == batch.c.messages, batch.c.credits_billed), else_=0)
    credits_ = case((billed > 0, billed), else_=batch.c.credits_high)
    query = (
        select(func.coalesce(func.sum(credits_), 0))
        .join(campaign, campaign.c.id == batch.c.campaign_id)
        .where(taken | waiting)
    )
    return int(connection.execute(query).scalar_one())
