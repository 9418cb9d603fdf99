"""Find the header: it may be below a title and blank rows, span two rows, or be missing altogether."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress, pairwise

from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.table import Table
from dashboard.contacts.words.headings import Heading, read_heading
from dashboard.contacts.words.lexicon import known_headers
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["Header", "find_header"]

_ROWS_SEARCHED = 1_000
_FILLED_ROWS_SEARCHED = 30
_DATE = r"(?!\d{4}-\d\d?-\d\d?\b|\d\d?[./-]\d\d?[./-]\d{4}\b)"
_PHONE_LIKE = re.compile(rf"^[='\"\s]*(?i:tel:)?{_DATE}\+?\(?\d[\d\s().\-/]{{5,24}}\"?$")
_TRUNK_LIKE = re.compile(r"^[='\"\s]*(?i:tel:)?\(?[+0]")
_SHORT_NUMBER = re.compile(r"^\d{1,4}$")
_MOMENT = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?[./-]\d\d?[./-]\d{4}|\d\d?:\d\d(?::\d\d)?")
_FEWEST_OF_PHONE = 9
_DATA_LIKE = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]+$|^\d[\d.,:\-/ ]*$")


@dataclass(frozen=True, slots=True)
class Header:
    """Where the header is and what it names.

    Attributes:
        row: Its row number, the first if it spans two; None if the sheet has no header.
        titles: Its cells as typed, "" where empty.
        first_data_position: Position in the table of the first row that can be a contact.
        notes: What was guessed, in sentences.
        above: The cells of each row above it that holds anything.
    """

    row: int | None
    titles: tuple[str, ...]
    first_data_position: int
    notes: tuple[str, ...] = ()
    above: tuple[tuple[str, ...], ...] = ()

    @property
    def names(self) -> list[str]:
        """Unique column names made of its titles."""
        return unique_names(self.titles)


def find_header(table: Table, row: int | None = None) -> Header:
    """Take the row given as header, or find it.

    Args:
        table: The sheet.
        row: Row number of the header; 0 for a sheet without one; None to look for it.

    Raises:
        SheetError: There is no such row.
    """
    if table.titles is not None:
        return Header(None, table.titles, 0)
    if row == 0:
        return _no_header(table)
    if row is not None:
        positions = (table.rows == row).to_numpy().nonzero()[0]
        if not len(positions):
            raise SheetError(
                _("There is no row {row} in the sheet. Give the row number of its header, or 0.").format(
                    row=row
                )
            )
        return _header_at(table, int(positions[0]))
    position = _search(table)
    return _no_header(table) if position is None else _header_at(table, position)


def _search(table: Table) -> int | None:
    """Position of the header: the row with the most known spellings, else the first full row of plain words.

    A row of plain words right above the first phone, with a word above the phone, counts as fuller than any
    other. No header has two rows of phones above it, and none is a line such as "STOP" among other rows.
    """
    rows = [(place, cells) for place, cells in _first_rows(table) if not _is_refusing_line(cells)]
    phones = [place for place, cells in rows if any(map(_PHONE_LIKE.match, cells))]
    last = phones[1] if len(phones) > 1 else len(table.rows)
    may_be = [
        (place, {*cells}) for place, cells in rows if place < last and not any(map(_is_never_title, cells))
    ]
    known = [(known_headers(cells), -place) for place, cells in may_be]  # "Do not text" in every cell is one
    if known and max(known)[0] > 0:
        return -max(known)[1]
    above = _above_first_phone(rows)
    if above is not None:
        return above
    widths = sorted(sum(map(bool, cells)) for _, cells in rows)
    usual_width = widths[len(widths) // 2] if widths else 0
    for place, cells in rows:
        if any(map(_is_data, cells)):
            return None
        if 2 * sum(map(bool, cells)) > usual_width:
            return place
    return None


def _above_first_phone(rows: list[tuple[int, list[str]]]) -> int | None:
    for (place, above), (_place, cells) in pairwise(rows):
        phones = [bool(_PHONE_LIKE.match(cell)) for cell in cells]
        if any(phones):
            is_header = not any(map(_is_data, above)) and all(compress(above, phones))
            return place if is_header else None
    return None


def _is_refusing_line(cells: list[str]) -> bool:
    """Whether a row is nothing but words that refuse, in a sheet of several columns."""
    filled = [cell for cell in cells if cell]
    refuses = {Heading.REFUSES, Heading.MENTIONS}
    return len(cells) > 1 and len(filled) == 1 and read_heading(filled[0]) in refuses


def _first_rows(table: Table) -> list[tuple[int, list[str]]]:
    """The first rows with anything in them, and their positions."""
    top = table.cells.head(_ROWS_SEARCHED)
    top = top[(top != "").any(axis=1)].head(_FILLED_ROWS_SEARCHED)
    cells = [[str(cell).strip() for cell in row] for row in top.itertuples(index=False, name=None)]
    return [(int(place), row) for place, row in zip(top.index, cells, strict=True) if any(row)]


def _is_data(cell: str) -> bool:
    """Whether a cell is a phone, e-mail or number, or has the digits of a phone besides days and times."""
    is_value = bool(_PHONE_LIKE.match(cell) or _DATA_LIKE.match(cell))
    return is_value or sum(map(str.isdecimal, _MOMENT.sub("", cell))) >= _FEWEST_OF_PHONE


def _is_never_title(cell: str) -> bool:
    """A phone, e-mail or number, except for short ones: a column may be headed 2026."""
    return bool(_PHONE_LIKE.match(cell) or _DATA_LIKE.match(cell)) and not _SHORT_NUMBER.match(cell)


def _header_at(table: Table, position: int) -> Header:
    first, last, titles = _with_other_row(table, position) or (position, position, _row(table, position))
    row = int(table.rows.iloc[first])
    notes = []
    above = tuple(filter(any, map(_squeezed, table.cells.iloc[:first].itertuples(index=False, name=None))))
    if above:
        notes.append(
            _("The header was found in row {row}; everything above it was left out.").format(row=row)
        )
    if last > first:
        notes.append(
            _("The header spans two rows, {first} and {second}, which were joined.").format(
                first=row, second=int(table.rows.iloc[last])
            )
        )
    return Header(row, titles, last + 1, tuple(notes), above)


def _with_other_row(table: Table, position: int) -> tuple[int, int, tuple[str, ...]] | None:
    """Positions and titles of a header of two rows of which this is one."""
    for top, bottom in ((position, position + 1), (position - 1, position)):
        if top >= 0 and bottom < len(table.rows):
            titles = _joined(_row(table, top), _row(table, bottom))
            if titles is not None:
                return top, bottom, titles
    return None


def _row(table: Table, position: int) -> tuple[str, ...]:
    return _squeezed(table.cells.iloc[position])


def _squeezed(cells: Iterable[object]) -> tuple[str, ...]:
    return tuple(" ".join(str(cell).split()) for cell in cells)


def _joined(top: tuple[str, ...], bottom: tuple[str, ...]) -> tuple[str, ...] | None:
    """Two rows as one header, if they are one: "Phone" above "Mobile" and "Home", and nothing below "Name".

    A title that spans several cells has one title below each; one that spans two rows has nothing, or itself,
    below it. At least one of either kind must be there, and something below must be a known header.
    """
    starts = [place for place, title in enumerate(top) if title]
    if not starts or not known_headers(list(bottom)) or any(map(_is_data, bottom)):
        return None
    titles, kinds = [*bottom[: starts[0]], *top[starts[0] :]], set()
    for start, end in pairwise([*starts, len(top)]):
        below = list(bottom[start:end])
        while len(below) > 1 and not below[-1]:
            below.pop()
        if len(below) > 1 and all(below):
            kinds.add("wide")
            titles[start : start + len(below)] = [f"{top[start]} {title}" for title in below]
        elif below in ([""], [top[start]]):
            kinds.add("tall")
        else:
            return None
    return tuple(titles) if kinds == {"wide", "tall"} else None


def _no_header(table: Table) -> Header:
    """Name the columns by position, and the one that looks most like phones "phone"."""
    top = [cells for _, cells in _first_rows(table)]
    likeness = [sum(map(_phone_likeness, column)) for column in zip(*top, strict=True)]
    titles = [""] * table.cells.shape[1]
    if max(likeness, default=0) > 0:
        titles[likeness.index(max(likeness))] = "phone"
    note = _("The sheet has no header row; its columns were named by their position.")
    return Header(None, tuple(titles), 0, (note,))


def _phone_likeness(cell: str) -> int:
    """2 for texts that begin with + or 0 and look like a phone, 1 for other such numbers, such as ids."""
    return 1 + bool(_TRUNK_LIKE.match(cell)) if _PHONE_LIKE.match(cell) else 0
