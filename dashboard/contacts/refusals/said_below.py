"""What a cell says against texting: the role of its column × its answer → a problem, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.questions import MAY, MUST_NOT, NOTHING, meaning_of, value_of
from dashboard.contacts.columns.roles import finer
from dashboard.contacts.columns.rules import FIELDS, ROLES, Role
from dashboard.contacts.problems import Problem
from dashboard.contacts.words.answers import Answer, answer
from dashboard.contacts.words.spelling import joined
from dashboard.contacts.words.title import read_title

__all__ = ["MATRIX", "OF_ROLES", "said_below"]

Judge = Callable[[str], Problem | None]
OF_ROLES = {
    Role.CONSENT: (Problem.NO_CONSENT, Problem.CONSENT_UNCLEAR),
    Role.CONSENT_DATE: (Problem.NO_CONSENT, Problem.CONSENT_UNCLEAR),
    Role.REFUSAL: (Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR),
    Role.TEXTS_STATUS: (Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR),
    Role.STATUS: (Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR),
    Role.PREFERENCE: (Problem.NO_CONSENT, Problem.OTHER_CHANNEL_PREFERRED),
    Role.DOUBT: (Problem.OPTED_OUT, Problem.REFUSAL_NOTED),
    Role.LIKELY_REFUSAL: (Problem.OPTED_OUT, Problem.REFUSAL_NOTED),
    Role.WRONG_NUMBER: (Problem.OPTED_OUT, Problem.NUMBER_DOUBTED),
}
"""The problem of a cell that refuses, and of one that is asked."""
MATRIX: Mapping[Answer, str] = {
    #                  CONSENT CONSENT_DATE REFUSAL TEXTS_STATUS STATUS PREFERENCE DOUBT LIKELY  WRONG
    Answer.YES:       "-       -            no      -            -      -          ask   ask     ask",
    Answer.YES_BUT:   "ask     ask          no      ask          ask    ask        ask   ask     ask",
    Answer.NO:        "no      no           -       no           no     no         -     -       -",
    Answer.NO_BUT:    "no      no           ask     no           no     ask        -     ask     ask",
    Answer.UNCLEAR:   "ask     ask          ask     ask          ask    ask        -     ask     ask",
    Answer.OUT:       "no      no           no      no           no     no         ask   ask     ask",
    Answer.NOT_OUT:   "ask     ask          -       ask          ask    ask        -     -       -",
    Answer.IN:        "-       -            ask     -            -      -          ask   ask     ask",
    Answer.OFF:       "no      no           ask     no           ask    ask        ask   ask     ask",
    Answer.ENDED:     "no      no           no      no           ask    ask        ask   ask     ask",
    Answer.BLANK:     "ask     ask          -       -            -      -          -     -       -",
    Answer.DATE:      "ask     -            no      ask          -      ask        ask   ask     ask",
    Answer.DAY:       "ask     ask          no      ask          -      ask        ask   ask     ask",
    Answer.FIGURES:   "ask     ask          no      ask          -      ask        -     ask     ask",
    Answer.TEXTS:     "-       -            no      ask          -      -          -     ask     ask",
    Answer.TEXTS_BUT: "ask     ask          no      ask          -      -          -     ask     ask",
    Answer.TEXTS_AMID: "ask    ask          no      ask          -      ask        -     ask     ask",
    Answer.OTHERS:    "other   other        ask     ask          -      ask        -     ask     -",
    Answer.ANY:       "ask     ask          no      ask          -      -          -     ask     -",
    Answer.OTHER:     "ask     ask          no      ask          -      ask        -     ask     -",
}  # fmt: skip
"""What an answer says below each role: no, nothing against texting, or what has to be asked."""
_PROBLEMS = {
    (role, said): {"no": no, "ask": ask, "other": Problem.OTHER_CHANNEL_PREFERRED, "-": None}[word]
    for said, line in MATRIX.items()
    for (role, (no, ask)), word in zip(OF_ROLES.items(), line.split(), strict=True)
}
_TICKED = {Role.CONSENT, Role.CONSENT_DATE, Role.REFUSAL}
"""Where a cell that repeats the title is a yes: so forms write that their box is ticked."""


def said_below(columns: ColumnMap) -> Iterator[tuple[str, Judge]]:
    """The columns whose cells may say something against texting, each with what a cell of it means.

    A column that both agrees and refuses is a question that nobody has answered.

    Args:
        columns: Which columns hold what.
    """
    both = {*columns.consents} & {*columns.opt_outs}
    for role in filter(ROLES.__contains__, OF_ROLES):
        for column in (one for one in getattr(columns, FIELDS[role]) if one not in both):
            yield column, partial(_meant, finer(role, read_title(column)), joined(column))
    for column in _newsletters(columns):
        yield column, lambda cell: Problem.NEWSLETTER_ONLY if cell else None
    asked = {question.column: question.values for question in columns.questions}
    for column in {**asked, **columns.answers, **dict.fromkeys(both)}:
        yield column, partial(_answered, columns.answers.get(column, {}), asked.get(column, {}))


def _meant(role: Role, title: str, cell: str) -> Problem | None:
    """What a cell means below a title."""
    problem = _PROBLEMS[role, answer(cell)]
    is_ticked = problem is Problem.CONSENT_UNCLEAR and role in _TICKED and joined(cell) == title
    return _PROBLEMS[role, Answer.YES] if is_ticked else problem


def _answered(meanings: Mapping[str, str], asked: Collection[str], cell: str) -> Problem | None:
    """What a value means by what a person said; it waits where nobody has said anything of it."""
    value = value_of(cell)
    meaning = meanings.get(value) if value in asked else meaning_of(value, meanings)
    if meaning == MUST_NOT:
        return Problem.OPTED_OUT
    return Problem.COLUMN_UNANSWERED if meaning is None else None


def _newsletters(columns: ColumnMap) -> list[str]:
    """The columns of newsletters, if nothing in the sheet was asked about texts."""
    agreed = any(
        MAY in meanings.values() and NOTHING not in meanings.values()  # then everybody was asked
        for meanings in columns.answers.values()
    )
    if columns.consents or columns.opt_outs or columns.statuses or columns.preferences or agreed:
        return []
    return [name for name in columns.other_channels if read_title(name).says("header_newsletter")]
