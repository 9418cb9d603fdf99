"""A sender by itself, on any service that a test makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fixtures_ledger import message_object

from dashboard.ledger import Ledger
from dashboard.sending.outcomes import Rules
from dashboard.sending.sender import BulkService, Sender
from dashboard.service import Message, OutgoingMessage


class Service:
    """A service that takes everything and says this of it; `before` is what happens just before it does."""

    def __init__(self, before: Callable[[], object] = lambda: None, **said: object) -> None:
        self.before, self.said = before, said
        self.taken: list[str] = []

    def send_bulk(self, messages: Sequence[OutgoingMessage]) -> list[Message]:
        self.before()
        self.taken += [message.uuid or "" for message in messages]
        return [message_object(message.uuid or "", **self.said) for message in messages]


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
