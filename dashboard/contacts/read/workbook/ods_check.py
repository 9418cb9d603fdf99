"""Inspect an OpenDocument spreadsheet before a reader does: how far it is used, and which rows are hidden.

Its XML says "this row, a million times" in one element. That is harmless after the last contact, where every
program writes it, and fatal if the repeated cells contain something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from xml.parsers import expat

from dashboard.contacts.read.isolated.bounded import PROTECTED
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.workbook.cell_notes import CellNote
from dashboard.contacts.read.workbook.check import MOST_SHOWN, ShownNumber, Worksheet, refuse_far_cells
from dashboard.contacts.read.workbook.merged import MergedCell
from dashboard.contacts.read.workbook.parts import blocks, opened, refuse, small_part
from dashboard.contacts.read.workbook.rich_texts import Letters
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["check_ods"]

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_EXTENDED = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0 "
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "
_PARAGRAPH, _BLANKS, _SPAN = f"{_TEXT}p", f"{_TEXT}s", f"{_TEXT}span"
_ANNOTATION = f"{_OFFICE}annotation"
_VALUE = {"date": f"{_OFFICE}date-value", "time": f"{_OFFICE}time-value"} | dict.fromkeys(
    ("float", "percentage", "currency"), f"{_OFFICE}value"
)
_STRING_VALUE = f"{_OFFICE}string-value"
_MOST_BLANKS, _MOST_PARENTS = 100, 32
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0 "
_STRIKES = (f"{_STYLE}text-line-through-style", f"{_STYLE}text-line-through-type")
_CELLS_STYLE = f"{_TABLE}default-cell-style-name"
_MANIFEST = "META-INF/manifest.xml"


def check_ods(data: bytes, limits: Limits) -> Mapping[str, Worksheet]:
    """Check every worksheet against the limits; returns what was seen, by the worksheet's name.

    Raises:
        SheetError: A worksheet is used beyond the limits, or the file is damaged or protected.
    """
    look = _Look(limits)
    with opened(data) as archive:
        here = archive.namelist()
        if _MANIFEST in here and b"encryption-data" in small_part(archive, _MANIFEST, limits.inflated_bytes):
            raise SheetError(_(PROTECTED))
        for part in filter(here.__contains__, ("styles.xml", "content.xml")):  # others go back to the first
            look.begin()
            for block in blocks(archive, part, limits.inflated_bytes):
                look.parser.Parse(block)
    return look.seen


class _Look:
    """Follows the elements of the parts and notes where the last filled cell of each table is."""

    def __init__(self, limits: Limits) -> None:
        self.seen: dict[str, Worksheet] = {}
        self._limits = limits
        self._name, self._here = "", Worksheet()
        self._first_of_row, self._next_row, self._last_of_row, self._column, self._first = 1, 1, 0, 0, 1
        self._day, self._value, self._is_number, self._shown = "", "", False, list[str]()
        self._strikes: dict[tuple[str, str], bool] = {}
        self._parents: dict[tuple[str, str], tuple[str, str]] = {}
        self._applied: set[str] = set()
        self._may_strike, self._spans, self._letters = False, [False], Letters()
        self._style, self._of_row, self._of_columns = ("", ""), "", list[tuple[int, str]]()
        self._handlers: Mapping[str, Callable[[dict[str, str]], None]] = {
            f"{_TABLE}table": self._begin_table,
            f"{_TABLE}table-column": self._note_column,
            f"{_TABLE}table-row": self._begin_row,
            **dict.fromkeys(_CELLS, self._begin_cell),
            _PARAGRAPH: self._begin_paragraph,
            _BLANKS: self._note_blanks,
            f"{_TEXT}tab": lambda _attributes: self._write("\t"),
            f"{_TEXT}line-break": lambda _attributes: self._write("\n"),
            _SPAN: self._begin_span,
            _ANNOTATION: self._begin_annotation,
            f"{_STYLE}style": self._begin_style,
            f"{_STYLE}default-style": self._begin_style,
            f"{_EXTENDED}condition": self._note_condition,
            f"{_STYLE}map": self._note_map,
            f"{_STYLE}text-properties": self._note_lines,
        }

    def begin(self) -> None:
        """Begin with a part."""
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self._note: list[str] | None = None
        self.parser.StartElementHandler = self._start
        self.parser.StartDoctypeDeclHandler = refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if handle := self._handlers.get(name):
            handle(attributes)

    def _begin_table(self, attributes: dict[str, str]) -> None:
        self._name, self._here = attributes.get(f"{_TABLE}name", ""), Worksheet()
        self.seen[self._name] = self._here
        self._here.strikes_if = any(self._is_struck("table-cell", style) for style in self._applied)
        self._next_row, self._column, self._of_columns = 1, 0, []

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        rows = int(attributes.get(f"{_TABLE}number-rows-spanned", 1))
        columns = int(attributes.get(f"{_TABLE}number-columns-spanned", 1))
        last_row, last_column = self._last_of_row + rows - 1, self._column + columns
        self._here.note_merged(MergedCell(self._column + 1, self._last_of_row, last_row, last_column))
        self._first = self._column + 1
        self._column += int(attributes.get(f"{_TABLE}number-columns-repeated", 1))
        self._here.error_cells += attributes.get(f"{_EXTENDED}value-type") == "error"
        if f"{_OFFICE}value-type" in attributes:
            self._note_cell()
            self._listen(attributes)

    def _note_column(self, attributes: dict[str, str]) -> None:
        self._column += int(attributes.get(f"{_TABLE}number-columns-repeated", 1))
        if len(self._of_columns) <= self._limits.columns:
            self._of_columns.append((self._column, attributes.get(_CELLS_STYLE, "")))

    def _begin_annotation(self, _attributes: dict[str, str]) -> None:
        self._note = []
        self._outside = (self.parser.CharacterDataHandler, self.parser.EndElementHandler)
        self.parser.CharacterDataHandler, self.parser.EndElementHandler = None, self._end_in_note

    def _begin_paragraph(self, _attributes: dict[str, str]) -> None:
        if self._note is None:
            self._note_cell()
        else:  # who wrote a note, and when, stands beside its paragraphs
            self.parser.CharacterDataHandler = self._note.append

    def _note_blanks(self, attributes: dict[str, str]) -> None:
        self._write(" " * min(int(attributes.get(f"{_TEXT}c", 1)), _MOST_BLANKS))

    def _write(self, blanks: str) -> None:
        (self._shown if self._note is None else self._note).append(blanks)

    def _begin_style(self, attributes: dict[str, str]) -> None:
        """Note which style it goes back to; the default one has no name."""
        family = attributes.get(f"{_STYLE}family", "")
        self._style = (family, attributes.get(f"{_STYLE}name", ""))
        if self._style[1]:
            self._parents[self._style] = (family, attributes.get(f"{_STYLE}parent-style-name", ""))
        self._strikes.pop(self._style, None)

    def _note_lines(self, attributes: dict[str, str]) -> None:
        lines = {attributes[strikes] for strikes in _STRIKES if strikes in attributes}
        if lines:
            self._strikes[self._style] = lines != {"none"}
            self._may_strike |= lines != {"none"}

    def _is_struck(self, family: str, name: str, *, otherwise: bool = False) -> bool:
        """Whether a style strikes out, or the first of those it goes back to that says so or otherwise."""
        style = (family, name)
        for _step in range(_MOST_PARENTS):
            if style in self._strikes or style not in self._parents:
                break
            style = self._parents[style]
        return self._strikes.get(style, otherwise)

    def _note_map(self, attributes: dict[str, str]) -> None:
        """Note which style a condition puts in the place of another, and which may be told later."""
        self._applied.add(attributes.get(f"{_STYLE}apply-style-name", ""))

    def _note_condition(self, attributes: dict[str, str]) -> None:
        style = attributes.get(f"{_EXTENDED}apply-style-name", "")
        self._here.strikes_if |= self._is_struck("table-cell", style)

    def _begin_span(self, attributes: dict[str, str]) -> None:
        if self._may_strike and self._note is None:
            style = attributes.get(f"{_TEXT}style-name", "")
            self._spans.append(self._is_struck("text", style, otherwise=self._spans[-1]))

    def _listen(self, attributes: dict[str, str]) -> None:
        """To what a cell shows that holds a number, or may be struck out, until it ends."""
        kind = attributes[f"{_OFFICE}value-type"]
        self._is_number = kind in _VALUE
        self._value, self._shown = attributes.get(_VALUE.get(kind, _STRING_VALUE), ""), []
        self._day = self._value if kind == "date" else ""
        self._letters = Letters()
        if self._may_strike:
            self._spans = [self._is_struck("table-cell", self._style_of(attributes))]
            self._letters.add(self._value, is_struck=self._spans[0])
        if self._may_strike or self._is_number:
            self.parser.CharacterDataHandler, self.parser.EndElementHandler = self._hear, self._end

    def _style_of(self, cell: dict[str, str]) -> str:
        of_columns = (style for last, style in self._of_columns if self._first <= last)
        return cell.get(f"{_TABLE}style-name") or self._of_row or next(of_columns, "")

    def _hear(self, letters: str) -> None:
        self._shown.append(letters)
        if self._may_strike:
            self._letters.add(letters, is_struck=self._spans[-1])

    def _end(self, name: str) -> None:
        if name == _SPAN and self._may_strike:
            self._spans.pop()
        elif name in _CELLS:
            self.parser.CharacterDataHandler = self.parser.EndElementHandler = None
            text = "".join(self._shown).strip()
            rows, columns = (self._first_of_row, self._last_of_row), (self._first, self._column)
            if self._is_number and text not in {"", self._value} and len(self._here.shown) < MOST_SHOWN:
                self._here.shown.append(ShownNumber(rows, columns, text, self._day))
            if self._letters.are_struck and len(self._here.struck) < MOST_SHOWN:
                self._here.struck.append((rows, columns))

    def _end_in_note(self, name: str) -> None:
        if name == _PARAGRAPH and self._note is not None:
            self.parser.CharacterDataHandler = None
            self._note.append("\n")
        elif name == _ANNOTATION:
            if text := "".join(self._note or []).strip():
                self._here.notes.append(CellNote(self._last_of_row, self._column, text))
            self._note = None
            self.parser.CharacterDataHandler, self.parser.EndElementHandler = self._outside

    def _begin_row(self, attributes: dict[str, str]) -> None:
        first = self._first_of_row = self._next_row
        self._column, self._of_row = 0, attributes.get(_CELLS_STYLE, "")
        self._next_row += int(attributes.get(f"{_TABLE}number-rows-repeated", 1))
        self._last_of_row = self._next_row - 1
        if attributes.get(f"{_TABLE}visibility") in {"collapse", "filter"}:
            last = min(self._last_of_row, self._limits.workbook_rows)
            self._here.hidden_rows.update(range(first, last + 1))

    def _note_cell(self) -> None:
        self._here.last_row = max(self._here.last_row, self._last_of_row)
        self._here.last_column = max(self._here.last_column, self._column)
        refuse_far_cells(self._name, self._here, self._limits)
