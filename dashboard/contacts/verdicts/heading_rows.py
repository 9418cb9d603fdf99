"""Which rows of a sheet are headings rather than contacts, wherever in the row the heading is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.vocabulary.headings import (
    Heading,
    headings_look,
    holds_number,
    is_remark,
    read_heading,
)

__all__ = ["HeadingRow", "heading_rows"]

Mask = npt.NDArray[np.bool_]
_NUMBER = r"^\PL*(?:\d\PL*){7}$"
_DATE = r"^\s*\d{1,4}[-/.]\d\d?[-/.]\d{1,4}\s*$"
_LETTER = r"\pL"
_KNOWN = {Heading.REFUSES, Heading.MENTIONS, Heading.ENDS}


class HeadingRow(NamedTuple):
    """A heading: its row's position, what it does, its column, and whether that is the first with words."""

    place: int
    heading: Heading
    column: str
    is_first: bool


def heading_rows(frame: pd.DataFrame, columns: ColumnMap) -> list[HeadingRow]:
    """The headings of a sheet from top to bottom; those by themselves may also be names.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
    """
    filled, column = np.zeros(len(frame), np.int32), np.zeros(len(frame), np.int32)
    for place in range(frame.shape[1]):
        has_text = _matches(frame.iloc[:, place], r"\S")
        filled += has_text
        column[has_text] = place
    lone = np.flatnonzero(filled == 1)
    lone = lone if frame.shape[1] > 1 else lone[_matches(frame.iloc[lone, 0], _LETTER)]
    found = [_lone(frame, int(row), int(column[row])) for row in lone]
    found += _beside_others(frame, columns, filled > 1)
    return sorted(row for row in found if row is not None)


def _matches(cells: pd.Series, pattern: str) -> Mask:
    found: Mask = pc.match_substring_regex(arrow_of(cells), pattern).to_numpy()
    return found


def _lone(frame: pd.DataFrame, place: int, column: int) -> HeadingRow | None:
    text, name = str(frame.iloc[place, column]), str(frame.columns[column])
    if text.strip() == name:
        return None  # the header repeated, as printed lists do on every page
    return HeadingRow(place, read_heading(text), name, is_first=not column)


def _beside_others(frame: pd.DataFrame, columns: ColumnMap, rows: Mask) -> Iterator[HeadingRow]:
    """Known headings with something beside them: a count, a date, the row's number, a remark."""
    places = np.flatnonzero(rows)
    for phone in columns.phones:
        cells = frame[phone].iloc[places]
        places = places[~_matches(cells, _NUMBER) | _matches(cells, _DATE)]
    if len(places):
        for place in places[_suspects(frame.iloc[places], columns)]:
            row = _one_beside(frame, int(place), columns)
            if row is not None:
                yield row


def _suspects(frame: pd.DataFrame, columns: ColumnMap) -> Mask:
    """Rows with words of a heading where one may be: in the first cell with words, a name or a phone."""
    suspects, has_words = np.zeros(len(frame), np.bool_), np.zeros(len(frame), np.bool_)
    wanted = {*_names(columns), *columns.phones}
    for name in frame.columns:
        worded = _matches(frame[name], _LETTER)
        may_head = worded & ~suspects if name in wanted else worded & ~suspects & ~has_words
        has_words |= worded
        if may_head.any():
            suspects[np.flatnonzero(may_head)] |= headings_look().may_hold(arrow_of(frame[name][may_head]))
    return suspects


def _names(columns: ColumnMap) -> list[str]:
    return [name for name in (columns.full_name, columns.first_name, columns.last_name) if name is not None]


def _one_beside(frame: pd.DataFrame, place: int, columns: ColumnMap) -> HeadingRow | None:
    cells = (
        (str(name), str(text).strip()) for name, text in zip(frame.columns, frame.iloc[place], strict=True)
    )
    texts = {name: text for name, text in cells if text not in {"", name}}
    if any(map(holds_number, texts.values())):
        return None
    worded = {name: text for name, text in texts.items() if any(map(str.isalpha, text))}
    first = next(iter(worded), "")
    for name in dict.fromkeys([*_names(columns), first, *columns.phones]):
        heading = read_heading(worded.get(name, ""))
        if heading in _KNOWN:
            others = {other: text for other, text in worded.items() if text != worded[name]}
            return _weighed(HeadingRow(place, heading, name, name == first), worded[name], others, columns)
    return None


def _weighed(row: HeadingRow, text: str, others: dict[str, str], columns: ColumnMap) -> HeadingRow | None:
    """A heading among other words: none where somebody is named, and doubtful where more is said."""
    answers = {*columns.consents, *columns.opt_outs, *columns.statuses, *columns.preferences}
    more = {name for name, other in others.items() if not is_remark(other)}
    if row.column in answers or not more.isdisjoint(_names(columns)):
        return None
    if not more:
        return row
    if row.heading is Heading.ENDS:
        return None
    is_plain = row.column in _names(columns) and len(text.split()) > 1  # "Stopp" may be a name
    return row if is_plain else row._replace(heading=Heading.MENTIONS)
