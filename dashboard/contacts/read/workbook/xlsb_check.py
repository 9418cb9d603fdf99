"""Merged cells and hidden rows of binary workbooks (XLSB), whose reader mentions neither.

Records [MS-XLSB] in a zip archive. Those of worksheets are found by their shape, because walking over all
cells would take longer than reading them. What is damaged is left to the reader, which says so.
"""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.workbook.check import Worksheet
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.parts import opened, parts_by_relation, small_part
from dashboard.contacts.read.workbook.styles import Styles, named
from dashboard.errors import SheetError

__all__ = ["look_into_xlsb"]

_BUNDLE, _CELL_STYLES, _STYLE, _FORMAT, _FONT = 156, 617, 47, 44, 43
_STRUCK = 0x08
_MERGED = re.compile(rb"\xb1\x01\x04(.{4})((?:\xb0\x01\x10.{16})+)\xb2\x01\x00", re.DOTALL)
_HIDDEN_ROW = (
    r"(?s)\x00([\x11-\x79]|[\x81-\x91]\x01)(..[\x00-\x0f]\x00)..\x00\x00..[\x00-\x03]"
    r"[\x10-\x1f\x30-\x3f\x50-\x5f\x70-\x7f\x90-\x9f\xb0-\xbf\xd0-\xdf\xf0-\xff]"
    r"[\x00\x01]([\x00-\x10])\x00\x00\x00"
)
"""BrtRowHdr: kind, size, row, format, height, flags of which one hides, and how many spans follow."""
_HIDDEN_ROWS = re.compile(_HIDDEN_ROW.encode())
_ROW_BYTES, _SPAN_BYTES = 17, 8
_CHUNK_BYTES = 2**22  # holds all merged cells that are kept


def look_into_xlsb(data: bytes, limits: Limits) -> Mapping[str, Worksheet]:
    """Merged cells and hidden rows by the worksheet's name; nothing where the file is damaged."""
    try:
        with opened(data) as archive:
            seen = {name: _look(archive, part, limits) for name, part in _parts_by_name(archive)}
            styles = _styles(archive)
            for worksheet in seen.values():
                worksheet.styles = styles
            return seen
    except (struct.error, SheetError):
        return {}


def _parts_by_name(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    targets = parts_by_relation(archive, "workbook.bin")
    book = small_part(archive, "xl/workbook.bin")
    for kind, place in _records(book):
        if kind == _BUNDLE:
            relation, after = _text(book, place + 8)
            name, _end = _text(book, after)
            if relation in targets:
                yield name, targets[relation]


def _styles(archive: zipfile.ZipFile) -> Styles:
    styles, codes, struck, fonts, is_of_cells = [], {}, set(), 0, False
    content = small_part(archive, "xl/styles.bin") if "xl/styles.bin" in archive.namelist() else b""
    for kind, place in _records(content):
        if kind == _FORMAT:
            codes[struct.unpack_from("<H", content, place)[0]] = _text(content, place + 2)[0]
        elif kind == _FONT:
            if content[place + 2] & _STRUCK:
                struck.add(fonts)
            fonts += 1
        elif kind in {_CELL_STYLES, _CELL_STYLES + 1}:
            is_of_cells = kind == _CELL_STYLES
        elif kind == _STYLE and is_of_cells:
            code, font = struct.unpack_from("<2xHH", content, place)
            styles.append((code, font))
    return named(styles, codes, struck)


def _text(book: bytes, place: int) -> tuple[str, int]:
    (letters,) = struct.unpack_from("<I", book, place)
    end = place + 4 + 2 * letters
    return book[place + 4 : end].decode("utf-16-le", "replace"), end


def _records(book: bytes) -> Iterator[tuple[int, int]]:
    place = 0
    while place < len(book):
        kind, place = _number(book, place, 2)
        length, place = _number(book, place, 4)
        yield kind, place
        place += length


def _number(book: bytes, place: int, most_bytes: int) -> tuple[int, int]:
    """A kind keeps the top bit of its first byte, as [MS-XLSB] numbers them; a length does not."""
    number = 0
    for at in range(most_bytes):
        byte = book[place + at]
        number |= (byte & 0x7F) << 7 * at
        if not byte & 0x80:
            break
    return number, place + at + 1


def _look(archive: zipfile.ZipFile, part: str, limits: Limits) -> Worksheet:
    seen, tail, read_bytes = Worksheet(), b"", 0
    with archive.open(part) as stream:
        while (block := stream.read(_CHUNK_BYTES)) and read_bytes < limits.inflated_bytes:
            read_bytes += len(block)
            _note_merged(tail + block, len(tail), seen)
            _note_hidden(tail[-_ROW_BYTES - 3 :] + block, seen)
            tail = (tail + block)[-_CHUNK_BYTES:]
    return seen


def _note_merged(content: bytes, known_bytes: int, seen: Worksheet) -> None:
    for found in _MERGED.finditer(content):
        cells = found.group(2)
        if found.end() > known_bytes and struct.unpack("<I", found.group(1))[0] * 19 == len(cells):
            for at in range(3, len(cells), 19):
                first, last, left, right = struct.unpack_from("<4I", cells, at)
                seen.note_merged(MergedCell(left + 1, first + 1, last + 1, right + 1))


def _note_hidden(content: bytes, seen: Worksheet) -> None:
    if not pc.match_substring_regex(pa.scalar(content, pa.binary()), _HIDDEN_ROW).as_py():
        return
    for size, row, spans in _HIDDEN_ROWS.findall(content):
        if _number(size, 0, len(size))[0] == _ROW_BYTES + _SPAN_BYTES * spans[0]:
            seen.hidden_rows.add(int.from_bytes(row, "little") + 1)
