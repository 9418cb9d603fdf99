"""The notebook API: clean contacts, write messages, estimate, send, follow up.

Names load on first use, so `import dashboard.contacts` loads neither Streamlit, nor SQL, nor HTTP.

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

from dashboard.lazily import on_first_use

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
    from dashboard.reports import (
        bills,
        campaign_summary,
        compare,
        compare_rates,
        cost_by,
        cost_by_campaign,
        delivery_rates,
        failure_reasons,
        figures,
        join_by_phone,
        monthly_statement,
        read_reports,
        reconcile,
        replay,
        time_to_delivery,
        trends,
        write_statement,
    )
    from dashboard.service import Message, NumberCheck, OutgoingMessage, SmsService

__version__ = "0.1.0"

_ROOM_OF = {
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
    "TEXTABLE": "contacts",
    "TextingHours": "campaigns",
    "Variant": "campaigns",
    "bills": "reports",
    "campaign_summary": "reports",
    "clean_contacts": "contacts",
    "clean_phones": "contacts",
    "compare": "reports",
    "compare_rates": "reports",
    "cost_by": "reports",
    "cost_by_campaign": "reports",
    "count_credits": "campaigns",
    "delivery_rates": "reports",
    "estimate_credits": "campaigns",
    "failure_reasons": "reports",
    "guess_columns": "contacts",
    "join_by_phone": "reports",
    "learn_link_length": "campaigns",
    "monthly_statement": "reports",
    "read_prices": "campaigns",
    "read_reports": "reports",
    "read_sheet": "contacts",
    "reconcile": "reports",
    "replay": "reports",
    "time_to_delivery": "reports",
    "trends": "reports",
    "write_messages": "campaigns",
    "write_statement": "reports",
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
    "bills",
    "campaign_summary",
    "clean_contacts",
    "clean_phones",
    "compare",
    "compare_rates",
    "cost_by",
    "cost_by_campaign",
    "count_credits",
    "delivery_rates",
    "estimate_credits",
    "failure_reasons",
    "figures",
    "guess_columns",
    "join_by_phone",
    "learn_link_length",
    "monthly_statement",
    "read_prices",
    "read_reports",
    "read_sheet",
    "reconcile",
    "replay",
    "time_to_delivery",
    "trends",
    "write_messages",
    "write_statement",
]


_attribute = on_first_use(__name__, _ROOM_OF)


def __getattr__(name: str) -> Any:
    return import_module("dashboard.reports.figures") if name == "figures" else _attribute(name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
