"""HTML codes left in cells by exports of web pages, such as D&#039;Angelo, are read as their characters.

Only whole codes count, with their semicolon and a number or a name of HTML's list: "R&D;" and "AT&T" stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from html.entities import html5

import pandas as pd

from dashboard.contacts.arrow.texts import may_hold
from dashboard.contacts.read.note_words import some_of
from dashboard.words import plural

__all__ = ["ENTITIES_DECODED", "decoded", "decoded_cells", "entity_notes"]

ENTITIES_DECODED = "entities_decoded"
"""The code in `repairs`."""

_CODE = re.compile(r"&(?:#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});")
_MOST_TIMES = 5
"""How often a text may have been escaped."""


def decoded(text: str) -> str:
    """A text without HTML codes, however often it was escaped; a blank that does not break is a blank.

    Example:
        >>> decoded("D&#039;Angelo"), decoded("M&amp;amp;S"), decoded("R&D; AT&T")
        ("D'Angelo", 'M&S', 'R&D; AT&T')
    """
    for _time in range(_MOST_TIMES):
        before, text = text, _CODE.sub(_character, text)
        if text == before:
            break
    return text


def decoded_cells(cells: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Cells without HTML codes, and the rows in which there were some."""
    cells, rows = cells.copy(deep=False), pd.Series(data=False, index=cells.index)
    for place in range(cells.shape[1]):
        column = cells.iloc[:, place]
        if not may_hold(column, b"&"):
            continue
        texts = column[column.str.contains("&", regex=False)]
        new = texts.map(decoded)
        new = new[new != texts].str.strip()
        if len(new):
            column = column.copy()
            column.loc[new.index] = new
            cells.isetitem(place, column.array)
            rows.loc[new.index] = True
    return cells, rows


def entity_notes(rows: Sequence[int]) -> tuple[str, ...]:
    """That these rows had HTML codes, in a sentence; none if there are no rows."""
    if not len(rows):
        return ()
    return (
        plural(
            len(rows),
            "HTML codes such as &amp; were read as their characters in {count} row (row {rows}).",
            "HTML codes such as &amp; were read as their characters in {count} rows (row {rows}).",
            rows=some_of(rows),
        ),
    )


def _character(code: re.Match[str]) -> str:
    name = code[0][1:]
    if name[0] != "#" and name not in html5:
        return code[0]
    character = unescape(code[0]).replace("\xa0", " ")
    return code[0] if character in {"", "\ufffd"} else character
