"""What one column may be: what its header says, unless its cells say otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dashboard.contacts.columns.likeness import looks_like_phones, phone_share
from dashboard.contacts.columns.phone_title import Phones, phones_by_title
from dashboard.contacts.columns.roles import Cells, role_by_cells, role_of
from dashboard.contacts.columns.rules import FIELDS, Role
from dashboard.contacts.words.countries import country_of
from dashboard.contacts.words.own_line import is_nameless, names_own_line, own_fields

__all__ = ["BY_CELLS", "Claim", "Column", "claims_of"]

_FEWEST_ANSWERS = 5
_MOST_CELLS = 0.5
_NUMBERED = 1000
"""Ranks "Home Phone 2" after "Business Phone", but before other spellings."""
_SPELLED = {"mobile", "phone", "phone_home_or_work"}
_CONSENT = {"consent_in", "consent_out", "other_channels", "phone_never", *_SPELLED}
BY_CELLS = (1, 0, 0)
"""The rank of what only the cells tell."""


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
class Column(Cells):
    """A column of a sheet: its name, how many columns are to its left, its header as read, and its cells."""

    name: str
    place: int

    @cached_property
    def are_phones(self) -> bool:
        """Whether most cells look like a phone."""
        return phone_share(self.sample) >= _MOST_CELLS

    @property
    def may_be_phones(self) -> bool:
        """Whether yes and no below a header for phones may be what people typed where they had none.

        One phone among them is enough, and a few cells tell nothing: 0, 1 and no.
        """
        return self.filled < _FEWEST_ANSWERS or phone_share(self.sample) > 0


def claims_of(column: Column) -> list[Claim]:
    """The fields a column may be; what is nothing else may be a question by its cells."""
    claims = list(_claims(column, role_of(column)))
    if claims:
        return claims
    role = role_by_cells(column)
    return [] if role is Role.NOTHING else [Claim(FIELDS[role], column.name, BY_CELLS, 0.5)]


def _claims(column: Column, role: Role) -> Iterable[Claim]:
    kind, is_doubtful = phones_by_title(column.title)
    if role is not Role.NOTHING and not _is_line_with_consent(column, kind, role):
        yield _telling(column, role)
        return
    if kind is not Phones.NEVER and (not column.are_answers or (kind.is_named and column.may_be_phones)):
        claim = _phones(column, kind, is_doubtful=is_doubtful)
        if claim is not None:
            yield claim
            return
    title = column.title
    behind = _NUMBERED * title.is_numbered  # "Email 2" and "Donor's email" come after "Email"
    for field, rank in title.fields or own_fields(title):
        if field not in _CONSENT and _cells_fit(field, column):
            yield Claim(field, column.name, (0, rank + behind, column.place), 1.0)


def _is_line_with_consent(column: Column, kind: Phones, role: Role) -> bool:
    """Whether the column holds phones, and its header says only that texts to them are welcome, or not.

    "Mobile (opted in)" and "Blocked phone" do; numbers below "do not call" are refusals.
    """
    title = column.title
    if role is Role.WRONG_NUMBER:
        return column.are_phones  # "Invalid number: 07400 123456"
    if not column.are_phones or (title.fields and not kind.is_named):
        return False
    if role is Role.REFUSAL:
        return bool(title.says("header_not_in_use")) and not title.says("header_opt_out")
    nouns = title.says("header_mobile", "header_phone", "header_number") - title.says("header_texts")
    return role in {Role.CONSENT, Role.CONSENT_DATE} and bool(nouns)


def _telling(column: Column, role: Role) -> Claim:
    title = column.title
    if role in {Role.REFUSAL, Role.QUESTION} and column.are_phones:
        role = Role.REFUSAL  # "Do not call number"
        if title.says("header_no_texts") >= title.says("header_opt_out"):
            return Claim("offered", column.name, (0, 0, column.place), 0.3)  # "Landline (no texts)"
    is_spelled = {"consent_in", "consent_out"} & {field for field, _ in title.fields}
    rank = (int(role is Role.CONSENT_DATE), 0, column.place)
    return Claim(FIELDS[role], column.name, rank, 1.0 if is_spelled else 0.8)


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
