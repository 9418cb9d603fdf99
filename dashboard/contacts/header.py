"""Find the header: it may stand under a title and blank rows, or be missing altogether."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dashboard.contacts.naming import unique_names
from dashboard.contacts.table import Table
from dashboard.contacts.vocabulary import known_headers
from dashboard.errors import SheetError

__all__ = ["Header", "find_header"]

_ROWS_SEARCHED = 30
_PHONE_LIKE = re.compile(r"^[='\"\s]*\+?\(?\d[\d\s().\-/]{5,24}\"?$")
_DATA_LIKE = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$|^\d[\d.,:\-/ ]*$")


@dataclass(frozen=True, slots=True)
class Header:
    """Where the header stands and what it names.

    Attributes:
        row: Its row number; None when the sheet has no header.
        titles: Its cells as typed, "" where empty.
        names: Unique column names made of them.
        first_data_position: Position in the table of the first row that can be a contact.
        notes: What was guessed, in sentences.
    """

    row: int | None
    titles: tuple[str, ...]
    names: tuple[str, ...]
    first_data_position: int
    notes: tuple[str, ...] = ()


def find_header(table: Table, row: int | None = None) -> Header:
    """Take the row given as header, or find it.

    Args:
        table: The sheet.
        row: Row number of the header; 0 for a sheet without one; None to look for it.

    Raises:
        SheetError: There is no such row.
    """
    if table.titles is not None:
        return Header(None, table.titles, tuple(unique_names(table.titles)), 0)
    if row == 0:
        return _no_header(table)
    if row is not None:
        positions = (table.rows == row).to_numpy().nonzero()[0]
        if not len(positions):
            raise SheetError(f"There is no row {row} in the sheet. Give the row number of its header, or 0.")
        return _header_at(table, int(positions[0]))
    position = _search(table)
    return _no_header(table) if position is None else _header_at(table, position)


def _search(table: Table) -> int | None:
    """Position of the header: the row with most known spellings, else the first full row of plain words."""
    rows = [(place, cells) for place, cells in enumerate(_first_rows(table)) if any(cells)]
    known = [(known_headers(cells), -place) for place, cells in rows if not any(map(_is_data, cells))]
    if known and max(known)[0] > 0:
        return -max(known)[1]
    widths = sorted(sum(map(bool, cells)) for _, cells in rows)
    usual_width = widths[len(widths) // 2] if widths else 0
    for place, cells in rows:
        if any(map(_is_data, cells)):
            return None
        if 2 * sum(map(bool, cells)) > usual_width:
            return place
    return None


def _first_rows(table: Table) -> list[list[str]]:
    top = table.cells.head(_ROWS_SEARCHED)
    return [[str(cell).strip() for cell in row] for row in top.itertuples(index=False, name=None)]


def _is_data(cell: str) -> bool:
    return bool(_PHONE_LIKE.match(cell) or _DATA_LIKE.match(cell))


def _header_at(table: Table, position: int) -> Header:
    titles = tuple(" ".join(str(cell).split()) for cell in table.cells.iloc[position])
    row = int(table.rows.iloc[position])
    above = (table.cells.iloc[:position] != "").any(axis=1).sum()
    notes = (f"The header was found in row {row}; what stands above it was left out.",) if above else ()
    return Header(row, titles, tuple(unique_names(titles)), position + 1, notes)


def _no_header(table: Table) -> Header:
    """Name the columns by place, and the one that looks most like phones "phone"."""
    top = _first_rows(table)
    width = table.cells.shape[1]
    likeness = [sum(bool(_PHONE_LIKE.match(row[place])) for row in top) for place in range(width)]
    titles = [""] * width
    if max(likeness, default=0) > 0:
        titles[likeness.index(max(likeness))] = "phone"
    note = "The sheet has no header row; its columns were named by their place."
    return Header(None, tuple(titles), tuple(unique_names(titles)), 0, (note,))
