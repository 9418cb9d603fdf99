"""What the cells of every column say about texts, whatever the column is called: "Notes: do not text".

The columns meant for it are read in consent.py. All others are searched here: tags, notes, lists, names, and
words next to the number in a phone cell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.distinct import distinct
from dashboard.contacts.arrow.phrases import PhraseLook
from dashboard.contacts.arrow.texts import arrow_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.vocabulary.lexicon import words
from dashboard.contacts.vocabulary.refusal import Refusal, refusal_in, refusal_phrases
from dashboard.contacts.vocabulary.spelling import bare

__all__ = ["Heard", "heard_in"]

Mask = npt.NDArray[np.bool_]
_STRUCK_OUT = r"~~.*~~|<(?:s|del|strike)>|[\x{0335}\x{0336}]"


@dataclass(frozen=True)
class Heard:
    """What rows were found to say.

    Attributes:
        said: Rows that refuse in so many words.
        held: Rows in which a refusal is among other words.
        columns: In how many rows each column was found to refuse.
    """

    said: Mask
    held: Mask
    columns: dict[str, int]


def heard_in(frame: pd.DataFrame, columns: ColumnMap) -> Heard:
    """Search every cell except those that are read as answers.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
    """
    said, held = np.zeros(len(frame), np.bool_), np.zeros(len(frame), np.bool_)
    found: dict[str, int] = {}
    named = {columns.first_name, columns.last_name, columns.full_name, columns.email, columns.country}
    for column in frame.columns:
        if column in columns.consents or column in columns.opt_outs:
            continue
        refusal = _refusals(frame[column], _in_name if column in named else refusal_in)
        if column in columns.phones:
            refusal = np.maximum(refusal, _struck_out(frame[column]))
        rows = int(np.count_nonzero(refusal))
        if rows:
            found[str(column)] = rows
            said |= refusal == Refusal.SAID
            held |= refusal == Refusal.HELD
    return Heard(said, held, found)


def _refusals(cells: pd.Series, listen: Callable[[str], Refusal]) -> npt.NDArray[np.int8]:
    refusal = np.zeros(len(cells), np.int8)
    suspects = np.flatnonzero(_look().may_hold(arrow_of(cells)))
    if len(suspects):
        place, texts = distinct(cells.iloc[suspects])
        refusal[suspects] = np.array([listen(text) for text in texts], np.int8)[place]
    return refusal


def _in_name(text: str) -> Refusal:
    """In a name, a single word may be the name itself: Mr Stopp is left to a person, not refused."""
    return min(refusal_in(text), Refusal.HELD) if bare(text) in words("refusal_alone") else refusal_in(text)


def _struck_out(cells: pd.Series) -> npt.NDArray[np.int8]:
    """Numbers that somebody struck out may be old, or those of people who left."""
    struck: Mask = pc.match_substring_regex(arrow_of(cells), _STRUCK_OUT).to_numpy()
    return np.where(struck, Refusal.HELD, Refusal.NONE).astype(np.int8)


@cache
def _look() -> PhraseLook:
    return PhraseLook(refusal_phrases())
