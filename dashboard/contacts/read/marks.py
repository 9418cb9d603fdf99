"""What a workbook marks beside its cells, as columns of their own, which go wherever the sheet goes.

Nobody who reads a sheet knows yet which of its columns hold phones; who judges its rows does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.words.answers import says_yes
from dashboard.contacts.words.headings import name_mentions_refusal
from dashboard.contacts.words.refusal import refusal_in
from dashboard.words import plural

__all__ = ["STRUCK_OUT", "strikes_out", "struck_column", "with_cell_notes", "with_struck_out"]

STRUCK_OUT, _NOTES_ON_CELLS = "Struck out", "Notes on cells"
"""In every language: choices are kept by the names of columns."""
_WHOLE_ROW = "whole row"
_BETWEEN = ", "


def with_struck_out(
    frame: pd.DataFrame, rows: pd.Series, struck: Collection[tuple[int, int]], names: Sequence[str]
) -> tuple[pd.DataFrame, list[str]]:
    """The sheet with a column that says which cells of a row are struck out, and a note if any are.

    Those are given by row number and place, the columns' names by place.
    """
    if not struck:
        return frame, []
    found: dict[int, list[str]] = {}
    for row, place in sorted(struck):
        if place < len(names) and names[place] in frame:
            found.setdefault(row, []).append(names[place])
    marked = rows[rows.isin(list(found))]
    filled = (frame.loc[marked.index] != "").sum(axis=1)
    texts = {
        row: _WHOLE_ROW if len(found[row]) == all_of_them else _BETWEEN.join(found[row])
        for row, all_of_them in zip(marked.tolist(), filled.tolist(), strict=True)
    }
    if not texts:
        return frame, []
    frame, column = _with_column(frame, rows, texts, STRUCK_OUT)
    note = plural(
        len(texts),
        'Struck out in the workbook: cells of {count} row (row {rows}); the column "{column}" says which. '
        "It is not texted without a question if its phone, its consent or the whole row is struck out.",
        'Struck out in the workbook: cells of {count} rows (row {rows}); the column "{column}" says which. '
        "Rows are not texted without a question if their phone, their consent or the whole row is struck "
        "out.",
        rows=some_of(list(texts)),
        column=column,
    )
    return frame, [note]


def with_cell_notes(
    frame: pd.DataFrame, rows: pd.Series, notes: Sequence[tuple[int, int, str]], names: Sequence[str]
) -> tuple[pd.DataFrame, list[str], list[tuple[str]]]:
    """The sheet with what stands in notes on a row's cells in a column, heard like any other.

    A note that refuses by nothing but an answer, such as "no", says of which column: "SMS consent: no".
    Notes are given by row number and place, the columns' names by place.

    Returns:
        The sheet, what to say of it, and the notes above the first contact, as lines above the header.
    """
    if not notes:
        return frame, [], []
    told: dict[int, list[str]] = {}
    said, here = list[str](), {*rows.tolist()}
    for row, place, text in notes:
        name = names[place] if row in here and 0 <= place < len(names) else ""
        is_bare = says_yes(text) is name_mentions_refusal(name) and not refusal_in(text)
        told.setdefault(row, []).append(f"{name}: {text}" if name and is_bare else text)
    texts = {row: "\n".join(spoken) for row, spoken in sorted(told.items())}
    beside = {row: text for row, text in texts.items() if row in here}
    if beside:
        frame, column = _with_column(frame, rows, beside, _NOTES_ON_CELLS)
        said.append(
            plural(
                len(beside),
                "Notes on cells: {count} row has some (row {rows}). They are in the column “{column}”.",
                "Notes on cells: {count} rows have some (row {rows}). They are in the column “{column}”.",
                rows=some_of(list(beside)),
                column=column,
            )
        )
    elsewhere = sorted(texts.keys() - here)
    if elsewhere:
        said.append(
            plural(
                len(elsewhere),
                "Notes on cells that are no contact’s: {count} row (row {rows}). Look what they say.",
                "Notes on cells that are no contact’s: {count} rows (row {rows}). Look what they say.",
                rows=some_of(elsewhere),
            )
        )
    return frame, said, [(texts[row],) for row in elsewhere if row < rows.min()]


def _with_column(
    frame: pd.DataFrame, rows: pd.Series, texts: Mapping[int, str], name: str
) -> tuple[pd.DataFrame, str]:
    """The sheet with texts by row number as its last column, and what that is called."""
    column = unique_names([*map(str, frame.columns), name])[-1]
    return frame.assign(**{column: rows.map(dict(texts)).fillna("").astype("str")}), column


def struck_column(names: Collection[str]) -> str | None:
    """The last column of these that says what is struck out, if there is one."""
    return next((name for name in reversed([*names]) if name.partition("#")[0] == STRUCK_OUT), None)


def strikes_out(cell: str, columns: Collection[str]) -> bool:
    """Whether such a column's cell says that the whole row is struck out, or one of these columns.

    Example:
        >>> strikes_out("Name, Mobile", ["Mobile"]), strikes_out("Name", ["Mobile"])
        (True, False)
    """
    struck = f"{_BETWEEN}{cell}{_BETWEEN}"
    return cell == _WHOLE_ROW or any(f"{_BETWEEN}{column}{_BETWEEN}" in struck for column in columns)
