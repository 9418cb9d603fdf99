"""Columns of a few words repeated many times: each distinct word is looked up once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.texts import arrow_of

__all__ = ["distinct", "encoded", "repeats", "where"]

_SAMPLE, _MOST_DISTINCT = 10_000, 0.75


def distinct(cells: pd.Series) -> tuple[npt.NDArray[Any], list[str]]:
    """For each cell the position of its word among the distinct words, and those words."""
    place, words = encoded(cells)
    return place, words.to_pylist()


def encoded(cells: pd.Series) -> tuple[npt.NDArray[Any], pa.Array]:
    """The same with the words as Arrow has them."""
    found = arrow_of(cells).dictionary_encode().combine_chunks()
    if isinstance(found, pa.ChunkedArray):  # no rows, no chunks
        return np.empty(0, np.int64), pa.array([], pa.large_string())
    return found.indices.to_numpy(), found.dictionary


def repeats(cells: pd.Series) -> bool:
    """Whether a column's words are so few that it is worth finding the distinct ones, by a sample of them."""
    every = max(len(cells) // _SAMPLE, 1)
    _place, words = distinct(cells.iloc[::every])
    return len(words) <= _MOST_DISTINCT * len(range(0, len(cells), every))


def where(cells: pd.Series, is_so: Callable[[str], object]) -> pd.Series:
    """Whether something holds for each cell."""
    place, words = distinct(cells)
    return pd.Series(np.array([bool(is_so(word)) for word in words], np.bool_)[place], index=cells.index)
