"""`ColumnMap`: which columns of a sheet hold what, what it asks of a person, and what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.columns.questions import (
    Question,
    answer_to,
    frozen_answers,
    not_an_answer,
    question_notes,
    question_of,
    question_table,
)
from dashboard.contacts.columns.rules import FIELDS, ROLES, Role
from dashboard.display import Card
from dashboard.errors import ColumnError
from dashboard.words import _

__all__ = ["MANY", "SINGLE", "ColumnMap"]

_OF_ROLES = {role: FIELDS[role] for role in ROLES if role in FIELDS}


@dataclass(frozen=True)
class ColumnMap:
    """Which columns of a sheet hold what.

    Attributes:
        phones: Columns with phones, in the order in which they are tried for each row.
        country: Column with the row's country, in ISO codes or names.
        consents: Columns whose "yes" means that the person agreed to messages; a "no" in any of them counts.
        opt_outs: Columns whose "yes" means the opposite; a "yes" in any of them counts.
        statuses: Columns such as "Status" in which some cells refuse: those do, and "Customer" says nothing.
        preferences: Columns that say how people like to be reached; anyone who names other ways is for
            review.
        doubts: Columns such as "Refused" or "Removed on", which may be about something else: whoever has a
            yes or a date there is for review.
        wrong_numbers: Columns such as "Wrong number" or "Bounced": so is whoever has a yes or a date there.
        offered: Columns whose cells look like phones, but whose headers do not say that they are the person's
            own: "Coach mobile", "Mother". They are never used unless a person chooses them.
        other_channels: Columns about e-mail or post, a newsletter for instance: they say nothing about texts,
            neither consent nor refusal. If a newsletter is the only thing people were asked about, whoever
            answered is for review.
        questions: Columns of answers, or of dates in some rows, of which nobody has said what they mean: all
            rows wait until `answered` says it.
        answers: What was said, by column: what each value means, "may" (be texted), "must_not" or "nothing".
            A row with a value that is not among them waits.
        first_name: Column with first names, and so on for the next five.
        confidence: How certain a guess is, 0 to 1, by column; 1 for columns set by hand.

    Raises:
        ColumnError: A single text stands where any number of columns may, or something is no text.
        OptionError: An answer has none of the meanings that there are.

    Example:
        >>> by_hand = ColumnMap(phones=("Mobile",), country="Country", opt_outs=("SMS opt out",))
        >>> clean_contacts(sheet, country="GB", columns=by_hand).count("ok")
        1881
    """

    phones: tuple[str, ...] = ()
    country: str | None = None
    consents: tuple[str, ...] = ()
    opt_outs: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    other_channels: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    wrong_numbers: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    first_name: str | None = None
    last_name: str | None = None
    full_name: str | None = None
    email: str | None = None
    timezone: str | None = None
    language: str | None = None
    confidence: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        for name in MANY:
            columns = _texts(getattr(self, name))
            if columns is None:
                raise ColumnError(
                    _(
                        '{field} takes any number of columns. Write them as a tuple: {field}=("Mobile",).'
                    ).format(field=name)
                )
            object.__setattr__(self, name, columns)
        if not all(isinstance(column, str) for column in self.fields.values()):
            raise ColumnError(_("Name a column by its title, as text."))
        if not isinstance(self.questions, Sequence) or not all(
            isinstance(one, Question) for one in self.questions
        ):
            raise ColumnError(_("Questions come from guess_columns. Answer them with answered."))
        used = (*self.phones, *self.telling)
        object.__setattr__(self, "questions", tuple(one for one in self.questions if one.column not in used))
        object.__setattr__(self, "answers", frozen_answers(self.answers))

    @property
    def fields(self) -> Mapping[str, str]:
        """The column of every field that has exactly one: {"first_name": "Vorname"}."""
        named = {name: getattr(self, name) for name in SINGLE}
        return {name: column for name, column in named.items() if column is not None}

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is used, each once."""
        return tuple(dict.fromkeys([*self.phones, *self.telling, *self.fields.values()]))

    @property
    def telling(self) -> tuple[str, ...]:
        """Every column that may say who must not be texted, or not at this number."""
        fields = [name for role, name in _OF_ROLES.items() if role is not Role.OTHER_CHANNEL]
        return tuple(column for name in fields for column in getattr(self, name))

    @property
    def roles(self) -> Mapping[str, Role]:
        """What each column says of texting people; one with two roles is a question."""
        roles: dict[str, Role] = {}
        for role, name in _OF_ROLES.items():
            for column in getattr(self, name):
                roles[column] = Role.QUESTION if column in roles else role
        return roles

    def _repr_html_(self) -> str:
        used = [f"{name}: {', '.join(getattr(self, name))}" for name in MANY if getattr(self, name)]
        used += [f"{name}: {column}" for name, column in self.fields.items()]
        step = 'contacts = d.clean_contacts(sheet, country="GB", columns=columns)'
        answer = f"columns = {answer_to(self.questions)}, then " if self.questions else ""
        return Card(
            "ColumnMap", used, question_table(self.questions), question_notes(self.questions), answer + step
        ).html()

    def with_phones(self, phones: tuple[str, ...]) -> ColumnMap:
        """The same with other phone columns; the guessed ones are then offered."""
        seen = dict.fromkeys([*self.phones, *self.offered])
        return replace(self, phones=phones, offered=tuple(name for name in seen if name not in phones))

    @checks_arguments(answers=None)
    def answered(
        self, answers: Mapping[str, str | Mapping[str, str]], /, *, none_of_these: bool = False
    ) -> ColumnMap:
        """The same with questions answered; any other column may be given a meaning as well.

        Args:
            answers: By column, either what all of it says: "consent" (a yes agrees), "refusal" (a yes
                refuses), "status" (some words refuse), "preference" (how people like to be reached), "doubt"
                (a yes or a date may refuse), "wrong number", "other channel" (of e-mail or post) or
                "nothing"; or what each value means: "may" (be texted), "must_not" or "nothing". Values that
                are left out stay open. "(any other value)" is all that a question does not list; it lets none
                through that may refuse: that takes "(any other that may refuse)", or the value itself.
            none_of_these: Whether all that is then still open says nothing; what may refuse stays open where
                a question does not list all values.

        Raises:
            OptionError: An answer is none of these.

        Example:
            >>> guess_columns(sheet).answered({"Zgoda": "consent", "VIP": "nothing"})
            >>> guess_columns(sheet).answered({"OK?": {"x": "may", "": "must_not"}})
        """
        if not isinstance(answers, Mapping):
            raise not_an_answer()
        columns = self
        for column, answer in answers.items():
            columns = _with_answer(columns, column, answer)
        for question in columns.questions if none_of_these else ():
            column, said = question.column, columns.answers.get(question.column, {})
            columns = _with_answer(columns, column, question.none_of_these(said))
        return columns

    def asking(self, frame: pd.DataFrame) -> ColumnMap:
        """The same with a question for each answered column that has values of which nothing was said.

        "(any other value)" is counted without those that have an answer of their own.

        Args:
            frame: The sheet's cells.
        """
        asked = {question.column: question for question in self.questions}
        for column, meanings in self.answers.items():
            if column in frame and column in asked:
                asked[column] = asked[column].listing(frame[column], meanings)
            elif column in frame:
                asked[column] = question_of(column, frame[column], meanings)
        left = (one.without(self.answers.get(column, {})) for column, one in asked.items())
        return replace(self, questions=tuple(filter(None, left)))


def _with_answer(columns: ColumnMap, column: str, answer: str | Mapping[str, str]) -> ColumnMap:
    """The columns with one that has this meaning, and no other."""
    if not isinstance(answer, Mapping) and (not isinstance(answer, str) or answer not in ROLES):
        raise not_an_answer()
    if not answer:
        return columns
    changed: dict[str, Any] = {
        field: tuple(one for one in getattr(columns, field) if one != column) for field in _OF_ROLES.values()
    }
    answers = {one: meanings for one, meanings in columns.answers.items() if one != column}
    if isinstance(answer, Mapping):
        answers |= frozen_answers({column: {**columns.answers.get(column, {}), **answer}})
    elif answer != Role.NOTHING:
        changed[FIELDS[Role(answer)]] += (column,)
    left = [one if one.column != column else one.without(answers.get(column)) for one in columns.questions]
    return replace(columns, **changed, answers=answers, questions=tuple(one for one in left if one))


def _texts(given: object) -> tuple[str, ...] | None:
    """Several texts as a tuple; None for anything else, a single text as well."""
    several = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (None,)
    texts = tuple(one for one in several if isinstance(one, str))
    return texts if len(texts) == len(several) else None


MANY = ("phones", *_OF_ROLES.values(), "offered")
"""The fields that have any number of columns."""
SINGLE = tuple(
    f.name for f in fields(ColumnMap) if f.name not in {*MANY, "questions", "answers", "confidence"}
)
"""Those that have at most one."""
