"""Columns of a few words repeated many times: each distinct word is looked up once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.texts import arrow_of

__all__ = ["distinct", "repeats", "where"]

_SAMPLE, _MOST_DISTINCT = 10_000, 0.75


def distinct(cells: pd.Series) -> tuple[npt.NDArray[Any], list[str]]:
    """For each cell the position of its word among the distinct words, and those words."""
    encoded = arrow_of(cells).dictionary_encode().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):  # no rows, no chunks
        return np.empty(0, np.int64), []
    return encoded.indices.to_numpy(), encoded.dictionary.to_pylist()


def repeats(cells: pd.Series) -> bool:
    """Whether a column's words are so few that it is worth finding the distinct ones, by a sample of them."""
    every = max(len(cells) // _SAMPLE, 1)
    _place, words = distinct(cells.iloc[::every])
    return len(words) <= _MOST_DISTINCT * len(range(0, len(cells), every))


def where(cells: pd.Series, is_so: Callable[[str], bool]) -> pd.Series:
    """Whether something holds for each cell."""
    place, words = distinct(cells)
    return pd.Series(np.array([is_so(word) for word in words], np.bool_)[place], index=cells.index)
