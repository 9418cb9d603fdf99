"""What the person looking may start alone, and which campaigns wait for whose approval."""

from __future__ import annotations

from collections.abc import Collection

from dashboard.app import runtime
from dashboard.app.people import Person, signed_in
from dashboard.ledger import Asked


def alone_up_to() -> int | None:
    """How many messages somebody may start within a day; None for any number.

    Where nobody has to sign in there is nobody else who could be asked.
    """
    app = runtime.current()
    return None if app.desk is None else app.settings.approve_above


def needs_approval(messages: int) -> bool:
    """Whether somebody else would have to approve so many messages of the person looking, as of now."""
    above = alone_up_to()
    return above is not None and runtime.current().ledger.approvals.alone(signed_in().name) + messages > above


def asked_for(campaigns: Collection[str]) -> dict[str, Asked]:
    """Those of these campaigns that wait for an approval, and who asked for it."""
    return {} if alone_up_to() is None else runtime.current().ledger.approvals.asked(campaigns)


def may_approve(person: Person, asked: Asked) -> bool:
    """Whether somebody may give this approval."""
    return person.may("approver") and person.name not in asked.who
