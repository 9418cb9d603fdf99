"""What a column says of texting people: by a spelling of a real export, or by the first rule that holds."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import islice

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.characters import begin_visibly
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.columns.likeness import phone_share
from dashboard.contacts.columns.questions import may_tell
from dashboard.contacts.columns.rules import BY_CELLS, FIELDS, FINER, GROUPS, RULES, Role, Rule
from dashboard.contacts.words.answers import (
    REFUSING,
    Answer,
    answer,
    reads_as_answer,
    speaks_of_consent,
)
from dashboard.contacts.words.lexicon import heard, words
from dashboard.contacts.words.spelling import joined, normalise
from dashboard.contacts.words.title import Title

__all__ = ["Cells", "depends_on_all_cells", "finer", "role_by_cells", "role_of"]

_SAMPLE_CELLS = 200
_ANSWERS_ASKED = 50
_ROWS_SAMPLED = 10_000
_MOST_CELLS = 0.5
_FEWEST_TOLD = 0.25
_LONGEST_ANSWER = 30
"""Characters; what is longer may be a text itself."""
_CELL_CHARACTERS = 60
_FEWEST_DIGITS = 7
_AGAINST = REFUSING | {Answer.YES_BUT, Answer.UNCLEAR}
_WHOLE = {"other words", "paid", "yes or no", "consents", "channels", "refusals"}
"""What can be told of all cells only."""


@dataclass(frozen=True)
class Cells:
    """The cells below a header, and what they look like."""

    title: Title
    cells: pd.Series

    @cached_property
    def sample(self) -> list[str]:
        """The first distinct texts; the whole column is read only if its beginning is blank."""
        for some in (self.cells.head(_ROWS_SAMPLED), self.cells):
            texts = list(islice(_distinct(some), _SAMPLE_CELLS))
            if texts:
                break
        return texts

    @cached_property
    def asked(self) -> list[str]:
        """As many of them as tell whether they are answers."""
        return self.sample[:_ANSWERS_ASKED]

    @cached_property
    def share_filled(self) -> float:
        """The share of the rows that are not blank."""
        return self.filled / max(len(self.cells), 1)

    @cached_property
    def filled(self) -> int:
        """How many rows are not blank."""
        texts = arrow_of(self.cells)
        others = texts.filter(pa.array(~begin_visibly(texts)))
        blank = pc.equal(pc.utf8_trim_whitespace(others), "")
        return len(texts) - (pc.sum(blank).as_py() or 0)

    @cached_property
    def are_answers(self) -> bool:
        """Whether at least half of the cells are yes and no; of phones few are, such as "x" or "none".

        Counts are none, though 0 and 1 are among them. A form's box that is ticked may repeat its header; and
        below "SMS" a quarter do, if the others are short: "legitimate interest".
        """
        answers = sum(reads_as_answer(cell) or joined(cell) == self.title.key for cell in self.asked)
        if not self.asked or _are_counts(self.asked):
            return False
        return answers >= _MOST_CELLS * len(self.asked) or self._tell_of_texts

    @property
    def _tell_of_texts(self) -> bool:
        if not self.title.only("header_texts") or not self.title.words or phone_share(self.asked):
            return False
        is_short = all(len(cell) <= _LONGEST_ANSWER for cell in self.asked)
        return is_short and sum(map(reads_as_answer, self.asked)) >= _FEWEST_TOLD * len(self.asked) > 0

    @cached_property
    def distinct(self) -> list[str]:
        """Every distinct text that is not long."""
        return [text for text in _distinct(self.cells) if len(text) <= _CELL_CHARACTERS]

    def are(self, kind: str) -> bool:
        """Whether the cells are of a kind that rules name."""
        return _KINDS[kind](self)

    @property
    def are_other_words(self) -> bool:
        """Whether there are any, and none is an answer, a date or a phone: bus stops, say."""
        cells = list(_distinct(self.cells))
        told = any(answer(cell) in {Answer.YES, Answer.IN, Answer.DATE} | _AGAINST for cell in cells)
        are_numbers = any(sum(map(str.isdecimal, cell)) >= _FEWEST_DIGITS for cell in cells)
        return bool(cells) and not are_numbers and not (told and not _are_counts(cells))

    @property
    def are_channels(self) -> bool:
        """Whether at least half of them are lists of ways of contact, or answers among such."""
        lists = sum(answer(cell) in {Answer.TEXTS, Answer.OTHERS} for cell in self.distinct)
        told = lists + sum(map(reads_as_answer, self.distinct))
        return bool(lists) and told >= _MOST_CELLS * len(self.distinct)

    @property
    def are_on_or_off(self) -> bool:
        """Whether at least half of them are: "active" below "DND" may refuse or agree."""
        told = sum(answer(cell) in {Answer.IN, Answer.OFF} for cell in self.asked)
        return 0 < told >= _MOST_CELLS * len(self.asked)


_KINDS: dict[str, Callable[[Cells], bool]] = {
    "any": lambda cells: bool(cells.sample),
    "answers": lambda cells: cells.are_answers,
    "no answers": lambda cells: not cells.are_answers,
    "other words": lambda cells: cells.are_other_words,
    "channels": lambda cells: cells.are_channels,
    "paid": lambda cells: any(normalise(cell) in words("paid_status") for cell in cells.distinct),
    "yes or no": lambda cells: any(normalise(cell) in words("bare_answer") for cell in cells.distinct),
    "on or off": lambda cells: cells.are_on_or_off,
    "consents": lambda cells: any(map(speaks_of_consent, cells.distinct)),
    "open": lambda cells: may_tell(cells.title, cells.asked, cells.share_filled),
    "refusals": lambda cells: (
        not _are_counts(cells.asked) and any(answer(cell) in _AGAINST for cell in cells.distinct)
    ),
}


def role_of(cells: Cells) -> Role:
    """What a column says of texting people.

    Example:
        >>> title = read_title("HasOptedOutOfSms")
        >>> role_of(Cells(title, pd.Series([""])))
        <Role.REFUSAL: 'refusal'>
    """
    known = _known(cells.title)
    return _first(RULES, cells) if known is None else known


def role_by_cells(cells: Cells) -> Role:
    """The same of a column that is nothing else, neither phones nor names."""
    return Role.NOTHING if _known(cells.title) else _first(BY_CELLS, cells)


def finer(role: Role, title: Title) -> Role:
    """A role as exactly as the header tells it: "Opt-in date" among the consents."""
    return next((rule.role for rule in _open_to(FINER, title) if FIELDS[rule.role] == FIELDS[role]), role)


def depends_on_all_cells(title: Title) -> bool:
    """Whether it takes all of a column's cells to know what it says, as with "Status"."""
    return any(rule.cells in _WHOLE for rule in _open_to(RULES, title))


def _known(title: Title) -> Role | None:
    """What a header of a documented export says, also where it is numbered because it is repeated."""
    exported = _exported()
    return exported.get(title.key) or exported.get(title.key.rstrip("0123456789"))


@cache
def _exported() -> dict[str, Role]:
    """The headers of documented exports, as `Title.key`, and what they say."""
    lines = files("dashboard.contacts.columns").joinpath("headers.csv").read_text("utf-8").splitlines()
    return {joined(line["title"]): Role(line["role"]) for line in csv.DictReader(lines)}


def _first(rules: tuple[Rule, ...], cells: Cells) -> Role:
    open_to = _open_to(rules, cells.title)
    return next((rule.role for rule in open_to if not rule.cells or cells.are(rule.cells)), Role.NOTHING)


@lru_cache(maxsize=8_192)
def _open_to(rules: tuple[Rule, ...], title: Title) -> tuple[Rule, ...]:
    """The rules that a header allows, whatever its cells."""
    return tuple(rule for rule in rules if _words_hold(rule, title))


def _words_hold(rule: Rule, title: Title) -> bool:
    if any(_has(title, group) for group in rule.lacks.split()):
        return False
    if not all(any(_has(title, group) for group in either.split("|")) for either in rule.has.split()):
        return False
    return not rule.only or _is_covered(title, rule.only.split())


def _has(title: Title, group: str) -> bool:
    return _spells(title, group) or bool(title.says(*_listed(group))) or _begins(title, group)


def _spells(title: Title, group: str) -> bool:
    """Whether a header is, as a whole, a spelling of one of the group's fields."""
    return any(f"={field}" in GROUPS[group] for field, _ in title.fields)


def _begins(title: Title, group: str) -> bool:
    """Whether a header begins with a phrase of one of the group's lists."""
    said = title.says(*(name[1:] for name in GROUPS[group] if name.startswith("^")))
    return bool(said) and 0 in dict(title.places(said))


def _listed(group: str) -> tuple[str, ...]:
    return tuple(name for name in GROUPS[group] if name[0] not in "=^")


def _is_covered(title: Title, groups: list[str]) -> bool:
    """Whether all words are of these groups; "not", "no" and "out" only in phrases, as they turn the rest."""
    said = title.says(*(name for group in groups for name in _listed(group)))
    spelled = any(_spells(title, group) for group in groups)
    return spelled or title.without(said - heard("header_not").phrases - {"no", "out"}) == ()


def _are_counts(cells: Iterable[str]) -> bool:
    """Whether all cells are whole numbers, and some other than 0 and 1."""
    numbers = {cell.strip().removesuffix(".0") for cell in cells}
    return all(map(str.isdecimal, numbers)) and not numbers <= {"0", "1"}


def _distinct(cells: pd.Series) -> Iterator[str]:
    seen = {""}
    for cell in cells.dropna().unique().tolist():
        text = str(cell).strip()
        if text not in seen:
            seen.add(text)
            yield text
