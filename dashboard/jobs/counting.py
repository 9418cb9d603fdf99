"""A ledger's messages, counted for pages and commands."""

from __future__ import annotations

from datetime import datetime

import pandas as pd

from dashboard.ledger import Ledger
from dashboard.reports import counts, course

_COUNTED = (
    *("campaign", "cause", "state", "failure_reason", "credits_low", "credits_high", "credits_billed"),
    *("price_per_credit", "handed_over_at", "scheduled_at", "sent_at", "delivered_at", "country"),
    *("line_type", "variant"),
)
_TIMED = ("campaign", "state", "failure_reason", "failed_at", "scheduled_at", "sent_at", "delivered_at")


def counted(
    ledger: Ledger,
    campaign: str | None = None,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> pd.DataFrame:
    """The COUNTS of one campaign or of all, of what was handed over in a span of time or of everything."""
    messages = ledger.messages(campaign, columns=_COUNTED, since=since, until=until)
    return counts(messages, campaigns=ledger.campaigns())


def happened(ledger: Ledger, campaign: str) -> pd.DataFrame:
    """The COURSE of one campaign."""
    return course(ledger.messages(campaign, columns=_TIMED), campaigns=ledger.campaigns())
