"""Numbers of a refusing row outside the phone columns: its fax, its opt-out cell, columns that are offered.

Another row may know the person who refuses by one of these. A number in somebody else's column, "Mother's
mobile", may belong to that person, who said nothing.
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
from dashboard.contacts.words.own_line import names_stranger
from dashboard.contacts.words.title import read_title

__all__ = ["NumbersBeside", "numbers_beside"]

Numbers = npt.NDArray[np.int64]
_BEGUN = r"^['\"=+(0-9]"
_SHAPED = re.compile(r"['\"=]*\+?\(?[0-9][0-9\s().\-/]{5,24}\"?(?:\.0)?")
_TELLING = re.compile(r"['\"=]*(?:\+|0|\(0|\(\d{3}\))")
_DATED = re.compile(r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[./-]\d\d?[./-]\d{4}")
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


def numbers_beside(frame: pd.DataFrame, columns: ColumnMap, country: str | None) -> NumbersBeside:
    """The valid numbers in cells of columns that are not tried as phones.

    Cells count if they begin like phones, with a plus or a zero; in columns named as phones, or with
    opt-outs, all cells shaped like a phone count.

    Args:
        frame: Rows that refuse; all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
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
    places = places[where(begun, _is_shaped) & wanted]
    if not places.size:
        return _NOBODY
    found = numbers_in(texts.take(places).reset_index(drop=True), homes.take(places).reset_index(drop=True))
    valid = found[found["valid"]]
    numbers, strangers = subscribers_of(valid["phone"]), _of_strangers(frame, columns)
    column, row = np.divmod(places[valid["cell"].to_numpy()], len(frame))
    is_theirs = np.array([name in strangers for name in others], np.bool_)[column]
    return NumbersBeside(numbers[~is_theirs], row[~is_theirs], numbers[is_theirs], row[is_theirs])


def _is_shaped(text: str) -> bool:
    return _SHAPED.fullmatch(text) is not None and _DATED.match(text) is None


def _of_strangers(frame: pd.DataFrame, columns: ColumnMap) -> frozenset[str]:
    """The columns of somebody else than the row's own person, by their own name or the one before them."""
    names = [name for name in map(str, frame.columns) if name not in columns.telling]
    titles = {name: read_title(without_count(name)) for name in names}
    by_name = {name for name, title in titles.items() if names_stranger(title)}
    return lines_of_others(titles) | by_name
