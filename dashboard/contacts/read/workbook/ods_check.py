"""Inspect an OpenDocument spreadsheet before a reader does: how far it is used, and which rows are hidden.

Its XML says "this row, a million times" in one element. That is harmless after the last contact, where every
program writes it, and fatal if the repeated cells contain something.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from xml.parsers import expat

from dashboard.contacts.read.isolated.bounded import DAMAGED, PROTECTED
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.workbook.cell_notes import CellNote
from dashboard.contacts.read.workbook.check import ShownNumber, Worksheet, refuse_far_cells
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.parts import unpacked
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["check_ods"]

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_IS_ERROR = ("urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0 value-type", "error")
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "
_PARAGRAPH, _BLANKS = f"{_TEXT}p", f"{_TEXT}s"
_ANNOTATION = f"{_OFFICE}annotation"
_VALUE = {"date": f"{_OFFICE}date-value", "time": f"{_OFFICE}time-value"} | dict.fromkeys(
    ("float", "percentage", "currency"), f"{_OFFICE}value"
)
_MOST_BLANKS = 100
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_CHUNK_BYTES = 2**20
_MANIFEST = "META-INF/manifest.xml"


def check_ods(data: bytes, limits: Limits) -> Mapping[str, Worksheet]:
    """Check every worksheet against the limits; returns what was seen, by the worksheet's name.

    Raises:
        SheetError: A worksheet is used beyond the limits, or the file is damaged or protected.
    """
    look = _Look(limits)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if _MANIFEST in archive.namelist():
                with unpacked(archive, _MANIFEST) as stream:
                    if b"encryption-data" in stream.read(_CHUNK_BYTES):
                        raise SheetError(_(PROTECTED))
            read_bytes = 0
            with unpacked(archive, "content.xml") as stream:
                while block := stream.read(_CHUNK_BYTES):
                    read_bytes += len(block)
                    if read_bytes > limits.inflated_bytes:
                        raise SheetError(_(DAMAGED).format(what=_("workbook")))
                    look.feed(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, KeyError, RuntimeError, NotImplementedError):
        raise SheetError(_(DAMAGED).format(what=_("workbook"))) from None
    except (expat.ExpatError, ValueError):
        raise SheetError(_(DAMAGED).format(what=_("workbook"))) from None
    return look.seen


class _Look:
    """Follows the elements of content.xml and notes where the last filled cell of each table is."""

    def __init__(self, limits: Limits) -> None:
        self.seen: dict[str, Worksheet] = {}
        self._limits = limits
        self._name, self._here = "", Worksheet()
        self._first_of_row, self._next_row, self._last_of_row, self._column, self._first = 1, 1, 0, 0, 1
        self._day, self._value, self._shown = "", "", list[str]()
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._note: list[str] | None = None
        self._listening: Callable[[str], None] | None = None
        self._parser.StartElementHandler = self._start
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, block: bytes) -> None:
        """Parse a piece."""
        self._parser.Parse(block)

    def _refuse(self, *_doctype: object) -> None:
        raise SheetError(_(DAMAGED).format(what=_("workbook")))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == f"{_TABLE}table":
            self._name, self._here = attributes.get(f"{_TABLE}name", ""), Worksheet()
            self.seen[self._name] = self._here
            self._next_row = 1
        elif name == f"{_TABLE}table-row":
            self._begin_row(attributes)
        elif name in _CELLS:
            rows = int(attributes.get(f"{_TABLE}number-rows-spanned", 1))
            columns = int(attributes.get(f"{_TABLE}number-columns-spanned", 1))
            last_row, last_column = self._last_of_row + rows - 1, self._column + columns
            self._here.note_merged(MergedCell(self._column + 1, self._last_of_row, last_row, last_column))
            self._first = self._column + 1
            self._column += int(attributes.get(f"{_TABLE}number-columns-repeated", 1))
            self._here.error_cells += attributes.get(_IS_ERROR[0]) == _IS_ERROR[1]
            if f"{_OFFICE}value-type" in attributes:
                self._note_cell()
                self._begin_number(attributes)
        elif name == _ANNOTATION:
            self._note = []
            self._parser.CharacterDataHandler = None
            self._parser.EndElementHandler = self._end
        elif name == _PARAGRAPH:
            self._begin_paragraph()
        elif name == _BLANKS:
            blanks = " " * min(int(attributes.get(f"{_TEXT}c", 1)), _MOST_BLANKS)
            (self._shown if self._note is None else self._note).append(blanks)

    def _begin_paragraph(self) -> None:
        if self._note is None:
            self._note_cell()
        else:  # who wrote a note, and when, stands beside its paragraphs
            self._parser.CharacterDataHandler = self._note.append

    def _begin_number(self, attributes: dict[str, str]) -> None:
        """Listen to what a cell shows that holds a number, until it ends."""
        kind = attributes[f"{_OFFICE}value-type"]
        if kind in _VALUE:
            self._value, self._shown = attributes.get(_VALUE[kind], ""), []
            self._day = self._value if kind == "date" else ""
            self._listening = self._parser.CharacterDataHandler = self._shown.append
            self._parser.EndElementHandler = self._end

    def _end(self, name: str) -> None:
        if self._note is not None:
            self._end_in_note(name, self._note)
        elif name in _CELLS:
            self._listening = self._parser.CharacterDataHandler = self._parser.EndElementHandler = None
            text = "".join(self._shown).strip()
            if text and text != self._value:
                rows, columns = (self._first_of_row, self._last_of_row), (self._first, self._column)
                self._here.shown.append(ShownNumber(rows, columns, text, self._day))
            self._shown = []

    def _end_in_note(self, name: str, note: list[str]) -> None:
        if name == _PARAGRAPH:
            self._parser.CharacterDataHandler = None
            note.append("\n")
        elif name == _ANNOTATION:
            if text := "".join(note).strip():
                self._here.notes.append(CellNote(self._last_of_row, self._column, text))
            self._note, self._parser.CharacterDataHandler = None, self._listening

    def _begin_row(self, attributes: dict[str, str]) -> None:
        first = self._first_of_row = self._next_row
        self._column = 0
        self._next_row += int(attributes.get(f"{_TABLE}number-rows-repeated", 1))
        self._last_of_row = self._next_row - 1
        if attributes.get(f"{_TABLE}visibility") in {"collapse", "filter"}:
            last = min(self._last_of_row, self._limits.workbook_rows)
            self._here.hidden_rows.update(range(first, last + 1))

    def _note_cell(self) -> None:
        first = self._here.first_column or self._first
        self._here.first_column = min(first, self._first)
        self._here.last_row = max(self._here.last_row, self._last_of_row)
        self._here.last_column = max(self._here.last_column, self._column)
        refuse_far_cells(self._name, self._here, self._limits)
