"""What cells below each kind of header say against texting: which problem, in which column and cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.questions import MAY, MUST_NOT, NOTHING, value_of
from dashboard.contacts.problems import Problem
from dashboard.contacts.vocabulary.consent.answers import agreed_on, names_a_date, says_in, says_yes
from dashboard.contacts.vocabulary.consent.doubt import may_refuse_below, speaks_against_number
from dashboard.contacts.vocabulary.consent.standing import (
    agrees_to_texts,
    prefers_another_way,
    status_says,
    wants_no_contact,
)
from dashboard.contacts.vocabulary.consent.switch import says_out_below
from dashboard.contacts.vocabulary.known_words.spelling import joined
from dashboard.contacts.vocabulary.known_words.title import read_title

__all__ = ["Told", "said_below"]


class Told(NamedTuple):
    """A problem that some cells of a column mean: those for which `tells` is true."""

    problem: Problem
    column: str
    tells: Callable[[str], bool]


def said_below(columns: ColumnMap) -> Iterator[Told]:
    """Everything that the cells of these columns may say against texting.

    Args:
        columns: Which columns hold what.
    """
    for column in columns.consents:
        is_both, ticked = column in columns.opt_outs, joined(column)
        neither = partial(_says_neither, dated=names_a_date(column), both=is_both, ticked=ticked)
        yield Told(Problem.NO_CONSENT, column, lambda cell: says_yes(cell) is False)
        yield Told(Problem.CONSENT_UNCLEAR, column, neither)
        yield Told(Problem.OTHER_CHANNEL_PREFERRED, column, _names_other_channels)
    for column in columns.opt_outs:
        header = "" if column in columns.consents else column  # whose "active" may mean one or the other
        yield Told(Problem.OPTED_OUT, column, partial(_refuses, header))
        yield Told(Problem.CONSENT_UNCLEAR, column, partial(_may_refuse, header))
    for column in columns.statuses:
        yield Told(Problem.OPTED_OUT, column, lambda cell: status_says(cell) is False)
        yield Told(Problem.CONSENT_UNCLEAR, column, lambda cell: status_says(cell) is None)
    for column in columns.doubts:
        yield Told(Problem.REFUSAL_NOTED, column, partial(may_refuse_below, column))
    for column in columns.wrong_numbers:
        yield Told(Problem.NUMBER_DOUBTED, column, speaks_against_number)
    for column in _newsletters(columns):
        yield Told(Problem.NEWSLETTER_ONLY, column, bool)
    for column in columns.preferences:
        yield Told(Problem.NO_CONSENT, column, wants_no_contact)
        yield Told(Problem.OTHER_CHANNEL_PREFERRED, column, prefers_another_way)
    yield from _answered(columns)


def _answered(columns: ColumnMap) -> Iterator[Told]:
    """What values mean by what a person said, and those of which nobody has said anything."""
    asked = [question.column for question in columns.questions]
    for column in dict.fromkeys([*asked, *columns.answers]):
        meanings = columns.answers.get(column, {})
        yield Told(Problem.OPTED_OUT, column, partial(_must_not, meanings))
        yield Told(Problem.COLUMN_UNANSWERED, column, partial(_is_open, meanings))


def _newsletters(columns: ColumnMap) -> list[str]:
    """The columns of newsletters, if nothing in the sheet was asked about texts."""
    agreed = any(
        MAY in meanings.values() and NOTHING not in meanings.values()  # then everybody was asked
        for meanings in columns.answers.values()
    )
    if columns.consents or columns.opt_outs or columns.statuses or columns.preferences or agreed:
        return []
    return [name for name in columns.other_channels if read_title(name).says("header_newsletter")]


def _must_not(meanings: Mapping[str, str], cell: str) -> bool:
    return meanings.get(value_of(cell)) == MUST_NOT


def _is_open(meanings: Mapping[str, str], cell: str) -> bool:
    """Whether nobody has said what a cell means."""
    return not meanings or value_of(cell) not in meanings


def _refuses(header: str, cell: str) -> bool:
    """Whether a cell below an opt-out header does; a list of channels without texts says nothing of them."""
    return says_out_below(header, cell) is True and agrees_to_texts(cell) is not False


def _may_refuse(header: str, cell: str) -> bool:
    said = says_out_below(header, cell)
    return said is None or (said and agrees_to_texts(cell) is False)


def _says_neither(cell: str, *, dated: bool, both: bool, ticked: str) -> bool:
    """A date is a yes if the column says when people agreed, and not understood elsewhere.

    So is the header itself, `ticked`, as forms repeat it where its box is ticked.
    """
    if both and says_in(cell) is not None:
        return False
    is_understood = (dated and agreed_on(cell)) or agrees_to_texts(cell) is not None
    return says_yes(cell) is None and not is_understood and joined(cell) != ticked


def _names_other_channels(cell: str) -> bool:
    """A list of channels without texts says what the person agreed to; it is no refusal."""
    return says_yes(cell) is None and agrees_to_texts(cell) is False
