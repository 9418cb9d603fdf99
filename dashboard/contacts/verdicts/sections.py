"""Rows below a line such as "Do not text:", which applies to all of them.

People who keep one sheet for everybody list those who said no at its end, below a heading. Such a heading is
the only filled cell of its row. It applies until another heading says something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.verdicts.split import FEWEST_DIGITS, count_digits
from dashboard.contacts.vocabulary.lexicon import words
from dashboard.contacts.vocabulary.own_line import names_own_line
from dashboard.contacts.vocabulary.refusal import Refusal, refusal_in
from dashboard.contacts.vocabulary.spelling import normalise
from dashboard.contacts.vocabulary.title import Title, read_title

__all__ = ["LoneLines", "lone_lines", "refused_below"]

Marks = npt.NDArray[np.int8]
Mask = npt.NDArray[np.bool_]
_DATE = re.compile(r"\d{1,4}[-/.]\d\d?[-/.]\d{1,4}|\b(?:19|20)\d\d\b")
_FEWEST_LETTERS = 3
_PHONES = ("header_phone", "header_mobile", "header_number", "header_number_noun")
_NEGATIONS = frozenset({"stop", "not", "no", "never", "non", "ne", "nicht", "kein", "keine", "nie", "не"})


class _Line(IntEnum):
    """What a line of one cell does to the rows below it."""

    NOTHING = 0
    REFUSES = 1
    MENTIONS = 2
    """It mentions refusing, among other words."""
    ENDS = 3
    UNKNOWN = 4
    """Perhaps a heading, perhaps somebody's name: below it a person has to look."""


@dataclass(frozen=True)
class LoneLines:
    """The rows of which one cell alone is filled, by what that cell is.

    Attributes:
        headings: Lines that say what is below them.
        names: Lines that nobody can tell from a name.
    """

    headings: Mask
    names: Mask


def lone_lines(frame: pd.DataFrame) -> LoneLines:
    """Which rows are a line by itself, and of which kind."""
    lines = np.zeros(len(frame), np.int8)
    for place, column in _lone_cells(frame):
        lines[place] = _line(str(frame.iloc[place, column]))
    return LoneLines(np.isin(lines, (_Line.REFUSES, _Line.MENTIONS, _Line.ENDS)), lines == _Line.UNKNOWN)


def refused_below(frame: pd.DataFrame, columns: ColumnMap, before: Refusal = Refusal.NONE) -> Marks:
    """What the headings inside a sheet say about each row, including the headings themselves.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
        before: What applied at the end of the rows before these.

    Returns:
        A `Refusal` for each row; the last one is what the next rows begin with.
    """
    marks, start, state = np.zeros(len(frame), np.int8), 0, before
    for place, column in _lone_cells(frame):
        text = str(frame.iloc[place, column])
        if text.strip() == str(frame.columns[column]):
            continue  # the header repeated, as printed lists do on every page
        marks[start:place], start = state, place
        state = _after(state, text, str(frame.columns[column]), columns, is_first=not column)
    marks[start:] = state
    return marks


def _after(state: Refusal, text: str, column: str, columns: ColumnMap, *, is_first: bool) -> Refusal:
    line = _line(text)
    if column in {*columns.consents, *columns.opt_outs, *columns.statuses, *columns.preferences}:
        refuses = is_first and line in {_Line.REFUSES, _Line.MENTIONS}
        return max(state, Refusal.HELD) if refuses else state  # or the answer of somebody without a number
    if line is _Line.REFUSES:
        names = {columns.first_name, columns.last_name, columns.full_name}
        is_heading = is_first or column in columns.phones or column in names
        return Refusal.SAID if is_heading else max(state, Refusal.HELD)
    return _NEXT[line](state)


_NEXT: dict[_Line, Callable[[Refusal], Refusal]] = {
    _Line.NOTHING: lambda state: state,
    _Line.MENTIONS: lambda state: max(state, Refusal.HELD),
    _Line.UNKNOWN: lambda state: min(state, Refusal.HELD),
    _Line.ENDS: lambda _state: Refusal.NONE,
}


@lru_cache(maxsize=4_096)
def _line(text: str) -> _Line:
    plain = _DATE.sub(" ", text)
    letters = sum(map(str.isalpha, plain))
    if count_digits(plain) >= FEWEST_DIGITS or "@" in plain or not letters:
        return _Line.NOTHING
    title, ends = read_title(plain), plain.rstrip().endswith((":", "\uff1a"))
    heard = max(refusal_in(plain), refusal_in(plain.replace(":", " ")))
    if heard is Refusal.SAID or _names_refusers(title, plain) or (heard and ends):
        return _Line.REFUSES
    if heard or (ends and not _NEGATIONS.isdisjoint(title.words)):
        return _Line.MENTIONS
    if letters < _FEWEST_LETTERS or normalise(plain) in words("no_phone") | words("totals"):
        return _Line.NOTHING
    return _of_others(title, ends=ends)


def _names_refusers(title: Title, text: str) -> bool:
    """Whether a text that is not a refusal itself names people who refuse: "Opt outs", "Not subscribed"."""
    spelled = {field for field, _ in title.fields}
    if (
        title.says("header_opt_out")
        or "consent_out" in spelled
        or normalise(text) in words("refused", "ended")
    ):
        return True
    rest = title.without(title.says("refusal_heading", "refusal_heading_beside"))  # "Bajas de clientes"
    return bool(title.says("refusal_heading")) and (words("harmless") | words("harmless_people")).issuperset(
        rest
    )


def _of_others(title: Title, *, ends: bool) -> _Line:
    """What a line without a refusal is: "Please text:" ends one, "Phone" is the title of its column."""
    if "consent_in" in {field for field, _ in title.fields} or title.only("header_opt_in"):
        return _Line.ENDS
    if title.fields or title.says(*_PHONES):
        return _Line.NOTHING
    return _Line.ENDS if ends or names_own_line(title) else _Line.UNKNOWN


def _lone_cells(frame: pd.DataFrame) -> list[tuple[int, int]]:
    """The rows with only one filled cell, and the position of its column."""
    filled, column = np.zeros(len(frame), np.int32), np.zeros(len(frame), np.int32)
    for place in range(frame.shape[1]):
        has_text = pc.match_substring_regex(arrow_of(frame.iloc[:, place]), r"\S").to_numpy()
        filled += has_text
        column[has_text] = place
    lone = np.flatnonzero(filled == 1)
    return [(int(row), int(column[row])) for row in lone] if frame.shape[1] > 1 else _worded(frame, lone)


def _worded(frame: pd.DataFrame, rows: npt.NDArray[np.intp]) -> list[tuple[int, int]]:
    """In a sheet with one column every cell is alone: only those with letters and without a number count."""
    cells = arrow_of(frame.iloc[rows, 0])
    words_in = pc.match_substring_regex(cells, r"\pL").to_numpy()
    return [(int(row), 0) for row in rows[words_in]]
