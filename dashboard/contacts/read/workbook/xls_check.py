"""Merged cells, hidden rows and number formats of the workbooks of before 2007, whose reader mentions none.

Records [MS-XLS] in a stream of a compound file [MS-CFB]. What is damaged is left to the reader, which says
so.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, pairwise

import numpy as np

from dashboard.contacts.read.workbook.cell_notes import CellNote
from dashboard.contacts.read.workbook.check import Worksheet
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.rich_texts import Letters
from dashboard.contacts.read.workbook.styles import STRUCK_TEXT, Styles, named

__all__ = ["look_into_xls"]

_NOTE, _OBJECT, _TEXT, _CONTINUE = 0x001C, 0x005D, 0x01B6, 0x003C
_BOF, _EOF, _BOUNDSHEET, _ROW, _MERGED = 0x0809, 0x000A, 0x0085, 0x0208, 0x00E5
_FORMAT, _XF, _FONT, _DATEMODE = 0x041E, 0x00E0, 0x0031, 0x0022
_STRUCK, _NO_FONT = 0x08, 4
_NUMBER, _RK, _MULRK, _FORMULA = 0x0203, 0x027E, 0x00BD, 0x0006
_SHARED, _SHARED_TEXT = 0x00FC, 0x00FD
_TEXTS = frozenset({_SHARED_TEXT, 0x0204, 0x0205, 0x00D6})
"""Cells with texts, errors, yes and no."""
_NUMBERS = frozenset({_NUMBER, _RK, _MULRK, _FORMULA})
_NO_NUMBER = b"\xff\xff"
_ROW_BYTES, _HIDDEN = 16, 0x20
_HAS_RUNS, _HAS_MORE = 0x08, 0x04
_STREAMS = {"Workbook", "Book"}
_NO_SECTOR = 0xFFFFFFFA
"""From here on the numbers of sectors have other meanings: free, the end ..."""
_IN_HEADER = 109
_ENTRY_BYTES = 128


def look_into_xls(data: bytes) -> Mapping[str, Worksheet]:
    """What the reader does not mention, by the worksheet's name; nothing where the file is damaged."""
    try:
        stream = _workbook_stream(data)
        starts = {
            _letters(stream[place + 7 : place + length], stream[place + 6]): int.from_bytes(
                stream[place : place + 4], "little"
            )
            for kind, place, length in _records(stream)
            if kind == _BOUNDSHEET
        }
        begins = sorted(set(starts.values()))
        parts = zip(begins, [*begins[1:], len(stream)], strict=True)
        styles, is_1904 = _styles(stream)
        seen = {begin: _look(stream[begin:end], styles, is_1904=is_1904) for begin, end in parts}
        return {name: seen[start] for name, start in starts.items()}
    except (struct.error, IndexError, ValueError, OverflowError):
        return {}


def _styles(stream: bytes) -> tuple[Styles, bool]:
    """What the styles say, and whether days are counted from 1904."""
    styles, codes, struck, fonts, is_1904 = [], {}, set(), 0, False
    for kind, place, length in _records(stream):
        if kind == _XF:
            font, code = struct.unpack_from("<HH", stream, place)
            styles.append((code, font))
        elif kind == _FORMAT:
            number, letters = struct.unpack_from("<HH", stream, place)
            codes[number] = _letters(stream[place + 4 : place + length], letters)
        elif kind == _FONT:
            fonts += fonts == _NO_FONT  # no font has this number
            if stream[place + 2] & _STRUCK:
                struck.add(fonts)
            fonts += 1
        elif kind == _DATEMODE:
            is_1904 = struct.unpack_from("<H", stream, place)[0] == 1
    return named(styles, codes, struck)._replace(texts=_struck_texts(stream, struck)), is_1904


def _struck_texts(stream: bytes, struck: Collection[int]) -> frozenset[int]:
    """The numbers of the shared texts that count as struck out, by the fonts of their letters."""
    pieces, last = list[bytes](), 0
    for kind, place, length in _records(stream) if struck else ():
        last = _SHARED if kind == _CONTINUE and last == _SHARED else kind
        if last == _SHARED:
            pieces.append(stream[place : place + length])
    found: set[int] = set()
    with suppress(struct.error, IndexError):
        found.update(number for number, letters in enumerate(_shared(pieces, struck)) if letters.are_struck)
    return frozenset(found)


def _shared(pieces: Sequence[bytes], struck: Collection[int]) -> Iterator[Letters]:
    """Each shared text ([MS-XLS] 2.4.265, 2.5.293); a piece that goes on with one says its width anew."""
    content, ends, at = b"".join(pieces), list(accumulate(map(len, pieces))), 8
    while at + 3 <= len(content):
        letters, flags = struct.unpack_from("<HB", content, at)
        runs, more, text = 0, 0, ""
        at += 3
        if flags & _HAS_RUNS:
            runs, at = struct.unpack_from("<H", content, at)[0], at + 2
        if flags & _HAS_MORE:
            more, at = struct.unpack_from("<I", content, at)[0], at + 4
        while len(text) < letters:
            width, end = 1 + (flags & 1), ends[bisect_left(ends, at)]
            found = min((end - at) // width, letters - len(text))
            text += "".join(map(chr, struct.unpack_from(f"<{found}{' BH'[width]}", content, at)))
            at += found * width
            if len(text) < letters:
                flags, at = content[at], at + 1
        fonts = list(struct.iter_unpack("<HH", content[at : at + 4 * runs]))
        yield _by_fonts(text, fonts, struck)
        at += 4 * runs + more


def _by_fonts(text: str, fonts: Sequence[tuple[int, int]], struck: Collection[int]) -> Letters:
    letters = Letters()
    for (begin, font), (end, _next) in pairwise([(0, -1), *fonts, (len(text), -1)]):
        letters.add(text[begin:end], is_struck=font in struck)
    return letters


def _workbook_stream(data: bytes) -> bytes:
    """The stream with the workbook; those so small that they are kept elsewhere are no Excel file's."""
    size = 1 << struct.unpack_from("<H", data, 30)[0]
    first_entry, first_more, cutoff = (struct.unpack_from("<I", data, at)[0] for at in (48, 68, 56))
    tables = list(struct.unpack_from(f"<{_IN_HEADER}I", data, 76))
    each = size // 4
    seen = 0
    while first_more < _NO_SECTOR and seen * size < len(data):
        more = struct.unpack_from(f"<{each}I", data, (first_more + 1) * size)
        tables += more[:-1]
        first_more, seen = more[-1], seen + 1
    places = [table for table in tables if table < _NO_SECTOR and (table + 2) * size <= len(data) + size]
    tables_read = places[: len(data) // size + 1]  # a damaged list may name the same ones for ever
    next_of = np.concatenate([np.frombuffer(data, "<u4", each, (table + 1) * size) for table in tables_read])
    entries = _chain(data, first_entry, size, next_of)
    for at in range(0, len(entries), _ENTRY_BYTES):
        length = struct.unpack_from("<H", entries, at + 64)[0]
        name = entries[at : at + max(0, length - 2)].decode("utf-16-le", "replace")
        start, bytes_in = struct.unpack_from("<II", entries, at + 116)
        if name in _STREAMS and bytes_in >= cutoff:
            return _chain(data, start, size, next_of)[:bytes_in]
    return b""


def _chain(data: bytes, start: int, size: int, next_of: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> bytes:
    sectors: list[bytes] = []
    sector = start
    while sector < len(next_of) and len(sectors) <= len(next_of):
        sectors.append(data[(sector + 1) * size : (sector + 2) * size])
        sector = int(next_of[sector])
    return b"".join(sectors)


def _records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, place and length of each record to the end of the first part, and of parts inside it."""
    place, depth = 0, 0
    while place + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, place)
        depth += (kind == _BOF) - (kind == _EOF)
        yield kind, place + 4, length
        if depth <= 0:
            return
        place += 4 + length


def _look(stream: bytes, styles: Styles, *, is_1904: bool) -> Worksheet:
    """What is seen in a worksheet's own part of the stream: no part is read twice, whatever a file claims."""
    seen = Worksheet(styles=styles, is_1904=is_1904)
    for kind, place, length in _records(stream):
        if kind == _ROW and length >= _ROW_BYTES:
            row, options = struct.unpack_from("<H10xH", stream, place)
            if options & _HIDDEN:
                seen.hidden_rows.add(row + 1)
        elif kind == _MERGED:
            _note_merged(stream, place, length, seen)
        elif kind in _TEXTS or kind in _NUMBERS:
            row, column = struct.unpack_from("<HH", stream, place)
            record = stream[place : place + length]
            found = enumerate(_values(kind, record), start=column + 1)
            seen.styled += [
                (row + 1, at, style, None if value is None else repr(value))
                for at, (style, value) in found
                if style in styles.codes or style in styles.struck
            ]
            if kind == _SHARED_TEXT and struct.unpack_from("<I", record, 6)[0] in styles.texts:
                seen.styled.append((row + 1, column + 1, STRUCK_TEXT, None))
    seen.notes = _notes(stream)
    return seen


def _note_merged(stream: bytes, place: int, length: int, seen: Worksheet) -> None:
    (cells,) = struct.unpack_from("<H", stream, place)
    for at in range(place + 2, place + 2 + min(cells, length // 8) * 8, 8):
        first, last, left, right = struct.unpack_from("<4H", stream, at)
        seen.note_merged(MergedCell(left + 1, first + 1, last + 1, right + 1))


def _values(kind: int, record: bytes) -> list[tuple[int, float | None]]:
    """Style and number, if it is one, of a record's cells ([MS-XLS] 2.4.127, .174, .180 and .220)."""
    if kind in {_RK, _MULRK}:
        cells = record[4:10] if kind == _RK else record[4:-2]
        return [(style, _of_rk(value)) for style, value in struct.iter_unpack("<HI", cells)]
    if kind in _TEXTS or (kind == _FORMULA and record[12:14] == _NO_NUMBER):
        return [(struct.unpack_from("<H", record, 4)[0], None)]
    return [struct.unpack_from("<Hd", record, 4)]


def _of_rk(value: int) -> float:
    """A number in 30 bits ([MS-XLS] 2.5.217)."""
    if value & 2:
        number = float((value >> 2) - (1 << 30 if value & 1 << 31 else 0))
    else:
        (number,) = struct.unpack("<d", bytes(4) + struct.pack("<I", value & ~3))
    return number / 100 if value & 1 else number


def _letters(content: bytes, most: int) -> str:
    """A text after the byte that says how wide its letters are."""
    is_wide = content[0] & 1
    text = content[1 : 1 + most * (1 + is_wide)]
    return text.decode("utf-16-le" if is_wide else "latin-1", "replace")


def _notes(stream: bytes) -> list[CellNote]:
    """The notes on cells: each names an object, whose text follows it in pieces (2.4.179, 2.4.329)."""
    texts: dict[int, str] = {}
    notes: list[CellNote] = []
    last, letters = 0, 0
    for kind, place, length in _records(stream):
        if kind == _OBJECT:
            (last,) = struct.unpack_from("<H", stream, place + 6)
        elif kind == _TEXT:
            (letters,) = struct.unpack_from("<H", stream, place + 10)
        elif kind == _CONTINUE and letters > 0:
            piece = _letters(stream[place : place + length], letters)
            texts[last] = texts.get(last, "") + piece
            letters -= len(piece)
        elif kind == _NOTE:
            row, column, _flags, shape, letters_in_name = struct.unpack_from("<5H", stream, place)
            author = _letters(stream[place + 10 : place + length], letters_in_name)
            if text := texts.get(shape, "").removeprefix(f"{author}:").strip():
                notes.append(CellNote(row + 1, column + 1, text))
    return notes
