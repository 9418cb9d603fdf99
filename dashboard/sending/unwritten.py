"""What is recorded instead of an outcome that the ledger's database refuses.

The service has the messages, whatever happens to its words about them. So the words are left out first, then
the figures, and last the fact that they were accepted; the campaign pauses each time and says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dashboard.ledger.outbox.settle import Settlement
from dashboard.service import Message

_WORDS = ("to", "sender", "body", "campaign", "status", "failure_reason")
_FIGURES = ("credits_used", "created_at", "scheduled_at", "sent_at", "delivered_at")


def plainer(settlement: Settlement, kind: str) -> Settlement | None:
    """The same outcome with less in it, after an error of this kind; None if nothing is left to leave out."""
    reason = (
        f"The ledger could not record everything the service answered ({kind}). Who was accepted is kept "
        "where it could be. Report this, with the program's version, then resume the campaign."
    )
    for left_out in (_WORDS, _WORDS + _FIGURES):
        echoed = [_without(message, left_out) for message in settlement.echoed]
        if echoed != list(settlement.echoed):
            return replace(settlement, echoed=echoed, detail=reason, pauses=True)
    if settlement.echoed or settlement.detail != reason:
        return Settlement("unknown", "unknown", settlement.http_status, reason, pauses=True)
    return None


def _without(message: Message, names: tuple[str, ...]) -> Message:
    nothing: dict[str, Any] = dict.fromkeys(names)
    return replace(message, **nothing, extra={}, raw={})
