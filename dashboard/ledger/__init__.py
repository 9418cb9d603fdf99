"""SQL: what happened to every message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.lazily import on_first_use

if TYPE_CHECKING:
    from dashboard.ledger.approvals import Approvals, Asked, StartedBy
    from dashboard.ledger.campaign import Campaign
    from dashboard.ledger.column_answers import ColumnAnswers, RememberedAnswer
    from dashboard.ledger.database.states import CAMPAIGN_STATES, DECISIONS, MESSAGE_STATES
    from dashboard.ledger.evidence.reports import ReportResult
    from dashboard.ledger.frames.declared import SCHEMAS
    from dashboard.ledger.freeze.again import is_same, sent_before
    from dashboard.ledger.freeze.caps import Caps
    from dashboard.ledger.freeze.often import TextsPerPerson
    from dashboard.ledger.kept_settings import KeptSettings, SettingChange
    from dashboard.ledger.ledger import Ledger
    from dashboard.ledger.library import Library, SavedText
    from dashboard.ledger.lists import SavedList, SavedLists
    from dashboard.ledger.outbox.gate import Limits
    from dashboard.ledger.people import Listed, People

__all__ = [
    "CAMPAIGN_STATES",
    "DECISIONS",
    "MESSAGE_STATES",
    "SCHEMAS",
    "Approvals",
    "Asked",
    "Campaign",
    "Caps",
    "ColumnAnswers",
    "KeptSettings",
    "Ledger",
    "Library",
    "Limits",
    "Listed",
    "People",
    "RememberedAnswer",
    "ReportResult",
    "SavedList",
    "SavedLists",
    "SavedText",
    "SettingChange",
    "StartedBy",
    "TextsPerPerson",
    "is_same",
    "sent_before",
]

_PLACES = {
    "Approvals": "approvals",
    "Asked": "approvals",
    "CAMPAIGN_STATES": "database.states",
    "Campaign": "campaign",
    "Caps": "freeze.caps",
    "ColumnAnswers": "column_answers",
    "TextsPerPerson": "freeze.often",
    "DECISIONS": "database.states",
    "KeptSettings": "kept_settings",
    "Ledger": "ledger",
    "Library": "library",
    "Limits": "outbox.gate",
    "Listed": "people",
    "People": "people",
    "MESSAGE_STATES": "database.states",
    "ReportResult": "evidence.reports",
    "SCHEMAS": "frames.declared",
    "RememberedAnswer": "column_answers",
    "SavedList": "lists",
    "SavedLists": "lists",
    "SavedText": "library",
    "SettingChange": "kept_settings",
    "StartedBy": "approvals",
    "is_same": "freeze.again",
    "sent_before": "freeze.again",
}

__getattr__ = on_first_use(__name__, _PLACES)
