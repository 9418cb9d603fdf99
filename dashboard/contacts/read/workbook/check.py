"""Inspect a zipped workbook before any reader does: some cells make readers ask for 549 GB and abort.

A stray cell at XFD1048576 is enough: readers allocate the whole rectangle up to it. So the XML is streamed
once, never kept, to learn the last row and column in use, and which rows are hidden.
"""

from __future__ import annotations

import re
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.workbook.cell_notes import CellNote
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.parts import (
    blocks,
    column_letters,
    column_number,
    opened,
    parts_by_relation,
    refuse,
    small_xml,
    unpacked,
)
from dashboard.contacts.read.workbook.rich_texts import struck_texts
from dashboard.contacts.read.workbook.styles import Styles, counts_from_1904, styles_of
from dashboard.errors import SheetError
from dashboard.words import _, count

__all__ = [
    "MOST_SHOWN",
    "ShownNumber",
    "Worksheet",
    "check_size",
    "check_xlsx",
    "chunks",
    "refuse_far_cells",
]

_CHUNK_BYTES = 2**18  # fits a processor's cache, so that repeated searches cost little
_OVERLAP_BYTES = 512
_CELL = re.compile(rb'<(?:\w+:)?c\s[^<>]*?\br\s*=\s*["\']\$?([A-Za-z]{1,9})\$?\d', re.DOTALL)
_TELLING = r"""hidden|mergeCell|["']e["']|strike|cfRule"""
"""Of hidden rows, merged cells, errors, and what is struck out."""
_ODD = r""":(?:c[^a-zA-Z]|row)|<(?:c|row)(?:[^ ]| [^r]| r[^=]| r=[^"])"""
"""Of rows and cells that are not written as nearly all programs write them: `<row r="7"`, `<c r="C7"`."""
_FILLED = re.compile(
    rb"<(?:\w+:)?c(?=[\s>])(?:[^<>]*?\br\s*=\s*[\"']\$?([A-Za-z]{1,9})\$?(\d{1,12}))?[^<>]*(?<!/)>(?!\s*</)"
)
"""A cell with something in it: where programs have only formatted or cleared one, there is an empty tag."""
_MERGED = re.compile(
    rb'<(?:\w+:)?mergeCell\s[^<>]*?\bref\s*=\s*["\']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["\']'
)
_ROW = re.compile(rb"<(?:\w+:)?row\s([^<>]*)>", re.DOTALL)
_ROW_NUMBER = re.compile(rb'\br\s*=\s*["\'](\d{1,12})')
_HIDDEN = re.compile(rb'\bhidden\s*=\s*["\'](?:1|true)')
_ERROR_CELL = re.compile(rb'<(?:\w+:)?c\s[^<>]*?\bt\s*=\s*["\']e["\']', re.DOTALL)
_RULE = re.compile(rb'<(?:\w+:)?cfRule\s[^<>]*?\bdxfId\s*=\s*["\'](\d{1,7})')
_OWN_FORMAT = re.compile(rb"<\w+:dxf>(?:[^<]|<(?!/\w+:dxf))*?strike")
"""That of a rule which looks at other worksheets."""
_PART = re.compile(r"xl/worksheets/[^/]+\.xml$", re.IGNORECASE)
_SHEETS = "{*}sheets/{*}sheet"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_RELATION = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_MOST_MERGED = 100_000
MOST_SHOWN = 1_000_000
"""So many cells that say what they show are kept, which takes some 300 MB."""
_MOST_INFLATED = 1_032
"""How many bytes one byte can unpack to (zlib's documentation of deflate)."""
_STREAMED = re.compile(r"xl/worksheets/[^/]+\.xml$|content\.xml$", re.IGNORECASE)


class ShownNumber(NamedTuple):
    """What cells show that hold a number or a day; rows and columns are the first and last, from 1."""

    rows: tuple[int, int]
    columns: tuple[int, int]
    text: str
    day: str = ""


@dataclass(slots=True)
class Worksheet:
    """What inspecting one worksheet reveals; 0 stands for no row or column.

    `styled` are cells in `styles` that matter: row, column, style, and value if it is a number; none of a
    `part` in XML, which is read again for them. `shown` are cells that say themselves what they show, and
    `struck` are those struck out: first and last row and column. `strikes_if` says that a conditional format
    strikes out, and `has_strikes` that a text in a cell of the `part` may have its own.
    """

    last_row: int = 0
    last_column: int = 0
    error_cells: int = 0
    hidden_rows: set[int] = field(default_factory=set)
    merged: list[MergedCell] = field(default_factory=list)
    notes: list[CellNote] = field(default_factory=list)
    shown: list[ShownNumber] = field(default_factory=list)
    struck: list[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    styled: list[tuple[int, int, int, str | None]] = field(default_factory=list)
    strikes_if: bool = False
    has_strikes: bool = False
    part: str = ""
    styles: Styles = field(default_factory=Styles)
    is_1904: bool = False

    def note_merged(self, cell: MergedCell) -> None:
        """Keep a merged cell, unless there are more of them than any person would make."""
        if (cell.spans_rows or cell.last_column > cell.column) and len(self.merged) < _MOST_MERGED:
            self.merged.append(cell)


def check_size(data: bytes, limits: Limits) -> None:
    """Refuse a zipped workbook that would unpack to more than the limit, whatever its directory says.

    Worksheets in XML are only counted: whoever streams them (`unpacked`) sees their real size.

    Raises:
        SheetError: It would unpack to more, or a part is not as large as it says.
    """
    with opened(data) as archive:
        parts = archive.infolist()
        inflated_bytes = sum(part.file_size for part in parts)
        if inflated_bytes > limits.inflated_bytes:
            raise SheetError(
                _(
                    "The workbook unpacks to {size} MB; at most {most} MB can be read. Save only the sheet "
                    "with the contacts, as CSV or XLSX."
                ).format(size=count(inflated_bytes / 2**20), most=count(limits.inflated_bytes // 2**20))
            )
        if sum(part.compress_size for part in parts) * _MOST_INFLATED > limits.inflated_bytes:
            for part in parts:
                if not _STREAMED.match(part.filename):
                    deque(blocks(archive, part.filename, part.file_size), maxlen=0)


def check_xlsx(data: bytes, limits: Limits) -> Mapping[str, Worksheet]:
    """Check every worksheet against the limits; returns what was seen, by the worksheet's name.

    Raises:
        SheetError: A worksheet is used beyond the limits, or the file is damaged.
    """
    seen = {}
    with opened(data) as archive:
        names = _names_by_part(archive)
        parts = [part for part in archive.namelist() if part in names or _PART.match(part)]
        struck, is_1904 = struck_texts(archive, limits.inflated_bytes), counts_from_1904(archive)
        styles = styles_of(archive)._replace(texts=struck)
        for part in parts:
            name = names.get(part, part)
            seen[name] = Worksheet(part=part, styles=styles, is_1904=is_1904)
            _scan(archive, name, seen[name], limits)
    return seen


def _names_by_part(archive: zipfile.ZipFile) -> dict[str, str]:
    targets = parts_by_relation(archive, "workbook.xml")
    names = {}
    for sheet in small_xml(archive, "xl/workbook.xml").iterfind(_SHEETS):
        part = targets.get(sheet.get(_RELATION) or sheet.get(_STRICT_RELATION))
        if part:
            names[part] = sheet.get("name", "")
    return names


def _scan(archive: zipfile.ZipFile, name: str, seen: Worksheet, limits: Limits) -> None:
    read_bytes, far = 0, _far(limits)
    for chunk, fresh_bytes in chunks(archive, seen.part):
        read_bytes += fresh_bytes
        if _holds(chunk, f"{_TELLING}|{far}"):  # most have nothing to note
            _note_marks(chunk, seen)
            if _holds(chunk, far):
                _note_last(chunk, seen, limits)
        if read_bytes > limits.inflated_bytes or (b"!" in chunk and b"<!ENTITY" in chunk):
            refuse()
        refuse_far_cells(name, seen, limits)


def chunks(archive: zipfile.ZipFile, part: str) -> Iterator[tuple[bytes, int]]:
    """The part's XML piece by piece; each ends with a cell, or with a tag: none is cut or seen twice."""
    tail = b""
    with unpacked(archive, part) as stream:
        while block := stream.read(_CHUNK_BYTES):
            content = tail + block
            ends = max(content.rfind(b"</c>"), content.rfind(b":c>"))  # the second where tags have a prefix
            cut = 1 + (content.rfind(b">") if ends < 0 else content.index(b">", ends))
            tail = content[cut:]
            if len(tail) > _CHUNK_BYTES:
                tail = tail[-_OVERLAP_BYTES:]
            yield content[:cut], len(block)
    yield tail, 0


def _far(limits: Limits) -> str:
    """Of rows and cells that may be beyond the limits; searched at once, a hundred times faster than each."""
    last = column_letters(limits.columns)
    at_least = '[^0-9"]' if last[0] == "A" else f'[^0-9"A-{chr(ord(last[0]) - 1)}]'
    as_long, longer = (f'[^0-9"]{{{number}}}' for number in (len(last) - 1, len(last) + 1))
    row = f"[0-9]{{{len(str(limits.workbook_rows))}}}"
    return f'{_ODD}|<row r="{row}|<c r="(?:{at_least}{as_long}|{longer})'


def _holds(chunk: bytes, wanted: str) -> bool:
    return bool(pc.match_substring_regex(pa.scalar(chunk, pa.binary()), wanted).as_py())


def _note_last(chunk: bytes, seen: Worksheet, limits: Limits) -> None:
    row = max((number for number, _attributes in _rows(chunk)), default=0)
    column = max(map(column_number, {*_CELL.findall(chunk)}), default=0)
    if row > limits.workbook_rows or column > limits.columns:
        row, column = _last_filled(chunk) or (row, column)
    seen.last_row = max(seen.last_row, row)
    seen.last_column = max(seen.last_column, column)


def _note_marks(chunk: bytes, seen: Worksheet) -> None:
    if re.search(b"hidden", chunk):  # faster than `in`
        seen.hidden_rows.update(number for number, attributes in _rows(chunk) if _HIDDEN.search(attributes))
    if re.search(b"strike", chunk):
        seen.has_strikes = True
        seen.strikes_if |= _OWN_FORMAT.search(chunk) is not None
    if re.search(b"cfRule", chunk):
        seen.strikes_if |= any(int(rule) in seen.styles.rules for rule in _RULE.findall(chunk))
    if re.search(b"[\"']e[\"']", chunk):
        seen.error_cells += len(_ERROR_CELL.findall(chunk))
    if b"mergeCell" in chunk:
        for left, first_row, right, last_row in _MERGED.findall(chunk):
            seen.note_merged(
                MergedCell(column_number(left), int(first_row), int(last_row), column_number(right))
            )


def _last_filled(chunk: bytes) -> tuple[int, int] | None:
    """The last row and column that hold anything; None if a cell does not say where it is."""
    cells = _FILLED.findall(chunk)
    if not all(letters for letters, _ in cells):
        return None
    return (
        max((int(row) for _, row in cells), default=0),
        max(map(column_number, {letters for letters, _ in cells}), default=0),
    )


def _rows(chunk: bytes) -> Iterator[tuple[int, bytes]]:
    """The number and attributes of the rows that say their number."""
    for attributes in _ROW.findall(chunk):
        if number := _ROW_NUMBER.search(attributes):
            yield int(number[1]), attributes


def refuse_far_cells(name: str, seen: Worksheet, limits: Limits) -> None:
    """Refuse a worksheet that is used beyond the limits.

    Raises:
        SheetError: It is; the message says how far it is used and what is allowed.
    """
    too_far = []
    if seen.last_row > limits.workbook_rows:
        too_far.append(_("row {row}").format(row=count(seen.last_row)))
    if seen.last_column > limits.columns:
        too_far.append(_("column {column}").format(column=count(seen.last_column)))
    if too_far:
        raise SheetError(
            _(
                'The worksheet "{name}" is used up to {place}; at most {rows} rows and {columns} '
                "columns can be read. There may be a stray cell far away: delete the empty rows and "
                "columns and save again."
            ).format(
                name=name,
                place=too_far[0]
                if len(too_far) == 1
                else _("{one} and {other}").format(one=too_far[0], other=too_far[1]),
                rows=count(limits.workbook_rows),
                columns=limits.columns,
            )
        )
