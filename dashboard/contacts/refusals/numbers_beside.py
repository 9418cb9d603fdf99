"""Numbers of a refusing row outside the phone columns: its fax, its opt-out cell, columns that are offered.

Another row may know the person who refuses by one of these. A row without a phone may name it among its
words: "Do not text 07400 123456". A number in somebody else's column, "Mother's mobile", may belong to that
person, who said nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.distinct import where
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.categories import subscribers_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.neighbours import lines_of_others
from dashboard.contacts.numbers.cells import numbers_in
from dashboard.contacts.numbers.of_rows import phone_cells
from dashboard.contacts.read.column_names import without_count
from dashboard.contacts.words.headings import headings_look
from dashboard.contacts.words.own_line import names_stranger
from dashboard.contacts.words.refusal import refusal_in
from dashboard.contacts.words.title import read_title

__all__ = ["NumbersBeside", "numbers_beside"]

Numbers = npt.NDArray[np.int64]
_BEGUN = r"^['\"=+(0-9]"
_SHAPED = re.compile(r"['\"=]*\+?\(?[0-9][0-9\s().\-/]{5,24}\"?(?:\.0)?")
_TELLING = re.compile(r"['\"=]*(?:\+|0|\(0|\(\d{3}\))")
_DATED = re.compile(r"(?<![\d./+-])(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[./-]\d\d?[./-]\d{4})(?![./-]?\d)")
_LONG = r"(?:\d\D*){7}"
_AMONG_WORDS = re.compile(r"(?<!\w)[+(]*\d[\d\s().\-/]{5,24}\d(?![\w@:])")
_NOUNS = ("header_mobile", "header_phone", "header_number", "header_no_texts", "phone_never")


@dataclass(frozen=True)
class NumbersBeside:
    """Numbers in columns that are not tried as phones; +447400123456 is 447400123456.

    Attributes:
        own: Those in columns that may be the row's own person's.
        rows: The position of the row of each of `own`.
        of_others: Those in columns of somebody else.
        rows_of_others: The position of the row of each of these.
    """

    own: Numbers
    rows: npt.NDArray[np.intp]
    of_others: Numbers
    rows_of_others: npt.NDArray[np.intp]


_NOBODY = NumbersBeside(*[np.empty(0, np.int64)] * 4)


def numbers_beside(
    frame: pd.DataFrame, columns: ColumnMap, country: str | None, *, among_words: bool = False
) -> NumbersBeside:
    """The valid numbers in cells of columns that are not tried as phones.

    Cells count if they begin like phones, with a plus or a zero; in columns named as phones, or with
    opt-outs, all cells shaped like a phone count.

    Args:
        frame: Rows that refuse; all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
        among_words: Whether numbers among the words of cells count as well.
    """
    others = tuple(name for name in map(str, frame.columns) if name not in {*columns.phones, columns.country})
    if frame.empty or not others:
        return _NOBODY
    cells, homes = phone_cells(frame, replace(columns, phones=others), country)
    texts = cells.str.strip()
    named = [
        name in columns.offered or name in columns.opt_outs or bool(read_title(name).says(*_NOUNS))
        for name in others
    ]
    places = np.flatnonzero(pc.match_substring_regex(arrow_of(texts), _BEGUN))
    begun = texts.take(places)
    wanted = where(begun, _TELLING.match) | np.array(named, np.bool_)[places // len(frame)]
    read = begun[where(begun, _is_shaped) & wanted]
    read = pd.concat([read, _among_words(texts)]) if among_words else read
    if read.empty:
        return _NOBODY
    places = read.index.to_numpy()
    found = numbers_in(read.reset_index(drop=True), homes.take(places).reset_index(drop=True))
    valid = found[found["valid"]]
    numbers, strangers = subscribers_of(valid["phone"]), _of_strangers(frame, columns)
    column, row = np.divmod(places[valid["cell"].to_numpy()], len(frame))
    is_theirs = np.array([name in strangers for name in others], np.bool_)[column]
    return NumbersBeside(numbers[~is_theirs], row[~is_theirs], numbers[is_theirs], row[is_theirs])


def _is_shaped(text: str) -> bool:
    return _SHAPED.fullmatch(text) is not None and _DATED.match(text) is None


def _among_words(texts: pd.Series) -> pd.Series:
    """What may be a number among the words of some texts, each on the index of its text; no dates.

    What has only the digits of one may be an id, unless the text itself refuses.
    """
    long = texts[pc.match_substring_regex(arrow_of(texts), _LONG).to_numpy()]
    told = headings_look().may_hold(arrow_of(long))
    found = [_numbers_of(text, may_refuse=may_refuse) for text, may_refuse in zip(long, told, strict=True)]
    return pd.Series(found, long.index, "object").explode().dropna().astype("str")


def _numbers_of(text: str, *, may_refuse: bool) -> list[str]:
    found = _AMONG_WORDS.findall(_DATED.sub(" ", text)) if any(map(str.isalpha, text)) else []
    return found if may_refuse and refusal_in(text) else list(filter(_TELLING.match, found))


def _of_strangers(frame: pd.DataFrame, columns: ColumnMap) -> frozenset[str]:
    """The columns of somebody else than the row's own person, by their own name or the one before them."""
    names = [name for name in map(str, frame.columns) if name not in columns.telling]
    titles = {name: read_title(without_count(name)) for name in names}
    by_name = {name for name, title in titles.items() if names_stranger(title)}
    return lines_of_others(titles) | by_name
