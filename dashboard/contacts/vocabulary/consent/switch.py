"""Opt-out columns that name what keeps texts away, and cells that say whether it is on: "DND: Active".

There "active" refuses and "disabled" does not, the reverse of what they say below "Subscription status".
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from dashboard.contacts.vocabulary.consent.answers import (
    agreed_on,
    is_nothing_but,
    says_in,
    says_out,
    says_yes,
)
from dashboard.contacts.vocabulary.consent.refusal import Refusal, refusal_in
from dashboard.contacts.vocabulary.known_words.lexicon import words
from dashboard.contacts.vocabulary.known_words.spelling import normalise
from dashboard.contacts.vocabulary.known_words.title import read_title

__all__ = ["says_out_below"]


class _Kind(Enum):
    """What a header makes of words such as "active"."""

    SWITCH = "a measure that is on or off: DND, do not text, suppression"
    STATUS = "a status of subscriptions: active is the opposite of refused, and not every word is either"
    LEAVING = "leaving a list: of an opt-out nobody knows what is active, it or the subscription"
    OTHER = "anything else"


def says_out_below(header: str, cell: str) -> bool | None:
    """What `says_out` says of a cell, where the header may turn it; None where a person has to look.

    Below "Opt in / opt out", whose yes may mean either and which is given as "", "in" is none, and a yes
    leaves it open.

    Example:
        >>> says_out_below("DND", "Active"), says_out_below("DND", "Disabled")
        (True, False)
        >>> says_out_below("SMS subscription status", "Active"), says_out_below("Opted out", "Active")
        (False, None)
    """
    if not header and says_in(cell) is not None:
        return not says_in(cell)
    if not header and (says_yes(cell) or agreed_on(cell)):
        return None
    kind, said = _kind(header), says_out(cell)
    if kind is _Kind.STATUS:
        return _below_status(cell)
    if kind is _Kind.OTHER:
        return said
    for is_on, name in ((True, "switched_on"), (False, "switched_off")):
        if is_nothing_but(cell, name, beside="harmless_texts"):
            return is_on if kind is _Kind.SWITCH else None
    agrees = kind is _Kind.SWITCH and said is False and is_nothing_but(cell, "yes")
    undone = normalise(cell) in read_title(header).words  # "Allow" below "Do not allow phone calls"
    return None if agrees and not undone else said


def _below_status(cell: str) -> bool | None:
    if normalise(cell) in words("not_opted_out"):
        return False
    if refusal_in(cell) is Refusal.SAID:
        return True
    agrees = says_yes(cell)
    return None if agrees is None else not agrees


@lru_cache(maxsize=4_096)
def _kind(header: str) -> _Kind:
    title = read_title(header)
    spelled = {field for field, _ in title.fields}
    if not title.says("header_opt_out", "header_opt_out_weak") and "consent_out" not in spelled:
        return _Kind.STATUS if title.says("header_status") else _Kind.OTHER
    if title.says("switched_off"):  # "Inactive"
        return _Kind.OTHER
    return _Kind.LEAVING if title.says("header_leaving", "header_status", "header_opt_in") else _Kind.SWITCH
