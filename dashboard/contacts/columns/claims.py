"""What one column may be: what its header says, unless its cells say otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

import pandas as pd

from dashboard.contacts.columns.consent_title import (
    Says,
    are_counts,
    consent_by_title,
    is_of_other_channel,
)
from dashboard.contacts.columns.likeness import looks_like_phones, phone_share
from dashboard.contacts.columns.phone_title import Phones, phones_by_title
from dashboard.contacts.columns.questions import may_tell
from dashboard.contacts.vocabulary.consent.answers import reads_as_answer
from dashboard.contacts.vocabulary.countries.countries import country_of
from dashboard.contacts.vocabulary.known_words.own_line import is_nameless, names_own_line, own_fields
from dashboard.contacts.vocabulary.known_words.spelling import joined
from dashboard.contacts.vocabulary.known_words.title import Title

__all__ = ["Claim", "Column", "claims_of"]

_SAMPLE_CELLS = 200
_FEWEST_ANSWERS = 5
_ANSWERS_ASKED = 50
_ROWS_SAMPLED = 10_000
_MOST_CELLS = 0.5
_FEWEST_TOLD = 0.25
_LONGEST_ANSWER = 30
"""Characters; what is longer may be a text itself."""
_NUMBERED = 1000
"""Ranks "Home Phone 2" after "Business Phone", but before other spellings."""
_SPELLED = {"mobile", "phone", "phone_home_or_work"}
_CONSENT = {"consent_in", "consent_out", "other_channels", "phone_never", *_SPELLED}


@dataclass(frozen=True, slots=True)
class Claim:
    """A column that may be a field: lower rank first, then the more telling spelling, then the left one.

    The first number of a phone's rank is its `Phones`.
    """

    field: str
    column: str
    rank: tuple[int, int, int]
    confidence: float


@dataclass(frozen=True)
class Column:
    """A column of a sheet: its name, its header as read, how many columns are to its left, and its cells."""

    name: str
    title: Title
    place: int
    cells: pd.Series

    @cached_property
    def sample(self) -> list[str]:
        """The first distinct texts; the whole column is read only if its beginning is blank."""
        for some in (self.cells.head(_ROWS_SAMPLED), self.cells):
            texts = list(islice(_distinct(some), _SAMPLE_CELLS))
            if texts:
                break
        return texts

    def distinct(self) -> list[str]:
        """Every distinct text of the whole column."""
        return list(_distinct(self.cells))

    @cached_property
    def are_answers(self) -> bool:
        """Whether at least half of the cells are yes and no; of phones few are, such as "x" or "none".

        Counts are none, though 0 and 1 are among them. A form's box that is ticked may repeat its header.
        """
        asked = self.sample[:_ANSWERS_ASKED]
        answers = sum(reads_as_answer(cell) or joined(cell) == self.title.key for cell in asked)
        return bool(asked) and answers >= _MOST_CELLS * len(asked) and not are_counts(asked)

    @cached_property
    def tell_of_texts(self) -> bool:
        """Whether a header of texts stands above no phones, but above some answers among short words.

        So below "SMS" stand "opted in", "pending" and "legitimate interest".
        """
        asked = self.sample[:_ANSWERS_ASKED]
        if not self.title.only("header_texts") or not self.title.words or phone_share(asked):
            return False
        is_short = all(len(cell) <= _LONGEST_ANSWER for cell in asked)
        return is_short and sum(map(reads_as_answer, asked)) >= _FEWEST_TOLD * len(asked) > 0

    @property
    def share_filled(self) -> float:
        """The share of the rows that are not blank."""
        return _filled(self.cells) / max(len(self.cells), 1)

    @cached_property
    def are_phones(self) -> bool:
        """Whether most cells look like a phone."""
        return phone_share(self.sample) >= _MOST_CELLS

    @property
    def may_be_phones(self) -> bool:
        """Whether yes and no below a header for phones may be what people typed where they had none.

        One phone among them is enough, and a few cells tell nothing: 0, 1 and no.
        """
        return _filled(self.cells) < _FEWEST_ANSWERS or phone_share(self.sample) > 0


def _filled(cells: pd.Series) -> int:
    return int((cells.astype("str").str.strip() != "").sum())


def _distinct(cells: pd.Series) -> Iterator[str]:
    seen = {""}
    for cell in cells.dropna().unique().tolist():
        text = str(cell).strip()
        if text not in seen:
            seen.add(text)
            yield text


def claims_of(column: Column) -> list[Claim]:
    """The fields a column may be; two only if its header says both opt in and opt out.

    A column that is read as nothing is a question if its cells may say who must not be texted.
    """
    claims = list(_claims(column))
    asked = column.sample[:_ANSWERS_ASKED]
    if not claims and may_tell(column.title, asked, column.share_filled):
        field = "other_channels" if is_of_other_channel(column.title) else "questions"
        return [Claim(field, column.name, (0, 0, column.place), 0.5)]
    return claims


def _claims(column: Column) -> Iterable[Claim]:
    kind, is_doubtful = phones_by_title(column.title)
    are_answers = column.are_answers or column.tell_of_texts
    said = consent_by_title(column.title, column.distinct, are_answers=are_answers)
    if said is not Says.NOTHING and not _is_line_with_consent(column, kind, said):
        yield from _consents(column, said)
        return
    if kind is not Phones.NEVER and (not are_answers or (kind.is_named and column.may_be_phones)):
        claim = _phones(column, kind, is_doubtful=is_doubtful)
        if claim is not None:
            yield claim
            return
    title = column.title
    behind = _NUMBERED * title.is_numbered  # "Email 2" and "Donor's email" come after "Email"
    for field, rank in title.fields or own_fields(title):
        if field not in _CONSENT and _cells_fit(field, column):
            yield Claim(field, column.name, (0, rank + behind, column.place), 1.0)


def _is_line_with_consent(column: Column, kind: Phones, said: Says) -> bool:
    """Whether the column holds phones, and its header says only that texts to them are welcome, or not.

    "Mobile (opted in)" and "Blocked phone" do; numbers below "do not call" are refusals.
    """
    if said is Says.WRONG_NUMBER:
        return column.are_phones  # "Invalid number: 07400 123456"
    if not column.are_phones or (column.title.fields and not kind.is_named):
        return False
    if said is Says.REFUSAL:
        return bool(column.title.says("header_not_in_use")) and not column.title.says("header_opt_out")
    nouns = column.title.says("header_mobile", "header_phone", "header_number") - column.title.says(
        "header_texts"
    )
    return said in {Says.CONSENT, Says.CONSENT_DATE} and bool(nouns)


_Fields = Literal[
    "consents", "opt_outs", "statuses", "preferences", "doubts", "wrong_numbers", "other_channels"
]
_FIELDS: dict[Says, tuple[tuple[_Fields, int], ...]] = {
    Says.CONSENT: (("consents", 0),),
    Says.CONSENT_DATE: (("consents", 1),),
    Says.REFUSAL: (("opt_outs", 0),),
    Says.EITHER: (("consents", 0), ("opt_outs", 0)),
    Says.STATUS: (("statuses", 0),),
    Says.PREFERENCE: (("preferences", 0),),
    Says.DOUBT: (("doubts", 0),),
    Says.WRONG_NUMBER: (("wrong_numbers", 0),),
    Says.OTHER_CHANNEL: (("other_channels", 0),),
    Says.NOTHING: (),
}


def _consents(column: Column, said: Says) -> Iterable[Claim]:
    title = column.title
    if (
        said is Says.REFUSAL
        and column.are_phones
        and title.says("header_opt_out") <= title.says("header_no_texts")
    ):
        yield Claim("offered", column.name, (0, 0, column.place), 0.3)  # "Landline (no texts)"
        return
    is_spelled = {"consent_in", "consent_out"} & {field for field, _ in title.fields}
    for field, order in _FIELDS[said]:
        yield Claim(field, column.name, (order, 0, column.place), 1.0 if is_spelled else 0.8)


def _phones(column: Column, kind: Phones, *, is_doubtful: bool) -> Claim | None:
    title = column.title
    if kind is Phones.BY_CELLS:
        if not looks_like_phones(column.sample):
            return None
        says_nothing_else = is_nameless(title) or names_own_line(title)
        return Claim(
            "phones" if says_nothing_else else "offered",
            column.name,
            (kind, 0, column.place),
            round(0.7 * phone_share(column.sample), 2),
        )
    if (is_doubtful or kind is Phones.OFFERED) and not column.are_phones:
        return None
    if kind is Phones.OFFERED:
        return Claim("offered", column.name, (kind, 0, column.place), 0.3)
    spelled = [rank for field, rank in title.fields if field in _SPELLED]
    rank = spelled[0] + _NUMBERED * title.is_numbered if spelled else len(title.key) + 2 * _NUMBERED
    sure, unsure = (1.0, 0.6) if spelled else (0.8, 0.5)
    return Claim("phones", column.name, (kind, rank, column.place), sure if column.are_phones else unsure)


def _cells_fit(field: str, column: Column) -> bool:
    """Whether the cells may be what the header says; an empty column may be anything."""
    if field != "country" or not column.sample:
        return True
    known = sum(1 for cell in column.sample if country_of(cell) is not None)
    return known >= _MOST_CELLS * len(column.sample)
