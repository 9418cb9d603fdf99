"""The notebook API: clean contacts, write messages, estimate, send, follow up.

Names load on first use, so `import dashboard.contacts` brings neither Streamlit, nor SQL, nor HTTP.

Example:
    >>> import dashboard as d
    >>> sheet = d.read_sheet("data/contacts.xlsx")
    >>> contacts = d.clean_contacts(sheet, country="GB")
    >>> messages = d.write_messages(contacts, "Hi {{first_name|there}}!", campaign="Spring")
    >>> d.estimate_credits(messages)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dashboard.campaigns import (
        Estimate,
        Hours,
        LinkLength,
        Schedule,
        TextingHours,
        Variant,
        count_credits,
        estimate_credits,
        learn_link_length,
        read_prices,
        write_messages,
    )
    from dashboard.contacts import (
        TEXTABLE,
        ColumnMap,
        ContactList,
        Sheet,
        clean_contacts,
        clean_phones,
        guess_columns,
        read_sheet,
    )
    from dashboard.errors import DashboardError, MessageTooLongError, SheetError
    from dashboard.ledger import Ledger
    from dashboard.reports import campaign_summary, cost_by_campaign, failure_reasons, figures, reconcile
    from dashboard.service import Message, NumberCheck, OutgoingMessage, SmsService

__version__ = "0.1.0"

_ROOM_OF = {
    "TEXTABLE": "contacts",
    "ColumnMap": "contacts",
    "ContactList": "contacts",
    "DashboardError": "errors",
    "Estimate": "campaigns",
    "Hours": "campaigns",
    "Ledger": "ledger",
    "LinkLength": "campaigns",
    "Message": "service",
    "MessageTooLongError": "errors",
    "NumberCheck": "service",
    "OutgoingMessage": "service",
    "Schedule": "campaigns",
    "Sheet": "contacts",
    "SheetError": "errors",
    "SmsService": "service",
    "TextingHours": "campaigns",
    "Variant": "campaigns",
    "campaign_summary": "reports",
    "clean_contacts": "contacts",
    "clean_phones": "contacts",
    "cost_by_campaign": "reports",
    "count_credits": "campaigns",
    "estimate_credits": "campaigns",
    "failure_reasons": "reports",
    "figures": "reports",
    "guess_columns": "contacts",
    "learn_link_length": "campaigns",
    "read_prices": "campaigns",
    "read_sheet": "contacts",
    "reconcile": "reports",
    "write_messages": "campaigns",
}

__all__ = [
    "TEXTABLE",
    "ColumnMap",
    "ContactList",
    "DashboardError",
    "Estimate",
    "Hours",
    "Ledger",
    "LinkLength",
    "Message",
    "MessageTooLongError",
    "NumberCheck",
    "OutgoingMessage",
    "Schedule",
    "Sheet",
    "SheetError",
    "SmsService",
    "TextingHours",
    "Variant",
    "campaign_summary",
    "clean_contacts",
    "clean_phones",
    "cost_by_campaign",
    "count_credits",
    "estimate_credits",
    "failure_reasons",
    "figures",
    "guess_columns",
    "learn_link_length",
    "read_prices",
    "read_sheet",
    "reconcile",
    "write_messages",
]


def __getattr__(name: str) -> Any:
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module 'dashboard' has no attribute {name!r}")
    if name == "figures":
        return import_module("dashboard.reports.figures")
    return getattr(import_module(f"dashboard.{room}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
