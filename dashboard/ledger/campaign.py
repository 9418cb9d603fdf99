"""One campaign as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Self

import pandas as pd
from sqlalchemy import Connection, select

from dashboard.errors import UnknownCampaignError
from dashboard.ledger.database import schema
from dashboard.ledger.database.locks import campaign_row
from dashboard.ledger.database.states import CampaignState
from dashboard.words import _


@dataclass(frozen=True, slots=True)
class Campaign:
    """A row of `Ledger.campaigns()`; declared.py says what each attribute means. Missing values are None.

    Example:
        >>> ledger.campaign("Christmas").delivered
        849
    """

    campaign: str
    name: str
    state: CampaignState
    reason: str | None
    recipients: int
    ready: int
    sending: int
    accepted: int
    rejected: int
    unknown: int
    abandoned: int
    cancelled: int
    dropped: int
    sent: int
    delivered: int
    failed: int
    credits_low: int
    credits_high: int
    credits_billed: int
    price_per_credit: Decimal | None
    cost_low: Decimal | None
    cost_high: Decimal | None
    cost_billed: Decimal | None
    credits_without_price: int
    currency: str
    source: str | None
    created_at: datetime
    scheduled_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    sender: str | None = None
    shorten_links: bool = True
    service: str | None = None
    forgotten_at: datetime | None = None

    @classmethod
    def of_rows(cls, campaigns: pd.DataFrame) -> list[Self]:
        """The rows of a frame of campaigns, in order; read column by column, because a row costs 15 ms."""
        if campaigns.empty:
            return []
        columns = {
            str(name): map(_plain, column.astype(object).where(column.notna(), None))
            for name, column in campaigns.items()
        }
        return [
            cls(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True)
        ]


def _plain(value: object) -> Any:
    return value.to_pydatetime() if isinstance(value, pd.Timestamp) else value


def campaign_called(connection: Connection, called: str) -> Any:
    """The row of the campaign with this id, or else of the only one with this name. For reading.

    Raises:
        UnknownCampaignError: There is none, or several have this name.
    """
    table = schema.campaign
    if found := connection.execute(select(table).where(table.c.id == called)).one_or_none():
        return found
    named = connection.execute(select(table.c.id).where(table.c.name == called).limit(2)).scalars().all()
    if len(named) > 1:
        raise UnknownCampaignError(
            _(
                "Several campaigns have this name. Give the id of one of them, from the column campaign of "
                "campaigns()."
            )
        )
    return campaign_row(connection, named[0] if named else called)
