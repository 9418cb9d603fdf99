"""Cells in a style: where they are in a worksheet's XML, what people see there, and what is struck out."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from math import isclose
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.read.table import ChangedCells
from dashboard.contacts.read.workbook.check import ShownNumber, Worksheet, chunks
from dashboard.contacts.read.workbook.date_format import is_read_as_day
from dashboard.contacts.read.workbook.number_format import Shown, kept_whole, shown, text_shown
from dashboard.contacts.read.workbook.parts import column_letters, column_number, opened
from dashboard.contacts.read.workbook.rich_texts import struck_cells
from dashboard.contacts.read.workbook.styles import STRUCK_TEXT
from dashboard.words import _

__all__ = ["Otherwise", "Seen", "note_of", "seen_in"]

_BEGIN = r"<(?:\w+:)?c\s"
_REST = (
    r"^[^<>]*>\s*(?:<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*)?"
    r"<(?:\w+:)?v(?:\s[^<>]*)?>\s*(?P<value>[-+.0-9eE]+)\s*<"
)
"""A cell's attributes, its formula if it has one, and a number; RE2 reads it without going back."""
_ABOUT = "^(?P<about>[^<>]*)>"
_PLACE = r"""\br\s*=\s*["']\$?(?P<column>[A-Za-z]{1,3})\$?(?P<row>[0-9]{1,7})["']"""
_STYLE = r"""\bs\s*=\s*["'](?P<style>[0-9]{1,7})["']"""
_IS_TEXT = r"""\bt\s*=\s*["'][^n"']"""
_IS_SHARED = r"""\bt\s*=\s*["']s["']"""
_MOST_SEARCHED = 100
"""How many styles one search may be for: beyond, it costs more than to look at every cell that has one."""
_NONE = pa.schema(
    [("row", pa.int64()), ("column", pa.int64()), ("style", pa.int64()), ("value", pa.string())]
)
_SHOWN_OF_PHONE = 4
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PHONE = re.compile(r"[-+]?\d{7,}")


class Otherwise(NamedTuple):
    """A cell that is read otherwise than it is shown: its column and row, its format, and how it is read."""

    column: int
    row: int
    code: str
    text: str


class Seen(NamedTuple):
    """A worksheet as people see it.

    Attributes:
        cells: The texts that cells show.
        otherwise: Of each column and format, one cell that is read otherwise.
        struck: Cells whose text is struck out: their row, from 1, and the place of their column in `cells`.
        is_placed: Whether all cells whose style matters say where they are; those that do not count for none.
    """

    cells: pd.DataFrame
    otherwise: list[Otherwise]
    struck: frozenset[tuple[int, int]]
    is_placed: bool = True


def seen_in(data: bytes, here: Worksheet, cells: pd.DataFrame, first: int) -> Seen:
    """What people see in a worksheet.

    Args:
        data: The workbook.
        here: What inspecting the worksheet has revealed.
        cells: Its texts, from row 1 and the first column that holds anything.
        first: The number of that column.
    """
    if here.shown or here.struck:
        texts, otherwise = _told(cells, here.shown, first)
        return Seen(texts, otherwise, _with_text(cells, _spanned(cells, here, first)))
    found = _styled(data, here)
    if found.empty:
        return Seen(cells, [], frozenset())
    is_placed = bool(found["row"].all())
    found = found[found["row"] > 0]
    codes = here.styles.codes
    of_texts = [style for style, code in codes.items() if text_shown("x", code) != Shown("x")]
    is_shown = found["style"].isin(of_texts) | found["value"].notna() & found["style"].isin(list(codes))
    texts, otherwise = _as_shown(cells, found[is_shown], here, first)
    struck = found[found["style"].isin([*here.styles.struck, STRUCK_TEXT])]
    places = zip(struck["row"].tolist(), (struck["column"] - first).tolist(), strict=True)
    return Seen(texts, otherwise, _with_text(cells, places), is_placed)


def _styled(data: bytes, here: Worksheet) -> pd.DataFrame:
    """The cells whose style matters."""
    styles = sorted({*here.styles.codes, *here.styles.struck})
    if not here.part or not (styles or here.styles.texts or here.has_strikes):
        return pd.DataFrame(here.styled, columns=_NONE.names)
    with opened(data) as archive:
        return _cells_in(archive, here, styles)


def _with_text(cells: pd.DataFrame, places: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Those of some cells that have a text."""
    rows, columns = cells.shape
    texts = ChangedCells(cells)
    return frozenset(
        (row, place)
        for row, place in places
        if row <= rows and 0 <= place < columns and texts[place][row - 1]
    )


def _spanned(cells: pd.DataFrame, here: Worksheet, first: int) -> Iterator[tuple[int, int]]:
    for rows, columns in here.struck:
        for row in range(rows[0], min(rows[1], len(cells)) + 1):
            for place in range(columns[0] - first, min(columns[1] - first + 1, cells.shape[1])):
                yield row, place


def _told(
    cells: pd.DataFrame, found: Sequence[ShownNumber], first: int
) -> tuple[pd.DataFrame, list[Otherwise]]:
    """The texts that cells say to show, as an OpenDocument spreadsheet's do."""
    texts, otherwise = ChangedCells(cells), dict[int, Otherwise]()
    for number in found:
        first_row, last_row = number.rows
        for place in range(number.columns[0] - first, min(number.columns[1] - first + 1, cells.shape[1])):
            if first_row > len(cells):
                continue
            read = _day(number) if number.day else kept_whole(number.text, texts[place][first_row - 1])
            texts[place][first_row - 1 : last_row] = read.text
            if not read.is_followed:
                otherwise.setdefault(place, Otherwise(place + first, first_row, number.text, read.text))
    return texts.frame(), list(otherwise.values())


def _day(number: ShownNumber) -> Shown:
    day, _sign, time = number.day.partition("T")
    time = time.removesuffix(":00")
    written = f"{day} {time}" if time not in {"", "00:00"} else day
    return Shown(number.text) if is_read_as_day(number.text) else Shown(written, is_followed=False)


def _cells_in(archive: zipfile.ZipFile, here: Worksheet, styles: Sequence[int]) -> pd.DataFrame:
    """The cells of a worksheet, checked before, that have any of these styles or a struck-out text.

    Returns:
        Their row, 0 if they do not say it, and column, numbered from 1, style, and the number they hold, as
        text, missing if none.
    """
    searched = "[0-9]+" if len(styles) > _MOST_SEARCHED else "|".join(map(str, styles))
    has_style = rf"""\bs\s*=\s*["'](?:{searched})["']"""
    has_any = f"(?:{has_style}|{_IS_SHARED})" if here.styles.texts else has_style
    wanted, texts = (
        pa.array(map(str, numbers), pa.binary()) for numbers in ([*styles, STRUCK_TEXT], here.styles.texts)
    )
    own = [
        {"row": row, "column": column, "style": STRUCK_TEXT}
        for row, column in (struck_cells(archive, here.part) if here.has_strikes else ())
    ]
    found = [_cells(chunk, has_any, wanted, texts) for chunk, _size in chunks(archive, here.part)]
    cells: pd.DataFrame = pa.concat_tables([pa.Table.from_pylist(own, _NONE), *found]).to_pandas()
    return cells


def _cells(chunk: bytes, has_any: str, wanted: pa.Array, struck: pa.Array) -> pa.Table:
    text = pa.array([chunk], pa.binary())
    if not pc.match_substring_regex(text, has_any)[0].as_py():
        return _NONE.empty_table()
    cells = pc.split_pattern_regex(text, _BEGIN).flatten()
    cells = cells.filter(pc.match_substring_regex(cells, "^[^<>]*" + has_any))
    about = pc.struct_field(pc.extract_regex(cells, _ABOUT), "about")
    value = pc.struct_field(pc.extract_regex(cells, _REST), "value")
    style, place = pc.extract_regex(about, _STYLE), pc.extract_regex(about, _PLACE)
    style = pc.struct_field(style, "style")
    is_struck = pc.and_(pc.match_substring_regex(about, _IS_SHARED), pc.is_in(value, struck))
    style = pc.if_else(is_struck, pa.scalar(str(STRUCK_TEXT).encode()), style)
    value = pc.if_else(pc.match_substring_regex(about, _IS_TEXT), pa.scalar(None, value.type), value)
    whole = pc.is_in(style, wanted)
    letters = pc.fill_null(pc.struct_field(place, "column"), b"A").filter(whole).dictionary_encode()
    numbers = np.array([column_number(name) for name in letters.dictionary.to_pylist()], np.int64)
    texts = (pc.fill_null(pc.struct_field(place, "row"), b"0"), style, value)
    row, style, value = (text.filter(whole).cast(pa.string()) for text in texts)
    columns = numbers[letters.indices.to_numpy()]
    return pa.table([row.cast(pa.int64()), columns, style.cast(pa.int64()), value], schema=_NONE)


def _as_shown(
    cells: pd.DataFrame, formatted: pd.DataFrame, here: Worksheet, first: int
) -> tuple[pd.DataFrame, list[Otherwise]]:
    changed, otherwise = ChangedCells(cells), dict[tuple[int, str], Otherwise]()
    formatted = formatted[formatted["row"] <= len(cells)]
    for column in sorted(set(formatted["column"].tolist())):
        found, place = formatted[formatted["column"] == column], column - first
        if not 0 <= place < cells.shape[1]:
            continue
        own = changed[place]
        found = found.assign(
            is_text=found["value"].isna(),
            value=found["value"].fillna(pd.Series(own[found["row"] - 1], found.index)),
        )
        texts = {}
        for row, style, value, is_text in _values(found.drop_duplicates(["style", "value", "is_text"])):
            read = Shown(own[row - 1], is_followed=False)
            if is_text:
                read = text_shown(value, here.styles.codes[style]) if value else Shown(value)
            elif _is_of(own[row - 1], value):
                read = shown(value, here.styles.codes[style], own[row - 1], is_1904=here.is_1904)
            texts[style, value, is_text] = read.text
            if not read.is_followed:
                code = here.styles.codes[style]
                otherwise.setdefault((column, code), Otherwise(column, row, code, read.text))
        own[found["row"] - 1] = [texts[one[1:]] for one in _values(found)]
    return changed.frame(), list(otherwise.values())


def _is_of(text: str, value: str) -> bool:
    """Whether a text can be what a reader made of this number, and not of the cell beside it."""
    try:
        return not text or _DAY.match(text) is not None or isclose(float(text), float(value))
    except ValueError:
        return False


def _values(cells: pd.DataFrame) -> Iterator[tuple[int, int, str, bool]]:
    return zip(*(cells[name].tolist() for name in ("row", "style", "value", "is_text")), strict=True)


def note_of(otherwise: Sequence[Otherwise]) -> str:
    """A sentence for columns that are read otherwise than shown; of phones it has the last digits."""
    named = [
        _('column {column} (shown as {format}; row {row} as "{text}")').format(
            column=column_letters(one.column), format=one.code, row=one.row, text=_without_phone(one.text)
        )
        for one in otherwise
    ]
    return _("Not read as the workbook shows it, because of its number format: {columns}.").format(
        columns=some_of(named)
    )


def _without_phone(text: str) -> str:
    return f"…{text[-_SHOWN_OF_PHONE:]}" if _PHONE.fullmatch(text) else text
