"""Columns of a few words repeated many times: each distinct word is looked up once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.texts import arrow_of

__all__ = ["distinct", "where"]


def distinct(cells: pd.Series) -> tuple[npt.NDArray[Any], list[str]]:
    """For each cell the position of its word among the distinct words, and those words."""
    encoded = arrow_of(cells).dictionary_encode().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):  # no rows, no chunks
        return np.empty(0, np.int64), []
    return encoded.indices.to_numpy(), encoded.dictionary.to_pylist()


def where(cells: pd.Series, is_so: Callable[[str], bool]) -> pd.Series:
    """Whether something holds for each cell."""
    place, words = distinct(cells)
    return pd.Series(np.array([is_so(word) for word in words], np.bool_)[place], index=cells.index)
