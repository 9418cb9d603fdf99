"""Which column is which: by the header's spelling, then by its words, then by what the cells look like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.columns.calls import without_consent_to_calls
from dashboard.contacts.columns.claims import Claim, Column, claims_of
from dashboard.contacts.columns.neighbours import lines_of_others
from dashboard.contacts.columns.phone_title import Phones, phones_by_title
from dashboard.contacts.columns.questions import (
    ROLES,
    Question,
    frozen_answers,
    not_an_answer,
    question_of,
)
from dashboard.contacts.read.column_names import without_count
from dashboard.contacts.read.sheet import Sheet, sheet_of_frame
from dashboard.contacts.vocabulary.known_words.lexicon import words
from dashboard.contacts.vocabulary.known_words.spelling import joined
from dashboard.contacts.vocabulary.known_words.title import Title, read_title
from dashboard.errors import ColumnError
from dashboard.words import _

__all__ = ["ColumnMap", "guess_columns"]

_ANSWERS = ("consents", "opt_outs", "statuses", "preferences")
_AND_FAX = re.compile(r"\s*[/&+]\s*(?:tele)?fax\b|\b(?:tele)?fax\s*[/&+]\s*", re.IGNORECASE)
"""As in "Tel/Fax": one line for both. "Phone - Fax" is the fax among somebody's phones."""


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
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))
    first_name: str | None = None
    last_name: str | None = None
    full_name: str | None = None
    email: str | None = None
    timezone: str | None = None
    language: str | None = None
    confidence: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        for name in _MANY:
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
        used = self.columns
        object.__setattr__(self, "questions", tuple(one for one in self.questions if one.column not in used))
        object.__setattr__(self, "answers", frozen_answers(self.answers))

    @property
    def fields(self) -> Mapping[str, str]:
        """The column of every field that has exactly one: {"first_name": "Vorname"}."""
        named = {name: getattr(self, name) for name in _SINGLE}
        return {name: column for name, column in named.items() if column is not None}

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that is used, each once."""
        return tuple(dict.fromkeys([*self.phones, *self.telling, *self.fields.values()]))

    @property
    def telling(self) -> tuple[str, ...]:
        """Every column that may say who must not be texted, or not at this number."""
        answers = (*self.consents, *self.opt_outs, *self.statuses, *self.preferences)
        return (*answers, *self.doubts, *self.wrong_numbers)

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
                refuses) or "nothing"; or what each value means: "may" (be texted), "must_not" or "nothing".
                Values that are left out stay open.
            none_of_these: Whether all that is then still open says nothing.

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
            columns = _with_answer(columns, question.column, dict.fromkeys(question.values, "nothing"))
        return columns


def _with_answer(columns: ColumnMap, column: str, answer: str | Mapping[str, str]) -> ColumnMap:
    """The columns with one that has this meaning, and no other."""
    if not isinstance(answer, Mapping) and (not isinstance(answer, str) or answer not in ROLES):
        raise not_an_answer()
    if not answer:
        return columns
    changed: dict[str, Any] = {
        field: tuple(one for one in getattr(columns, field) if one != column) for field in _ANSWERED
    }
    answers = {one: meanings for one, meanings in columns.answers.items() if one != column}
    if isinstance(answer, Mapping):
        answers |= frozen_answers({column: {**columns.answers.get(column, {}), **answer}})
    elif ROLES[answer]:
        changed[ROLES[answer]] += (column,)
    left = [one if one.column != column else one.without(answers.get(column)) for one in columns.questions]
    return replace(columns, **changed, answers=answers, questions=tuple(one for one in left if one))


def _texts(given: object) -> tuple[str, ...] | None:
    """Several texts as a tuple; None for anything else, a single text as well."""
    several = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (None,)
    texts = tuple(one for one in several if isinstance(one, str))
    return texts if len(texts) == len(several) else None


_MANY = (
    *("phones", "consents", "opt_outs", "statuses", "preferences", "doubts", "wrong_numbers"),
    *("offered", "other_channels"),
)
_ANSWERED = (*_ANSWERS, "doubts", "wrong_numbers", "other_channels")
_SINGLE = tuple(
    f.name for f in fields(ColumnMap) if f.name not in {*_MANY, "questions", "answers", "confidence"}
)


@checks_arguments()
def guess_columns(sheet: Sheet | pd.DataFrame) -> ColumnMap:
    r"""Guess which columns hold phones, names, country, consents and opt-outs.

    Several phone columns come in the order mobile, unlabelled, home or work. Fax, ids, dates and the like,
    other people's lines and numbers that are old or wrong are never taken for phones. A column whose header
    has an unknown word next to "phone" may be anybody's: it is only offered, even if it is the only one. A
    column named as consent or refusal is always taken, whatever its cells look like. What may say who must
    not be texted, and nobody knows, is a question.

    Args:
        sheet: A sheet, or any frame with a header.

    Returns:
        The columns by what they hold, and how certain each guess is, 0 to 1.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> guess_columns(read_sheet(b"Vorname;Handynummer\nAnn;0151 23456789\n")).phones
        ('Handynummer',)
    """
    frame = sheet.frame if isinstance(sheet, Sheet) else sheet_of_frame(sheet).frame
    titles = _settle_ambiguous({str(column): without_count(str(column)) for column in frame.columns})
    claims = [
        claim
        for place, (column, title) in enumerate(titles.items())
        for claim in claims_of(Column(column, title, place, frame[column]))
    ]
    claims = without_consent_to_calls(claims, titles)
    others = lines_of_others(_without_asking_or_names(titles, claims))
    columns = _decide(_without_lines_of_others(claims, others))
    asked = (question_of(one.column, frame[one.column]) for one in claims if one.field == "questions")
    return replace(columns, questions=tuple(one for one in asked if one is not None))


def _without_asking_or_names(titles: dict[str, Title], claims: list[Claim]) -> dict[str, Title]:
    """The headers without those of phones that hold none: "May we text you?", "Contact" above names."""
    asking = {claim.column for claim in claims if claim.field in _ANSWERS}
    holding = {claim.column for claim in claims if claim.field in {"phones", "offered"}}
    return {
        column: title
        for column, title in titles.items()
        if column not in asking and (column in holding or not phones_by_title(title)[0].is_named)
    }


def _title(name: str) -> Title:
    phone = read_title(_AND_FAX.sub("", name))
    title = phone if phone.says("header_mobile", "header_phone") else read_title(name)
    asides = title.says("header_not_to_edit")  # "(Do Not Modify) Contact": said of the column, not of people
    return read_title(" ".join(title.without(asides))) if asides else title


def _settle_ambiguous(names: dict[str, str]) -> dict[str, Title]:
    """Read the headers; those that mean different things in different languages, by the columns around them.

    "nombre" is a first name next to "apellidos" and a full name alone; "name" is a last name next to
    "Vorname"; "ad" is a Turkish first name only next to "soyad"; "cep" is a mobile in Turkish and a postcode
    in Brazil.
    """
    titles = {column: _title(name) for column, name in names.items()}
    beside = {name for title in titles.values() for name, _ in title.fields}
    certain = {
        name
        for title in titles.values()
        if title.key not in {"nome", "nom", "nombre", "ad", "name"}
        for name, _ in title.fields
    }
    is_brazilian = {joined(word) for word in words("header_beside_cep")} & {t.key for t in titles.values()}
    settled = {
        "nome": "first name" if "last_name" in certain else "full name",
        "nombre": "first name" if "last_name" in certain else "full name",
        "nom": "last name" if "first_name" in certain else "full name",
        "name": "last name" if "first_name" in certain and "last_name" not in beside else "full name",
        "cep": "postcode" if is_brazilian else "cep telefonu",
        "ad": "first name" if "last_name" in certain else "advertisement",
    }
    return {
        column: read_title(settled[title.key]) if title.key in settled else title
        for column, title in titles.items()
    }


def _decide(claims: list[Claim]) -> ColumnMap:
    """Assign columns to fields: any number of columns to some fields, the best one to each of the others."""
    ranked = _with_dates_of_consent(_with_offers(sorted(claims, key=lambda claim: claim.rank)))
    many: dict[str, Any] = {
        field: tuple(claim.column for claim in ranked if claim.field == field) for field in _MANY
    }
    single: dict[str, Any] = {}
    for claim in ranked:
        if claim.field in _SINGLE:
            single.setdefault(claim.field, claim.column)
    used = {*single.values(), *(column for columns in many.values() for column in columns)}
    confidence = {claim.column: claim.confidence for claim in ranked if claim.column in used}
    return ColumnMap(**many, **single, confidence=MappingProxyType(confidence))


def _without_lines_of_others(claims: list[Claim], theirs: frozenset[str]) -> list[Claim]:
    return [
        replace(claim, field="offered") if claim.field == "phones" and claim.column in theirs else claim
        for claim in claims
    ]


def _with_offers(claims: list[Claim]) -> list[Claim]:
    """Only offer columns recognised by their cells if another column is named as a phone."""
    kinds = {Phones(claim.rank[0]) for claim in claims if claim.field == "phones"}
    used = {kind for kind in kinds if kind.is_named} or kinds
    return [
        replace(claim, field="offered") if claim.field == "phones" and claim.rank[0] not in used else claim
        for claim in claims
    ]


def _with_dates_of_consent(claims: list[Claim]) -> list[Claim]:
    """Beside a column that says whether people agreed, the date only refuses: "no", "withdrawn"."""
    first = min((claim.rank[0] for claim in claims if claim.field == "consents"), default=0)
    return [
        replace(claim, field="statuses") if claim.field == "consents" and claim.rank[0] != first else claim
        for claim in claims
    ]
