"""Who is acting, for as long as they do: what the ledger changes meanwhile is told as one thing they did."""

from __future__ import annotations

import getpass
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from dashboard.ledger.audit.verbs import Verb

NOBODY_KNOWN = ""
"""Who did it where nobody can tell, such as a stranger whose sign-in was refused."""


@dataclass
class Act:
    """Something a person does on a page, however many changes it is made of.

    Attributes:
        who: The person.
        verbs: The changes that are told; all of them if None.
        told: Whether its row was written. It has one at most.
    """

    who: str
    verbs: Collection[Verb] | None = None
    told: bool = False

    def takes(self, verb: Verb) -> bool:
        """Whether this change is the one to be told."""
        return not self.told and (self.verbs is None or verb in self.verbs)


_act: ContextVar[Act | None] = ContextVar("act", default=None)


def current() -> Act | None:
    """What is being done now, if a person does it on a page."""
    return _act.get()


@contextmanager
def acting(who: str, verbs: Collection[Verb] | None = None) -> Iterator[Act]:
    """Tell the changes in this block as one row, by this person; within another act they belong to that one.

    Args:
        who: The person, as the trail is to name them.
        verbs: Only these changes are told: the start of a campaign, say, and not also that it was prepared.
    """
    outer = _act.get()
    if outer is not None:
        yield outer
        return
    act = Act(who, verbs)
    before = _act.set(act)
    try:
        yield act
    finally:
        _act.reset(before)


def system_user() -> str:
    """Who runs this process, for what no signed-in person does: a command, a notebook, the server itself."""
    try:
        return f"system:{getpass.getuser()}"
    except (OSError, KeyError):  # a container's user without a name
        return "system"
