"""What the cells of every column say about texts, whatever the column is called: "Notes: do not text".

The columns meant for it are read in said_below.py. All others are searched here: tags, notes, lists, names,
and words next to the number in a phone cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.characters import are_of_figures
from dashboard.contacts.arrow.distinct import encoded, repeats, where
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.categories import subscribers_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.labelled import label_look, refused_by_label
from dashboard.contacts.numbers.cells import numbers_in
from dashboard.contacts.numbers.of_rows import phone_cells
from dashboard.contacts.problems import Problem
from dashboard.contacts.refusals.said_below import said_below
from dashboard.contacts.refusals.telling import Telling
from dashboard.contacts.words.headings import holds_number
from dashboard.contacts.words.lexicon import words
from dashboard.contacts.words.phrase_look import PhraseLook
from dashboard.contacts.words.refusal import (
    SHOUTED,
    Refusal,
    may_refuse,
    negating_phrases,
    object_phrases,
    refusal_in,
    refusal_phrases,
    refuses_alone,
)
from dashboard.contacts.words.title import read_title

__all__ = ["heard_in"]

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]
_SOON_TOLD_APART = 10_000
"""With so few cells, the distinct ones are found sooner than RE2 builds a pattern."""
_STRUCK_OUT = r"~~.*~~|<(?:s|del|strike)>|[\x{0335}\x{0336}]"


def heard_in(frame: pd.DataFrame, columns: ColumnMap, country: str | None) -> Iterator[Telling]:
    """Search every cell except those that are read as answers.

    A remark next to a number is about that number, "020 7946 0991 (no SMS)"; any other is about the person.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
    """
    for column, heard in _by_column(frame, columns):
        refusal = heard
        if column in columns.phones and (heard == Refusal.SAID).any():
            theirs, refusal = _of_numbers(frame, replace(columns, phones=(column,)), country, heard)
            yield theirs
        yield Telling.by(Problem.OPTED_OUT, column, np.flatnonzero(refusal == Refusal.SAID))
        yield Telling.by(Problem.REFUSAL_NOTED, column, np.flatnonzero(refusal == Refusal.HELD))


def _by_column(frame: pd.DataFrame, columns: ColumnMap) -> Iterator[tuple[str, npt.NDArray[np.int8]]]:
    """What the cells of each column say, for every column but those that are read as answers."""
    answers = dict(said_below(columns))
    named = {columns.first_name, columns.last_name, columns.full_name, columns.email, columns.country}
    searched = [name for name in frame.columns if name not in {*columns.consents} ^ {*columns.opt_outs}]
    cells = [_suspects(frame[name], is_name=name in named) for name in searched]
    texts = pa.chunked_array([said for _rows, _place, said in cells], pa.large_string())
    may_refuse, may_label = _may_refuse(texts), label_look().may_hold(texts)
    start = 0
    for name, (rows, place, said) in zip(searched, cells, strict=True):
        here, start = slice(start, start + len(said)), start + len(said)
        listen = _listener(str(name), is_name=name in named)
        heard = _read(said, may_refuse[here], listen)
        labelled = _read(said, may_label[here], refused_by_label)
        refusal = np.zeros(len(frame), np.int8)
        refusal[rows] = np.maximum(heard, labelled)[place]
        if name in columns.preferences:  # "letter only" is asked about as an answer
            refusal[(refusal == Refusal.HELD) & where(frame[name], answers[str(name)])] = Refusal.NONE
        if name in columns.phones:
            refusal = np.maximum(refusal, _struck_out(frame[name]))
        yield str(name), refusal


def _of_numbers(
    frame: pd.DataFrame, columns: ColumnMap, country: str | None, heard: npt.NDArray[np.int8]
) -> tuple[Telling, npt.NDArray[np.int8]]:
    """The numbers that refusals in one phone column are said of, and what is left to be said of the person.

    Of "no SMS" nothing is left, and a question of "opted out", which people say and lines do not. Where no
    number can be read, all of it is.
    """
    places = np.flatnonzero(heard == Refusal.SAID)
    cells, homes = phone_cells(frame.iloc[places], columns, country)
    found = numbers_in(cells.str.strip(), homes)
    valid = found[found["valid"]]
    left = heard.copy()
    for cell in np.unique(valid["cell"]):
        left[places[cell]] = Refusal.NONE if _is_about_texts(str(cells.iloc[cell])) else Refusal.HELD
    rows = places[valid["cell"].to_numpy()]
    numbers = subscribers_of(valid["phone"])
    return Telling(Problem.NUMBER_REFUSED, columns.phones[0], rows, rows, numbers), left


def _is_about_texts(cell: str) -> bool:
    """Whether a refusal says no more than that a line takes no texts."""
    title = read_title(cell)
    rest = title.without(title.says("header_no_texts"))
    return (words("harmless") | words("label") | words("label_ending")).issuperset(rest)


def _suspects(cells: pd.Series, *, is_name: bool) -> tuple[Places, Places, pa.Array]:
    """The rows where a refusal may be, the place of each one's text among the distinct ones, and those."""
    rows = np.arange(len(cells))
    if len(cells) > _SOON_TOLD_APART and not repeats(cells):
        texts = arrow_of(cells)
        rows = np.flatnonzero(~are_of_figures(texts))  # figures refuse nothing
        texts = texts if len(rows) == len(texts) else texts.take(pa.array(rows))
        rows = rows[_may_refuse(texts, by_shape=not is_name) | label_look().may_hold(texts)]
    return rows, *encoded(cells.iloc[rows])


def _may_refuse(texts: pa.ChunkedArray, *, by_shape: bool = True) -> Mask:
    """Which texts may refuse by their words, or by their shape: words for texts and one that negates them.

    The first look is for either, and quick; few texts are looked at again.
    """
    found = _either_look().may_hold(texts)
    some = np.flatnonzero(found)
    left = texts.take(pa.array(some))
    found[some] = _words_look().may_hold(left)
    if by_shape:
        found[some] |= _negating_look().may_hold(left)
    return found


def _read(texts: pa.Array, wanted: Mask, read: Callable[[str], Refusal]) -> npt.NDArray[np.int8]:
    refusal, places = np.zeros(len(texts), np.int8), np.flatnonzero(wanted)
    refusal[places] = [read(text) for text in texts.take(pa.array(places)).to_pylist()]
    return refusal


def _listener(column: str, *, is_name: bool) -> Callable[[str], Refusal]:
    """How to listen to a column's cells: what some say is about e-mail, or the person's name."""
    if is_name:
        return _in_name
    title = read_title(column)
    is_elsewhere = title.says("header_other_channel") and not title.says("header_texts", "header_mobile")
    return _beside_channels if is_elsewhere else _in_remark


def _in_remark(text: str) -> Refusal:
    """In any other cell, a text that only sounds like a refusal is asked about."""
    return refusal_in(text) or (Refusal.HELD if may_refuse(text) else Refusal.NONE)


def _beside_channels(text: str) -> Refusal:
    """Below "Newsletter", "unsubscribed" speaks of the newsletter; "do not text" speaks of texts.

    What else is said, as in "opted out of everything", is asked about.
    """
    title = read_title(text)
    leaving = title.says("header_leaving", "header_opt_in")
    if not leaving or title.says("channel_texts", "header_messages"):
        return refusal_in(text)
    beside = title.without(
        leaving | title.says("header_other_channel", "header_glue", "header_when", "header_not")
    )
    return min(refusal_in(text), Refusal.NONE if words("harmless").issuperset(beside) else Refusal.HELD)


def _in_name(text: str) -> Refusal:
    """In a name, a single word may be the name itself: Mr Stopp is left to a person, "STOP 07400 123456" not.

    So is whoever has such a word in capitals before or after the name: "Ann Lee STOP".
    """
    if refuses_alone(text) and not holds_number(text):
        return min(refusal_in(text), Refusal.HELD)
    is_shouted = any(map(refuses_alone, SHOUTED.findall(text)))
    return max(refusal_in(text), Refusal.HELD if is_shouted else Refusal.NONE)


def _struck_out(cells: pd.Series) -> npt.NDArray[np.int8]:
    """Numbers that somebody struck out may be old, or those of people who left."""
    refusal, texts = np.zeros(len(cells), np.int8), arrow_of(cells)
    signed = np.flatnonzero(~are_of_figures(texts))
    struck: Mask = pc.match_substring_regex(texts.take(pa.array(signed)), _STRUCK_OUT).to_numpy()
    refusal[signed[struck]] = Refusal.HELD
    return refusal


@cache
def _either_look() -> PhraseLook:
    return PhraseLook((*refusal_phrases(), *object_phrases()))


@cache
def _words_look() -> PhraseLook:
    return PhraseLook(refusal_phrases())


@cache
def _negating_look() -> PhraseLook:
    return PhraseLook(negating_phrases())
