"""SQL: what happened to every message."""

from __future__ import annotations

from dashboard.ledger.again import sent_before
from dashboard.ledger.campaign import Campaign
from dashboard.ledger.caps import Caps
from dashboard.ledger.columns import SCHEMAS
from dashboard.ledger.gate import Limits
from dashboard.ledger.ledger import Ledger
from dashboard.ledger.lists import SavedList, SavedLists
from dashboard.ledger.reports import ReportResult
from dashboard.ledger.states import CAMPAIGN_STATES, DECISIONS, MESSAGE_STATES

__all__ = [
    "CAMPAIGN_STATES",
    "DECISIONS",
    "MESSAGE_STATES",
    "SCHEMAS",
    "Campaign",
    "Caps",
    "Ledger",
    "Limits",
    "ReportResult",
    "SavedList",
    "SavedLists",
    "sent_before",
]
