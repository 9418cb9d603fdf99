"""What values of columns say of people, and the values themselves, in words."""

from __future__ import annotations

from dashboard.contacts.columns.questions import DATE, OTHERS, REFUSALS
from dashboard.words import N_, _

MEANINGS = {"may": N_("May be texted"), "must_not": N_("Must not"), "nothing": N_("Says nothing")}
"""The answers to a question, by what `ColumnMap.answers` calls them."""

_LONGEST = 40


def value_in_words(value: str) -> str:
    """A value as a question shows it; a long one without its end."""
    if value in {DATE, OTHERS, REFUSALS}:
        return _(value)
    return f"{value[:_LONGEST]}…" if len(value) > _LONGEST else value or _("(empty)")
