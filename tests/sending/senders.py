"""A sender by itself, on any service that a test makes."""

from __future__ import annotations

from collections.abc import Callable

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.claims import Lane
from dashboard.sending.outcomes import Rules
from dashboard.sending.sender import BulkService, Sender


def sender(
    ledger: Ledger, service: BulkService, *, places: int = 2, **options: Callable[[], float]
) -> Sender:
    """One that may claim."""
    made = Sender(ledger.outbox, service, places=places, lanes=2, rules=Rules(), **options)
    made.owner = ledger.outbox.register(0)
    return made


def walk(ledger: Ledger, campaign: str, service: BulkService) -> str:
    """Send a campaign until something ends it; returns what."""
    return sender(ledger, service).walk(Lane(campaign, 0, 1))
