"""Names of columns: every one different, none empty."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd

__all__ = ["index_columns", "side_by_side", "unique_names", "without_count"]

_COUNT = re.compile(r"#\d+$")
_MOST_ROWS = 10**8
"""A whole number beyond it counts no rows; it may be a phone."""


def unique_names(names: Sequence[str]) -> list[str]:
    """Number repeated names and name empty ones by their position.

    Example:
        >>> unique_names(["phone", "phone", ""])
        ['phone', 'phone#2', 'column 3']
    """
    taken: set[str] = set()
    spoken_for = set(names)
    unique = []
    for place, name in enumerate(names, start=1):
        wanted = name or f"column {place}"
        candidate, count = wanted, 1
        while candidate in taken or (count > 1 and candidate in spoken_for):
            count += 1
            candidate = f"{wanted}#{count}"
        taken.add(candidate)
        unique.append(candidate)
    return unique


def without_count(name: str) -> str:
    """A column's name without the number that `unique_names` gave it: "Mobile" of "Mobile#2"."""
    return _COUNT.sub("", name)


def side_by_side(*frames: pd.DataFrame) -> pd.DataFrame:
    """Frames with the same index joined into one; a name already used by an earlier column gets a number."""
    table = pd.concat(frames, axis=1)
    return table.set_axis(unique_names(list(table.columns)), axis=1)


def index_columns(index: pd.Index) -> pd.DataFrame:
    """The levels of an index as columns, "" where they have no name; none if it only counts rows.

    Example:
        >>> list(index_columns(pd.Index(["+447400123456"], name="mobile")))
        ['mobile']
        >>> list(index_columns(pd.Index([3, 7])))
        []
    """
    is_number = pd.api.types.is_numeric_dtype(index) and not pd.api.types.is_bool_dtype(index)
    is_count = index.empty or (is_number and not index.max() >= _MOST_ROWS)
    columns = index.to_frame(index=False).set_axis(
        ["" if name is None else name for name in index.names], axis=1
    )
    return columns.iloc[:, :0] if is_count and list(index.names) == [None] else columns
