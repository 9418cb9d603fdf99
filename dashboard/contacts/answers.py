"""Yes and no in consent and opt-out columns, as exports and people write them."""

from __future__ import annotations

from dashboard.contacts.spelling import normalise
from dashboard.contacts.vocabulary import words

__all__ = ["opted_out", "reads_as_answer", "says_yes"]


def says_yes(cell: str) -> bool | None:
    """Whether a consent cell says yes; None when it says neither yes nor no.

    Example:
        >>> says_yes("Ja"), says_yes("declined"), says_yes("maybe")
        (True, False, None)
    """
    word = normalise(cell)
    if word in words("yes"):
        return True
    return False if word in words("no") | words("refused") else None


def reads_as_answer(cell: str) -> bool:
    """Whether a cell is a yes or a no at all."""
    return says_yes(cell) is not None


def opted_out(cell: str) -> bool:
    """Whether an opt-out cell means that the person opted out: anything but a no does, a date included."""
    word = normalise(cell)
    return word not in words("not_opted_out") | words("no")
