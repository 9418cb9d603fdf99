"""Which rows of a sheet are headings rather than contacts, wherever in the row the heading is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.characters import are_of_figures, begin_visibly, have_digits, have_none_of
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.labelled import refused_by_label
from dashboard.contacts.words.headings import (
    COLONS,
    Heading,
    headings_look,
    holds_number,
    is_remark,
    read_heading,
)

__all__ = ["HeadingRow", "heading_rows", "usual_cells"]

Mask = npt.NDArray[np.bool_]
_FEWEST_DIGITS = 7
_TELLING_ROWS = 100
_SEVERAL = 3
"""Cells; where rows usually fill so many, one that fills a single cell is a line and no contact."""
_MOST_NAMES = 4
_NUMBER = rf"^\PL*(?:\d\PL*){{{_FEWEST_DIGITS}}}$"
_DATE = r"^\s*\d{1,4}[-/.]\d\d?[-/.]\d{1,4}\s*$"
_LETTER = r"\pL"
_KNOWN = {Heading.REFUSES, Heading.MENTIONS, Heading.ENDS}


class HeadingRow(NamedTuple):
    """A heading: its row's position, what it does, its column, and whether that is the first with words.

    One that `announces` speaks of what is below, in whatever language: it ends in a colon, or is all that its
    row has, in a column of phones or where rows usually fill several cells.
    """

    place: int
    heading: Heading
    column: str
    is_first: bool
    announces: bool = False


def usual_cells(frame: pd.DataFrame) -> int:
    """How many cells the first rows of a sheet usually fill: the median of those that are no lines."""
    filled = _filled(frame.head(_TELLING_ROWS), frame.shape[1])
    return int(np.median(filled[filled > 1])) if (filled > 1).any() else 0


def heading_rows(frame: pd.DataFrame, columns: ColumnMap, usual: int = 0) -> list[HeadingRow]:
    """The headings of a sheet from top to bottom; those by themselves may also be names.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
        usual: How many cells the sheet's rows usually fill; 0 where that says nothing.
    """
    filled = _filled(frame, 2)
    lone = np.flatnonzero(filled == 1)
    lone = lone if frame.shape[1] > 1 else lone[_matches(frame.iloc[lone, 0], _LETTER)]
    column = np.zeros(len(lone), np.int32)
    for place in range(frame.shape[1]):
        column[_has_text(frame.iloc[lone, place])] = place
    places = zip(lone.tolist(), column.tolist(), strict=True)
    found = [_lone(frame, row, place, columns, usual) for row, place in places]
    found += _beside_others(frame, columns, filled > 1)
    return sorted(row for row in found if row is not None)


def _filled(frame: pd.DataFrame, most: int) -> npt.NDArray[np.int32]:
    """How many cells each row fills, counted up to a number."""
    filled, rows = np.zeros(len(frame), np.int32), np.arange(len(frame))
    for place in range(frame.shape[1]):
        cells = frame.iloc[:, place]
        filled[rows] += _has_text(cells if len(rows) == len(cells) else cells.take(rows))
        rows = rows[filled[rows] < most]
    return filled


def _has_text(cells: pd.Series) -> Mask:
    texts = arrow_of(cells)
    found = begin_visibly(texts)
    others = np.flatnonzero(~found & (pc.binary_length(texts).to_numpy() > 0))
    found[others] = _matches(cells.iloc[others], r"\S")
    return found


def _matches(cells: pd.Series, pattern: str) -> Mask:
    found: Mask = pc.match_substring_regex(arrow_of(cells), pattern).to_numpy()
    return found


def _lone(frame: pd.DataFrame, place: int, column: int, columns: ColumnMap, usual: int) -> HeadingRow | None:
    text, name = str(frame.iloc[place, column]), str(frame.columns[column])
    if text.strip() == name:
        return None  # the header repeated, as printed lists do on every page
    announces = text.rstrip().endswith(COLONS) or (name in columns.phones and frame.shape[1] > 1)
    if usual >= _SEVERAL and not announces:
        is_name = name in _names(columns) and _is_spelled_as_name(text)
        announces = not is_name and not is_remark(text, of_people=False)  # "Page 2 of 3", "Total: 12"
    heading = read_heading(text)
    if heading in {Heading.NOTHING, Heading.UNKNOWN} and refused_by_label(text):
        heading = Heading.MENTIONS  # "SMS: no"
    return HeadingRow(place, heading, name, is_first=not column, announces=announces)


def _is_spelled_as_name(text: str) -> bool:
    """Whether a text is a few words with capitals, as "Ann Example", of whom nothing else is known."""
    words = text.split()
    return 1 < len(words) <= _MOST_NAMES and all(word[0].isupper() for word in words)


def _beside_others(frame: pd.DataFrame, columns: ColumnMap, rows: Mask) -> Iterator[HeadingRow]:
    """Known headings with something beside them: a count, a date, the row's number, a remark."""
    places = np.flatnonzero(rows)
    for phone in columns.phones:
        places = places[~_has_number(frame[phone])[places]]
    if not len(places):
        return
    rest = frame.iloc[places]
    heads = _may_head(rest, columns)
    suspects = np.flatnonzero(np.logical_or.reduce([*heads.values(), np.zeros(len(rest), np.bool_)]))
    listed = [arrow_of(rest[name].iloc[suspects]).to_pylist() for name in frame.columns]
    for suspect, texts in zip(suspects, zip(*listed, strict=True), strict=True):
        named = dict(zip(map(str, frame.columns), texts, strict=True))
        wanted = [name for name, mask in heads.items() if mask[suspect]]
        row = _one_beside(int(places[suspect]), named, wanted, columns)
        if row is not None:
            yield row


def _has_number(cells: pd.Series) -> Mask:
    """Which cells have the digits of a phone, no letters, and are no date."""
    texts = arrow_of(cells)
    found = are_of_figures(texts) & have_digits(texts, _FEWEST_DIGITS)
    others = np.flatnonzero(~(found & have_none_of(texts, "-", "/")))
    found[others] = _matches(cells.iloc[others], _NUMBER) & ~_matches(cells.iloc[others], _DATE)
    return found


def _may_head(frame: pd.DataFrame, columns: ColumnMap) -> dict[str, Mask]:
    """Where words of a heading are, in the first cell with words, a name or a phone; names come first."""
    has_words, worded = np.zeros(len(frame), np.bool_), dict[str, npt.NDArray[np.intp]]()
    wanted = [*_names(columns), *columns.phones]
    for name in map(str, frame.columns):
        words = _matches(frame[name], _LETTER)
        worded[name] = np.flatnonzero(words if name in wanted else words & ~has_words)
        has_words |= words
    listed = [arrow_of(frame[name].iloc[places]) for name, places in worded.items()]
    found = {name: np.zeros(len(frame), np.bool_) for name in [*_names(columns), *worded]}
    for (name, places), may_head in zip(worded.items(), headings_look().may_hold_in(listed), strict=True):
        found[name][places] = may_head
    return found


def _names(columns: ColumnMap) -> list[str]:
    return [name for name in (columns.full_name, columns.first_name, columns.last_name) if name is not None]


def _one_beside(
    place: int, cells: dict[str, str], wanted: list[str], columns: ColumnMap
) -> HeadingRow | None:
    texts = {name: text.strip() for name, text in cells.items() if text.strip() not in {"", name}}
    worded = {name: text for name, text in texts.items() if any(map(str.isalpha, text))}
    first = next(iter(worded), "")
    for name in wanted:
        heading = read_heading(worded.get(name, ""))
        if heading in _KNOWN and not any(map(holds_number, texts.values())):
            others = {other: text for other, text in worded.items() if text != worded[name]}
            return _weighed(HeadingRow(place, heading, name, name == first), worded[name], others, columns)
    return None


def _weighed(row: HeadingRow, text: str, others: dict[str, str], columns: ColumnMap) -> HeadingRow | None:
    """A heading among other words: none where somebody is named, and doubtful where more is said."""
    more = {name for name, other in others.items() if not is_remark(other)}
    if row.column in columns.telling or not more.isdisjoint(_names(columns)):
        return None
    if not more:
        return row
    if row.heading is Heading.ENDS:
        return None
    is_plain = row.column in _names(columns) and len(text.split()) > 1  # "Stopp" may be a name
    return row if is_plain else row._replace(heading=Heading.MENTIONS)
