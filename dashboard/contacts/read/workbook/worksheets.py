"""Workbooks: checked first, then read in a separate process with limits on memory and time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from dashboard.contacts.read.file_type import Kind
from dashboard.contacts.read.isolated.bounded import Read, read_in_child
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.records import not_read
from dashboard.contacts.read.table import Table
from dashboard.contacts.read.workbook.cell_notes import CellNote, notes_in_xlsx
from dashboard.contacts.read.workbook.check import MOST_SHOWN, Worksheet, check_size, check_xlsx
from dashboard.contacts.read.workbook.formatted import Seen, note_of, seen_in
from dashboard.contacts.read.workbook.merged import filled_down, rows_spanned
from dashboard.contacts.read.workbook.ods_check import check_ods
from dashboard.contacts.read.workbook.part_names import with_usual_names
from dashboard.contacts.read.workbook.xls_check import look_into_xls
from dashboard.contacts.read.workbook.xlsb_check import look_into_xlsb
from dashboard.words import N_, _, count, plural

__all__ = ["read_workbook"]


def read_workbook(data: bytes, kind: Kind, *, worksheet: str | None, limits: Limits) -> Table:
    """Read a worksheet as text: the named one, else the first visible one.

    Raises:
        SheetError: It is damaged, protected, too large, or has no such worksheet.
    """
    if kind is not Kind.XLS:
        check_size(data, limits)
    if kind is Kind.XLSX:
        data = with_usual_names(data)
    looked_at = _look_inside(data, kind, limits)
    read = read_in_child(data, "workbook", limits, what=N_("workbook"), worksheet=worksheet)
    here = looked_at.get(read.about["worksheet"], Worksheet())
    if here.part:
        here.notes = notes_in_xlsx(data, here.part)
    first = read.about["first_column"]
    seen = seen_in(data, here, read.cells, first)
    spans = rows_spanned(here.merged, len(seen.cells))
    return Table(
        cells=filled_down(seen.cells, here.merged, first) if here.merged else seen.cells,
        rows=pd.Series(range(1, len(seen.cells) + 1), dtype="int64"),
        notes=(*_notes(here, read), *_otherwise(here, seen), *_lost(data, here, kind)),
        worksheet=read.about["worksheet"],
        worksheets=tuple(read.about["worksheets"]),
        cell_notes=tuple(
            CellNote(row, note.column - first, note.text)
            for note in here.notes
            for row in spans.get(note[:2], range(note.row, note.row + 1))
        ),
        struck=frozenset(
            (row, place)
            for at, place in seen.struck
            for row in spans.get((at, place + first), range(at, at + 1))
        ),
        hidden_rows=frozenset(row for row in here.hidden_rows if row <= len(read.cells)),
    )


def _look_inside(data: bytes, kind: Kind, limits: Limits) -> Mapping[str, Worksheet]:
    """What inspecting each worksheet reveals, by name."""
    if kind is Kind.XLSX:
        return check_xlsx(data, limits)
    if kind is Kind.ODS:
        return check_ods(data, limits)
    return look_into_xls(data) if kind is Kind.XLS else look_into_xlsb(data, limits)


def _notes(here: Worksheet, read: Read) -> Iterator[str]:
    worksheets, name = read.about["worksheets"], read.about["worksheet"]
    if len(worksheets) > 1:
        yield _('The workbook has {number} worksheets; "{name}" was read.').format(
            number=len(worksheets), name=name
        )
    yield from not_read([other for other in worksheets if other != name])
    if here.hidden_rows:
        yield plural(
            len(here.hidden_rows),
            "Hidden in the workbook: {count} row (a filter may be on). It was read too and can be left out.",
            "Hidden in the workbook: {count} rows (a filter may be on). They were read too and can be left "
            "out.",
        )
    if down := sum(cell.spans_rows for cell in here.merged):
        yield plural(
            down,
            "Filled down: {count} merged cell; every row it covers now has its text.",
            "Filled down: {count} merged cells; every row they cover now has their text.",
        )
    if error_cells := max(here.error_cells, read.about["error_cells"]):
        yield plural(
            error_cells,
            "Read as empty: {count} cell with a spreadsheet error.",
            "Read as empty: {count} cells with a spreadsheet error.",
        )


def _otherwise(here: Worksheet, seen: Seen) -> Iterator[str]:
    """What is read otherwise than the workbook shows it."""
    if seen.otherwise:
        yield note_of(seen.otherwise)
    if not seen.is_placed:
        yield _(
            "Numbers and struck-out cells are not read as the workbook shows them, since its cells do not "
            "say where they are. Open it in your spreadsheet program and save it again."
        )
    if MOST_SHOWN in {len(here.shown), len(here.struck)}:
        yield _(
            "Only the first {most} numbers with a format, or struck-out cells, are read as the workbook "
            "shows them. Save it as XLSX to read all of them so."
        ).format(most=count(MOST_SHOWN))
    if here.strikes_if:
        yield _(
            "A conditional format of the workbook can strike cells out, which is not seen here. Look which "
            "cells it strikes out."
        )


def _lost(data: bytes, here: Worksheet, kind: Kind) -> Iterator[str]:
    """What is not read of a binary workbook."""
    if kind is Kind.XLSB and any(here.styles):
        yield _(
            "This is a binary workbook (XLSB): its numbers, days and times are read without their number "
            "formats, and what is struck out is not seen. Save it as XLSX to read it as it is shown."
        )
    if kind is Kind.XLSB and b"xl/comments" in data:
        yield _(
            "Notes on cells are not read in a binary workbook (XLSB). Save it as XLSX if they say anything "
            "about texting."
        )
