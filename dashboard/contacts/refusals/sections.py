"""Rows below a line such as "Do not text:", which applies to all of them.

People who keep one sheet for everybody list those who said no at its end, below a heading. Its row holds no
number and nobody's name; a count, a date or a remark may stand beside it. It applies until "Please text:";
any other line makes it a question. So does a line that cannot be a person, by its place in the sheet or its
colon, whatever it says, and each such line anew. Where the first column names groups, each in its first row
only, as exports of merged cells do, "Do not text" there applies until the next group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.characters import are_of_figures
from dashboard.contacts.arrow.distinct import where
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import Problem
from dashboard.contacts.refusals.heading_rows import HeadingRow, heading_rows
from dashboard.contacts.refusals.telling import NO_CELL, Telling
from dashboard.contacts.words.headings import Heading, headings_look, read_heading
from dashboard.contacts.words.refusal import Refusal

__all__ = ["Below", "refused_below"]

Mask = npt.NDArray[np.bool_]
_REFUSING = {Heading.REFUSES, Heading.MENTIONS}


class Below(NamedTuple):
    """What applies at some place of a sheet: the last heading's word, the last group's, and what said so.

    `usual` is how many cells its rows usually fill, `line` what the last line that speaks is. `above` are the
    lines above the header, if this is the first row.
    """

    heading: Refusal = Refusal.NONE
    group: Refusal = Refusal.NONE
    words: str = ""
    usual: int = 0
    line: Heading = Heading.NOTHING
    above: tuple[str, ...] = ()


def refused_below(
    frame: pd.DataFrame, columns: ColumnMap, before: Below | None = None
) -> tuple[list[Telling], Below]:
    """What the headings inside a sheet say of the rows below them, and of themselves.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
        before: What applied at the end of the rows before these, or is said of the whole sheet.

    Returns:
        What they say, and what the next rows begin with.
    """
    before = before or Below()
    state, start, line, ends = before.heading, 0, _Line(heading=before.line), []
    parts: list[_Part] = []
    for row in heading_rows(frame, columns, before.usual):
        if row.column in columns.telling and not (row.is_first and row.heading in _REFUSING):
            continue  # the answer of somebody without a number
        after = _after(state, row, columns)
        asks = row.heading is Heading.MENTIONS or (
            row.announces and row.heading is line.heading is Heading.UNKNOWN
        )
        speaks = after > state or row.heading is Heading.REFUSES or (asks and after is Refusal.HELD)
        if speaks or after < state:
            parts.append(_Part(state, line, start, row.place))
            line = _Line(row.place, row.column, heading=row.heading) if speaks else line
            state, start = after, row.place + (row.heading is Heading.UNKNOWN and state is Refusal.NONE)
        if row.heading is Heading.ENDS:
            ends.append(row.place)
    parts.append(_Part(state, line, start, len(frame)))
    groups, group = _in_groups(frame, columns, ends, before.group)
    after_all = Below(state, group, usual=before.usual, line=line.heading)
    return list(_tellings([*parts, *groups], before.words)), after_all


class _Line(NamedTuple):
    """Where a line stands: the position of its row, and its column; by default before all rows."""

    place: int = NO_CELL
    column: str | None = None
    heading: Heading = Heading.NOTHING


class _Part(NamedTuple):
    """The rows from a line to the next one, and what it says of them."""

    refusal: Refusal
    line: _Line
    start: int
    end: int

    @property
    def problem(self) -> Problem:
        """A line of words that nobody knows refuses nothing, but it may say who is below it."""
        if self.refusal is Refusal.SAID:
            return Problem.OPTED_OUT
        return Problem.BELOW_LINE if self.line.heading is Heading.UNKNOWN else Problem.REFUSAL_NOTED


def _tellings(parts: list[_Part], words: str) -> Iterator[Telling]:
    told = defaultdict(list)
    for part in parts:
        if part.refusal is not Refusal.NONE and part.end > part.start:
            told[part.problem, part.line.column].append(part)
    for (problem, column), some in told.items():
        rows = np.concatenate([np.arange(part.start, part.end) for part in some])
        lengths = [part.end - part.start for part in some]
        told_in = np.repeat([part.line.place for part in some], lengths)
        yield Telling(problem, column, rows, told_in, words=words)


def _after(state: Refusal, row: HeadingRow, columns: ColumnMap) -> Refusal:
    match row.heading:
        case Heading.NOTHING:
            return state
        case Heading.ENDS:
            return Refusal.NONE
        case Heading.UNKNOWN:
            return Refusal.HELD if row.announces else min(state, Refusal.HELD)
    heads = {*columns.phones, columns.first_name, columns.last_name, columns.full_name}
    is_heading = (row.is_first or row.column in heads) and row.column not in columns.telling
    return Refusal.SAID if row.heading is Heading.REFUSES and is_heading else max(state, Refusal.HELD)


def _in_groups(
    frame: pd.DataFrame, columns: ColumnMap, ends: list[int], before: Refusal
) -> tuple[list[_Part], Refusal]:
    """What the group that each row belongs to says, if the first column names groups.

    It may as well be a note on one person, so this leaves the others to a person.
    """
    names_groups = frame.shape[1] > 1 and str(frame.columns[0]) not in {*columns.columns, *columns.offered}
    if not names_groups or not len(frame):
        return [], before if names_groups else Refusal.NONE
    refusing = _refusing(frame.iloc[:, 0])
    if before is Refusal.NONE and not len(refusing):
        return [], before
    is_new = pc.match_substring_regex(arrow_of(frame.iloc[:, 0]), r"\S").to_numpy().copy()
    is_new[ends] = True  # "Please text:" in another column
    places = np.append(np.flatnonzero(is_new), len(frame))
    ending = places[np.searchsorted(places, refusing, "right")]
    name = str(frame.columns[0])
    groups = [_Part(before, _Line(), 0, int(places[0]))]
    groups += [
        _Part(Refusal.HELD, _Line(start, name), start, end)
        for start, end in zip(refusing.tolist(), ending.tolist(), strict=True)
    ]
    return groups, groups[-1].refusal if groups[-1].end == len(frame) else Refusal.NONE


def _refusing(cells: pd.Series) -> npt.NDArray[np.intp]:
    suspects = np.flatnonzero(~are_of_figures(arrow_of(cells)))
    suspects = suspects[headings_look().may_hold(arrow_of(cells.iloc[suspects]))]
    refuses: Mask = where(cells.iloc[suspects], lambda text: read_heading(text) in _REFUSING).to_numpy()
    return suspects[refuses]
