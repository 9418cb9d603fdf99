"""Struck-out cells as a column of their own, which goes wherever the sheet goes.

Nobody who reads a sheet knows yet which of its columns hold phones; who judges its rows does.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.note_words import some_of
from dashboard.words import plural

__all__ = ["STRUCK_OUT", "strikes_out", "struck_column", "with_struck_out"]

STRUCK_OUT = "Struck out"
_WHOLE_ROW = "whole row"
_BETWEEN = ", "


def with_struck_out(
    frame: pd.DataFrame, rows: pd.Series, struck: Collection[tuple[int, int]], names: Sequence[str]
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The sheet with a column that says which cells of a row are struck out, and a note if any are.

    Args:
        frame: The cells.
        rows: Their row numbers, on the same index.
        struck: Row number and place of each cell that is struck out.
        names: What the columns are called, by their places.
    """
    if not struck:
        return frame, ()
    places = {number: place for place, number in enumerate(rows.tolist())}
    found: dict[int, list[str]] = {}
    for row, place in sorted(struck):
        if row in places and place < len(names) and names[place] in frame:
            found.setdefault(places[row], []).append(names[place])
    if not found:
        return frame, ()
    filled = (frame.iloc[list(found)] != "").sum(axis=1).tolist()
    texts = [""] * len(frame)
    for (place, titles), all_of_them in zip(found.items(), filled, strict=True):
        texts[place] = _WHOLE_ROW if len(titles) == all_of_them else _BETWEEN.join(titles)
    column = unique_names([*map(str, frame.columns), STRUCK_OUT])[-1]
    note = plural(
        len(found),
        'Struck out in the workbook: cells of {count} row (row {rows}); the column "{column}" says which. '
        "It is not texted without a question if its phone or the whole row is struck out.",
        'Struck out in the workbook: cells of {count} rows (row {rows}); the column "{column}" says which. '
        "Rows are not texted without a question if their phone or the whole row is struck out.",
        rows=some_of(rows.iloc[list(found)].tolist()),
        column=column,
    )
    return frame.assign(**{column: pd.Series(texts, frame.index, dtype="str")}), (note,)


def struck_column(names: Collection[str]) -> str | None:
    """The last column of these that says what is struck out, if there is one."""
    return next((name for name in reversed([*names]) if name.partition("#")[0] == STRUCK_OUT), None)


def strikes_out(cell: str, phones: Collection[str]) -> bool:
    """Whether such a column's cell says that the whole row is struck out, or one of these columns.

    Example:
        >>> strikes_out("Name, Mobile", ["Mobile"]), strikes_out("Name", ["Mobile"])
        (True, False)
    """
    struck = f"{_BETWEEN}{cell}{_BETWEEN}"
    return cell == _WHOLE_ROW or any(f"{_BETWEEN}{phone}{_BETWEEN}" in struck for phone in phones)
