"""Inspect an OpenDocument spreadsheet before a reader does: how far it is used, and which rows are hidden.

Its XML says "this row, a million times" in one element. That is harmless after the last contact, where every
program writes it, and fatal if the repeated cells contain something.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from xml.parsers import expat

from dashboard.contacts.read.isolated.bounded import DAMAGED, PROTECTED
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.workbook.cell_notes import CellNote
from dashboard.contacts.read.workbook.check import Worksheet, refuse_far_cells
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.parts import unpacked
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["check_ods"]

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_IS_ERROR = ("urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0 value-type", "error")
_PARAGRAPH = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 p"
_ANNOTATION = f"{_OFFICE}annotation"
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
        self._next_row, self._last_of_row, self._column = 1, 0, 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._note: list[str] | None = None
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
            self._column += int(attributes.get(f"{_TABLE}number-columns-repeated", 1))
            self._here.error_cells += attributes.get(_IS_ERROR[0]) == _IS_ERROR[1]
            if f"{_OFFICE}value-type" in attributes:
                self._note_cell()
        elif name == _ANNOTATION:
            self._note = []
            self._parser.EndElementHandler = self._end_in_note
        elif name == _PARAGRAPH:
            self._begin_paragraph()

    def _begin_paragraph(self) -> None:
        if self._note is None:
            self._note_cell()
        else:  # who wrote a note, and when, stands beside its paragraphs
            self._parser.CharacterDataHandler = self._note.append

    def _end_in_note(self, name: str) -> None:
        if name == _PARAGRAPH and self._note is not None:
            self._parser.CharacterDataHandler = None
            self._note.append("\n")
        elif name == _ANNOTATION and self._note is not None:
            if text := "".join(self._note).strip():
                self._here.notes.append(CellNote(self._last_of_row, self._column, text))
            self._note = self._parser.EndElementHandler = None

    def _begin_row(self, attributes: dict[str, str]) -> None:
        first, self._column = self._next_row, 0
        self._next_row += int(attributes.get(f"{_TABLE}number-rows-repeated", 1))
        self._last_of_row = self._next_row - 1
        if attributes.get(f"{_TABLE}visibility") in {"collapse", "filter"}:
            last = min(self._last_of_row, self._limits.workbook_rows)
            self._here.hidden_rows.update(range(first, last + 1))

    def _note_cell(self) -> None:
        self._here.last_row = max(self._here.last_row, self._last_of_row)
        self._here.last_column = max(self._here.last_column, self._column)
        refuse_far_cells(self._name, self._here, self._limits)
