"""What a cell says against texting: the kind of its column × its answer → a problem, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.questions import MAY, MUST_NOT, NOTHING, value_of
from dashboard.contacts.problems import Problem
from dashboard.contacts.vocabulary.consent.answers import Answer, answer
from dashboard.contacts.vocabulary.known_words.lexicon import heard
from dashboard.contacts.vocabulary.known_words.spelling import joined
from dashboard.contacts.vocabulary.known_words.title import read_title

__all__ = ["MATRIX", "Kind", "said_below"]

Judge = Callable[[str], Problem | None]


class Kind(Enum):
    """A kind of column: what it holds, and the problem of a cell that refuses and of one that is asked."""

    CONSENT = "Consent", Problem.NO_CONSENT, Problem.CONSENT_UNCLEAR
    CONSENT_DATE = "When somebody agreed", Problem.NO_CONSENT, Problem.CONSENT_UNCLEAR
    REFUSAL = "Refusal", Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR
    EITHER = "One or the other: “Opt in / opt out”", Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR
    TEXTS_STATUS = "Status of texts", Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR
    STATUS = "Another status", Problem.OPTED_OUT, Problem.CONSENT_UNCLEAR
    PREFERENCE = "Preferred contact", Problem.NO_CONSENT, Problem.OTHER_CHANNEL_PREFERRED
    DOUBT = "Perhaps a refusal: “Removed on”", Problem.OPTED_OUT, Problem.REFUSAL_NOTED
    REFUSED = "Perhaps a refusal, first: “Refused”", Problem.OPTED_OUT, Problem.REFUSAL_NOTED
    WRONG_NUMBER = "Wrong number", Problem.OPTED_OUT, Problem.NUMBER_DOUBTED


MATRIX: Mapping[Answer, str] = {
    #                  CONSENT CONSENT_DATE REFUSAL EITHER TEXTS_STATUS STATUS PREFERENCE DOUBT REFUSED WRONG
    Answer.YES:       "-       -            no      ask    -            -      -          ask   ask     ask",
    Answer.YES_BUT:   "ask     ask          no      ask    ask          ask    ask        ask   ask     ask",
    Answer.NO:        "no      no           -       ask    no           no     no         -     -       -",
    Answer.NO_BUT:    "no      no           ask     ask    no           no     ask        -     ask     ask",
    Answer.UNCLEAR:   "ask     ask          ask     ask    ask          ask    ask        -     ask     ask",
    Answer.OUT:       "no      no           no      no     no           no     no         ask   ask     ask",
    Answer.NOT_OUT:   "ask     ask          -       ask    ask          ask    ask        -     -       -",
    Answer.IN:        "-       -            ask     ask    -            -      -          ask   ask     ask",
    Answer.OFF:       "no      no           ask     ask    no           ask    ask        ask   ask     ask",
    Answer.ENDED:     "no      no           no      ask    no           ask    ask        ask   ask     ask",
    Answer.BLANK:     "ask     ask          -       ask    -            -      -          -     -       -",
    Answer.DATE:      "ask     -            no      ask    ask          -      ask        ask   ask     ask",
    Answer.DAY:       "ask     ask          no      ask    ask          -      ask        ask   ask     ask",
    Answer.FIGURES:   "ask     ask          no      ask    ask          -      ask        -     ask     ask",
    Answer.TEXTS:     "-       -            no      ask    ask          -      -          -     ask     ask",
    Answer.TEXTS_BUT: "ask     ask          no      ask    ask          -      -          -     ask     ask",
    Answer.OTHERS:    "other   other        ask     ask    ask          -      ask        -     ask     -",
    Answer.ANY:       "ask     ask          no      ask    ask          -      -          -     ask     -",
    Answer.OTHER:     "ask     ask          no      ask    ask          -      ask        -     ask     -",
}  # fmt: skip
"""What an answer says below each kind of column: no, nothing against texting, or what has to be asked."""
_PROBLEMS = {
    (kind, said): {"no": no, "ask": ask, "other": Problem.OTHER_CHANNEL_PREFERRED, "-": None}[word]
    for said, line in MATRIX.items()
    for kind, word in zip(Kind, line.split(), strict=True)
    for _, no, ask in [kind.value]
}
_TICKED = {Kind.CONSENT, Kind.CONSENT_DATE, Kind.REFUSAL}
"""Where a cell that repeats the title is a yes: so forms write that their box is ticked."""


def said_below(columns: ColumnMap) -> Iterator[tuple[str, Judge]]:
    """The columns whose cells may say something against texting, each with what a cell of it means.

    Args:
        columns: Which columns hold what.
    """
    for kind, column in _kinds(columns):
        yield column, partial(_meant, kind, joined(column))
    for column in _newsletters(columns):
        yield column, lambda cell: Problem.NEWSLETTER_ONLY if cell else None
    asked = [question.column for question in columns.questions]
    for column in dict.fromkeys([*asked, *columns.answers]):
        yield column, partial(_answered, columns.answers.get(column, {}))


def _kinds(columns: ColumnMap) -> Iterator[tuple[Kind, str]]:
    for column in dict.fromkeys([*columns.consents, *columns.opt_outs]):
        if column in columns.consents and column in columns.opt_outs:
            yield Kind.EITHER, column
        elif column in columns.consents:
            yield Kind.CONSENT_DATE if _names_a_date(column) else Kind.CONSENT, column
        else:
            yield Kind.TEXTS_STATUS if _is_status(column) else Kind.REFUSAL, column
    for column in columns.doubts:
        yield Kind.REFUSED if _names_who_left(column) else Kind.DOUBT, column
    others = {
        Kind.STATUS: columns.statuses,
        Kind.PREFERENCE: columns.preferences,
        Kind.WRONG_NUMBER: columns.wrong_numbers,
    }
    yield from ((kind, column) for kind, named in others.items() for column in named)


def _meant(kind: Kind, title: str, cell: str) -> Problem | None:
    """What a cell means below a title."""
    problem = _PROBLEMS[kind, answer(cell)]
    is_ticked = problem is Problem.CONSENT_UNCLEAR and kind in _TICKED and joined(cell) == title
    return _PROBLEMS[kind, Answer.YES] if is_ticked else problem


def _answered(meanings: Mapping[str, str], cell: str) -> Problem | None:
    """What a value means by what a person said; it waits where nobody has said anything of it."""
    meaning = meanings.get(value_of(cell))
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


def _names_a_date(column: str) -> bool:
    """Whether a consent column's name says that it holds the date of agreement: "Opt-in date"."""
    title = read_title(column)
    return bool(title.says("header_when")) and not title.says("header_opt_out", "refused")


def _is_status(column: str) -> bool:
    """Whether a column named as a status says who gets texts, and not who refused: "SMS status"."""
    title = read_title(column)
    refuses = title.says("header_opt_out", "header_opt_out_weak") or "consent_out" in dict(title.fields)
    return bool(title.says("header_status")) and not refuses


def _names_who_left(column: str) -> bool:
    """Whether any words below a title may refuse: it begins with a refusal, or says when."""
    title = read_title(column)
    begins = any(not start for start, _end in title.places(title.says("title_refused")))
    begins = begins or any(map(title.words[0].startswith, heard("title_refused").stems))
    return begins or bool(title.says("header_when"))
