"""Conditions on columns, in words."""

from __future__ import annotations

from datetime import date

from dashboard.app.audience import DraftCondition
from dashboard.words import N_, _, day_of_year

TESTS = {
    "is": N_("is"),
    "is_not": N_("is not"),
    "one_of": N_("is one of"),
    "none_of": N_("is none of"),
    "contains": N_("contains"),
    "contains_not": N_("does not contain"),
    "before": N_("is before"),
    "after": N_("is after"),
    "less": N_("is less than"),
    "more": N_("is more than"),
    "blank": N_("is blank"),
    "not_blank": N_("is not blank"),
}
DATES = ("before", "after")


def condition_words(one: DraftCondition) -> str:
    """A condition as a sentence has it: `City is one of York, Leeds`."""
    values = [_written(value) for value in one.values] if one.test in DATES else list(one.values)
    test = _(TESTS[one.test]) if one.test in TESTS else one.test
    return " ".join([one.column, test, *([", ".join(values)] if values else [])])


def _written(day: str) -> str:
    try:
        return day_of_year(date.fromisoformat(day))
    except ValueError:
        return day
