"""What a sheet asks of a person: columns whose cells may say who must not be texted, and nobody knows.

Which columns ask is told by the shape of their cells, in whatever language: answers, ticks, or dates that
only some rows have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import filterfalse, islice
from types import MappingProxyType

import numpy as np
import pandas as pd

from dashboard.contacts.arrow.distinct import distinct
from dashboard.contacts.columns.rules import ROLES
from dashboard.contacts.words.answers import REFUSING, Answer, answer, reads_as_answer
from dashboard.contacts.words.dates import is_day_alone, names_day
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.refusal import may_refuse, refusal_in
from dashboard.contacts.words.spelling import joined, normalise
from dashboard.contacts.words.title import Title, read_title
from dashboard.errors import OptionError
from dashboard.words import N_, _, count, plural, quoted

__all__ = [
    "DATE",
    "MAY",
    "MEANINGS",
    "MOST_VALUES",
    "MUST_NOT",
    "NOTHING",
    "OTHERS",
    "REFUSALS",
    "Question",
    "answer_to",
    "frozen_answers",
    "may_say_no",
    "may_tell",
    "meaning_of",
    "not_an_answer",
    "question_notes",
    "question_of",
    "question_table",
    "value_of",
]

DATE = N_("(a date)")
"""The value of every cell that is a date: which day it was makes no difference."""
OTHERS = N_("(any other value)")
"""All values of a column that are neither blank nor asked about or answered by themselves, nor may refuse."""
REFUSALS = N_("(any other that may refuse)")
"""The same of those that may refuse, if they are too many to list."""
_OF_MANY = (REFUSALS, OTHERS)
MEANINGS = MAY, MUST_NOT, NOTHING = ("may", "must_not", "nothing")
"""What a value says of a person: may be texted, must not be, or nothing about that."""

MOST_VALUES = 50
"""So many are listed one by one; of more, a few."""
_FREQUENT, _REFUSING = 5, 20
_MOST_CELLS = 0.5
_NEARLY_ALL = 0.9
"""A date in nearly every row says when somebody was created; one of withdrawal is in few."""
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_TICK = re.compile(r"-?[01](?:\.0)?")
"""A computer's yes and no; "-1" is Access's yes, "1.0" pandas', and "1.00" an amount."""
_SPEAKING = REFUSING | {Answer.BLANK, Answer.DATE, Answer.DAY, Answer.OTHERS}
"""What keeps somebody from being texted below one header or another."""


@dataclass(frozen=True)
class Question:
    """A column of which somebody has to say what its values mean.

    Attributes:
        column: The column.
        values: How many rows have which value, most frequent first; "" is a blank cell, `DATE` any date, and
            `REFUSALS` and `OTHERS`, if there are too many, all that is not listed.
    """

    column: str
    values: Mapping[str, int] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    @property
    def counted(self) -> str:
        """The values with their rows, in words: "Y (2), N (1), (blank) (4)"."""
        blank = _("(blank)")
        return ", ".join(f"{value or blank} ({count(rows)})" for value, rows in self.values.items())

    def without(self, answered: Mapping[str, str] | None) -> Question | None:
        """What is still open once some values are answered, or with None all; None if nothing is."""
        if answered is None:
            return None
        left = {value: n for value, n in self.values.items() if value not in answered}
        if answered.get(OTHERS) == MUST_NOT:
            left.pop(REFUSALS, None)
        return Question(self.column, left) if left else None

    @property
    def lists_all(self) -> bool:
        """Whether no value stands for others."""
        return self.values.keys().isdisjoint(_OF_MANY)

    def listing(self, cells: pd.Series, values: Iterable[str]) -> Question:
        """The question with some more values of these cells listed by themselves, if it does not list all."""
        if self.lists_all or self.values.keys() >= {*values}:
            return self
        return Question(self.column, _counted(_rows_of(cells), (*self.values, *values)))

    def examples(self, cells: pd.Series, most: int) -> dict[str, list[str]]:
        """For each value that stands for others, at most so many of these that the cells have."""
        if self.lists_all:
            return {}
        found = dict.fromkeys(map(value_of, cells.unique()))
        others = [value for value in found if value and value not in self.values]
        those = {REFUSALS: filter(may_say_no, others), OTHERS: filterfalse(may_say_no, others)}
        return {kind: list(islice(those[kind], most)) for kind in _OF_MANY if kind in self.values}

    def none_of_these(self, answered: Mapping[str, str]) -> dict[str, str]:
        """That what is open says nothing; not what may refuse, if the column has more values than are listed.

        Args:
            answered: What was said of the column.
        """
        are_listed = self.lists_all and answered.keys().isdisjoint(_OF_MANY)
        return {value: NOTHING for value in self.values if are_listed or not may_say_no(value)}


def question_of(
    column: str, cells: pd.Series, answered: Mapping[str, str], *, most: int = MOST_VALUES
) -> Question:
    """What is open of a column: of all cells, as texts, which values were not answered.

    If there are more than `most`, a blank, the most frequent ones and those that may refuse are listed, and
    `OTHERS` stands for the rest. If those that may refuse are more than twenty, `REFUSALS` stands for them.
    """
    rows = _rows_of(cells)
    left = {value: n for value, n in rows.most_common() if meaning_of(value, answered) is None}
    if len(left) > most:
        refusing = [value for value in left if may_say_no(value)]
        listed = sorted(left, key=bool)[:_FREQUENT]
        left = _counted(left, (*listed, *refusing) if len(refusing) <= _REFUSING else listed)
    return Question(column, left)


def _rows_of(cells: pd.Series) -> Counter[str]:
    place, words = distinct(cells)
    rows: Counter[str] = Counter()
    for word, cells_so in zip(words, np.bincount(place, minlength=len(words)).tolist(), strict=True):
        rows[value_of(word)] += cells_so
    return rows


def _counted(rows: Mapping[str, int], listed: Iterable[str]) -> dict[str, int]:
    """How many rows have the values that are listed, and how many another."""
    left = {value: rows[value] for value in listed if value in rows}
    others: Counter[str] = Counter()
    for value in rows.keys() - left.keys():
        others[REFUSALS if may_say_no(value) else OTHERS] += rows[value]
    return left | {kind: others[kind] for kind in _OF_MANY if others[kind]}


@lru_cache(maxsize=262_144)
def may_say_no(value: str) -> bool:
    """Whether a value, if not blank, may keep somebody from being texted, by itself or below some header.

    Example:
        >>> [may_say_no(value) for value in ("declined", "(a date)", "n/a", "email only", "Ann Smith")]
        [True, True, True, True, False]
    """
    speaks = value in {DATE, REFUSALS} or reads_as_answer(value) or answer(value) in _SPEAKING
    return bool(value) and (speaks or bool(refusal_in(value)) or may_refuse(value))


def meaning_of(value: str, answered: Mapping[str, str]) -> str | None:
    """What a value was said to mean; what is said of all others frees neither a blank nor what may refuse."""
    if not value or value in answered or answered.keys().isdisjoint(_OF_MANY):
        return answered.get(value)
    if answered.get(OTHERS) == MUST_NOT:
        return MUST_NOT
    return answered.get(REFUSALS if may_say_no(value) else OTHERS)


def question_table(questions: Collection[Question]) -> pd.DataFrame:
    """A row for each question, to be looked at: column, and its values with their rows."""
    return pd.DataFrame([(one.column, one.counted) for one in questions], columns=["column", "values"])


def question_notes(questions: Collection[Question]) -> tuple[str, ...]:
    """That rows wait for answers, in a sentence; none without questions."""
    if not questions:
        return ()
    return (
        plural(
            len(questions),
            "{columns} may say who must not be texted. The rows wait until you say what its values mean.",
            "{columns} may say who must not be texted. The rows wait until you say what their values mean.",
            columns=", ".join(quoted(one.column) for one in questions),
        ),
    )


def answer_to(questions: Collection[Question]) -> str:
    """The line to type: the first question answered for its whole column, as an example."""
    return f'columns.answered({{{next(one.column for one in questions)!r}: "consent"}})'


@lru_cache(maxsize=65_536)
def value_of(cell: str) -> str:
    """The value that a cell has in a question: its text, or `DATE`.

    Example:
        >>> value_of(" Tak "), value_of("2024-05-01"), value_of("")
        ('Tak', '(a date)', '')
    """
    text = cell.strip()
    return DATE if is_day_alone(text) else text


def may_tell(title: Title, sample: Sequence[str], share_filled: float) -> bool:
    """Whether a column's cells may say who must not be texted: answers, dates in some rows, "SMS" or "post".

    Cells that refuse in so many words are heard in whatever column, and numbers are no answers except for 0
    and 1, unless these count something: "Quantity".

    Args:
        title: Its header.
        sample: Distinct cells, not blank.
        share_filled: The share of its rows that are not blank.
    """
    open_ = [value_of(cell) for cell in sample if not refusal_in(cell)]
    if all(map(_NUMBER.fullmatch, open_)):
        return bool(open_) and all(map(_TICK.fullmatch, open_)) and not title.only("header_thing")
    in_or_out = words("said_in", "said_out")
    answers = sum(
        reads_as_answer(cell) or normalise(cell) in in_or_out or joined(cell) == title.key for cell in open_
    )
    dates = sum(value == DATE or names_day(value) for value in open_) if share_filled < _NEARLY_ALL else 0
    if max(answers, dates) >= _MOST_CELLS * len(open_):
        return True
    return len(open_) > 1 and any(one.words and one.only("channel_texts") for one in map(read_title, open_))


def frozen_answers(answers: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """Answers (column, value, meaning) by the values that cells have, as nobody can change them.

    Raises:
        OptionError: Something in them is no text, or a meaning is none of those that there are.
    """
    if not isinstance(answers, Mapping) or not all(map(_are_meanings, answers.values())):
        raise not_an_answer()
    return MappingProxyType({column: _by_value(meanings) for column, meanings in answers.items()})


def _by_value(meanings: Mapping[str, str]) -> Mapping[str, str]:
    """Meanings by the values that cells have; of two for one value, the one that texts fewer counts."""
    found: dict[str, str] = {}
    for value, meaning in meanings.items():
        if found.get(value_of(value)) != MUST_NOT:
            found[value_of(value)] = meaning
    return MappingProxyType(found)


def not_an_answer() -> OptionError:
    """That something is no answer to a question, and what is one."""
    return OptionError(
        _(
            "Answer each column with {roles}, or say what each of its values means: "
            '{{"Consent?": {{"yes": "may", "no": "must_not", "": "nothing"}}}}.'
        ).format(roles=" / ".join(f"'{role}'" for role in ROLES))
    )


def _are_meanings(meanings: object) -> bool:
    return isinstance(meanings, Mapping) and all(
        isinstance(value, str) and meaning in MEANINGS for value, meaning in meanings.items()
    )
