"""Numbers of a refusing row outside the phone columns: its fax, its opt-out cell, columns that are offered.

Another row may know the person who refuses by one of these.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.verdicts.categories import numbers_of
from dashboard.contacts.verdicts.cells import numbers_in
from dashboard.contacts.verdicts.rows import phone_cells
from dashboard.contacts.vocabulary.title import read_title

__all__ = ["numbers_beside"]

_SHAPED = r"['\"=]*\+?\(?[0-9][0-9\s().\-/]{5,24}\"?(?:\.0)?"
_TELLING = r"['\"=]*(?:\+|0|\(0|\(\d{3}\))"
_DATED = r"\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[./-]\d\d?[./-]\d{4}"
_NOUNS = ("header_mobile", "header_phone", "header_number", "header_no_texts", "phone_never")


def numbers_beside(
    frame: pd.DataFrame, columns: ColumnMap, country: str | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The valid numbers in cells of columns that are not tried as phones.

    Cells count if they begin like phones, with a plus or a zero; in columns named as phones, or with
    opt-outs, all cells shaped like a phone count.

    Args:
        frame: Rows that refuse; all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.

    Returns:
        For each number the position of its row, and the phone as a number: +447400123456 is 447400123456.
    """
    others = tuple(name for name in map(str, frame.columns) if name not in {*columns.phones, columns.country})
    if frame.empty or not others:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    cells, homes = phone_cells(frame, replace(columns, phones=others), country)
    texts = cells.str.strip()
    named = [name in columns.offered or name in columns.opt_outs or _is_of_phones(name) for name in others]
    shaped = texts.str.fullmatch(_SHAPED) & ~texts.str.match(_DATED)
    shaped &= texts.str.match(_TELLING) | np.repeat(np.array(named, np.bool_), len(frame))
    places = np.flatnonzero(shaped.to_numpy(dtype=bool))
    found = numbers_in(texts.take(places).reset_index(drop=True), homes.take(places).reset_index(drop=True))
    valid = found[found["valid"]]
    return places[valid["cell"].to_numpy()] % len(frame), numbers_of(valid["phone"])


def _is_of_phones(column: str) -> bool:
    title = read_title(column)
    return bool(title.says(*_NOUNS))
