"""A sender by itself, on any service that a test makes."""

from __future__ import annotations

from collections.abc import Callable

from dashboard.ledger import Ledger
from dashboard.sending.outcomes import Rules
from dashboard.sending.sender import BulkService, Sender


def sender(
    ledger: Ledger, service: BulkService, *, places: int = 2, **options: Callable[[], float]
) -> Sender:
    """One that may claim."""
    made = Sender(ledger.outbox, service, places=places, rules=Rules(), **options)
    made.owner = ledger.outbox.register(0)
    return made


def send(walker: Sender, *campaigns: str) -> str:
    """Walk over these campaigns until something ends it; returns what."""
    walker.serve(campaigns)
    return walker.walk()


def walk(ledger: Ledger, campaign: str, service: BulkService) -> str:
    """The same, by a sender of its own."""
    return send(sender(ledger, service), campaign)
