"""Caps on credits, checked in the transaction that makes a campaign, so that two tabs cannot both fit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from dashboard.campaigns import check_caps
from dashboard.errors import CampaignError
from dashboard.ledger.database import schema
from dashboard.ledger.database.states import UNFINISHED
from dashboard.ledger.evidence.usage import FOLLOWING, used_between
from dashboard.ledger.tallies.tables import tally


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that may be spent.

    Attributes:
        per_campaign: Credits of one campaign; None for no cap.
        per_day: Credits of all campaigns of a day; None for no cap.
        day_from, day_to: When that day begins and ends, aware.

    Example:
        >>> day = datetime(2026, 11, 1, tzinfo=UTC)
        >>> Caps(per_campaign=2_000, per_day=5_000, day_from=day, day_to=day + timedelta(days=1))
    """

    per_campaign: int | None
    per_day: int | None
    day_from: datetime
    day_to: datetime

    def check(self, connection: Connection, credits_high: int) -> None:
        """Refuse a campaign that may cost too much.

        Raises:
            CampaignError: It may; the sentence says how much too much.
        """
        used = credits_between(connection, self.day_from, self.day_to)
        verdict = check_caps(
            credits_high, used_today=used, per_campaign=self.per_campaign, per_day=self.per_day
        )
        if not verdict.allowed:
            raise CampaignError(verdict.sentence)


def credits_between(connection: Connection, start: datetime, end: datetime) -> int:
    """The most credits for what was handed over from `start` to `end`, or is ready to be until then."""
    batch, campaign = schema.batch.c, schema.campaign.c
    due_at = func.coalesce(batch.due_at, campaign.started_at, campaign.scheduled_at, campaign.created_at)
    waits = select(func.sum(tally.c.credits_high)).select_from(
        FOLLOWING.join(schema.campaign, campaign.id == batch.campaign_id)
    )
    waiting = waits.where(batch.state == "ready", campaign.state.in_(UNFINISHED), due_at < end)
    return used_between(connection, start, end) + int(connection.execute(waiting).scalar_one() or 0)
