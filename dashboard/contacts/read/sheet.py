"""`read_sheet`: a contact sheet as a frame of texts, with the row numbers its owner sees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.formulas import is_own_export, restore, unwrap, unwrapped
from dashboard.contacts.read.cards import read_vcards
from dashboard.contacts.read.column_names import index_columns, unique_names
from dashboard.contacts.read.contact_rows import body_of
from dashboard.contacts.read.entities import decoded, decoded_cells
from dashboard.contacts.read.file_type import WORKBOOKS, Kind, recognise
from dashboard.contacts.read.header import Header, find_header
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.loading import load
from dashboard.contacts.read.marks import with_cell_notes, with_struck_out
from dashboard.contacts.read.records import read_records
from dashboard.contacts.read.table import Table, check_cells
from dashboard.contacts.read.text.delimited import read_delimited
from dashboard.contacts.read.workbook.worksheets import read_workbook
from dashboard.display import Card
from dashboard.errors import SheetError
from dashboard.values import as_texts, whole_characters
from dashboard.words import _, plural

__all__ = ["Sheet", "read_sheet", "sheet_of_frame"]

_READERS: Mapping[Kind, tuple[Callable[..., Table], tuple[str, ...]]] = {
    **{kind: (partial(read_workbook, kind=kind), ("worksheet",)) for kind in WORKBOOKS},
    Kind.JSON: (partial(read_records, kind=Kind.JSON), ("worksheet",)),
    Kind.PARQUET: (partial(read_records, kind=Kind.PARQUET), ()),
    Kind.VCARD: (read_vcards, ("encoding",)),
    Kind.TEXT: (read_delimited, ("encoding", "delimiter")),
}
"""What reads each kind of file, and what a caller may say about how."""


@dataclass(frozen=True, repr=False)
class Sheet:
    r"""A contact sheet as it was read.

    Its frames are live, unlike a `ContactList`'s: what you change in `frame` is what will be cleaned.

    Attributes:
        name: File name, "" for bytes.
        frame: Every cell as text, "" where empty; column names are unique ("phone", "phone#2"). If a workbook
            has struck-out cells or notes, the last columns, "Struck out" and "Notes on cells", say which and
            what.
        rows: The row number that the spreadsheet program shows, with the index of `frame`.
        notes: What was noticed along the way, a sentence each: guesses, extra cells, hidden rows ...
        worksheet: Name of the worksheet that was read, in JSON of the list; None for a text file.
        worksheets: Names of all worksheets, or of the lists in JSON that look like people.
        encoding: Encoding of a text file; None for a workbook.
        delimiter: Delimiter of a text file; None for a workbook.
        header_row: Row number of the header; None when there is none.
        hidden_rows: Row numbers hidden in the spreadsheet program; they were read too.
        decoded_rows: Row numbers in which HTML codes, such as &amp;, were read as their characters.
        lines: Line of the text file on which each row begins, with the index of `frame`; None if the lines
            are the row numbers, or if there are no lines. Quoted line breaks make them differ.
        above: The cells of each row above the header that holds anything.
        titles: What the header calls each column of the file, "" where nothing; `frame` lacks those columns
            that have neither a title nor any cell. Empty for frames.
        left_out: Cells and row numbers of rows that were hidden and left out; who refuses there still does.

    Example:
        >>> read_sheet(b"phone,name\n07400 123456,Ann\n")
        <Sheet: 1 row, 2 columns>
    """

    name: str
    frame: pd.DataFrame
    rows: pd.Series
    notes: tuple[str, ...] = ()
    worksheet: str | None = None
    worksheets: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    header_row: int | None = None
    hidden_rows: frozenset[int] = frozenset()
    decoded_rows: frozenset[int] = frozenset()
    lines: pd.Series | None = None
    above: tuple[tuple[str, ...], ...] = ()
    titles: tuple[str, ...] = ()
    left_out: tuple[pd.DataFrame, pd.Series] | None = None

    def __repr__(self) -> str:
        return f"<Sheet: {self._size()}>"

    def _repr_html_(self) -> str:
        columns = _("Columns: {names}").format(names=", ".join(map(str, self.frame.columns)))
        return Card(
            "Sheet",
            [self.name, self._size()] if self.name else [self._size()],
            remarks=[columns, *self.notes],
            next_step='contacts = d.clean_contacts(sheet, country="GB")',
        ).html()

    def _size(self) -> str:
        rows = plural(len(self.frame), "{count} row", "{count} rows")
        return f"{rows}, {plural(self.frame.shape[1], '{count} column', '{count} columns')}"

    def without_hidden_rows(self) -> Sheet:
        """The same sheet without the rows hidden in the spreadsheet program; their refusals still count."""
        hidden = self.rows.isin(self.hidden_rows)
        shown = ~hidden
        return replace(
            self,
            frame=self.frame[shown].reset_index(drop=True),
            rows=self.rows[shown].reset_index(drop=True),
            hidden_rows=frozenset(),
            lines=None if self.lines is None else self.lines[shown].reset_index(drop=True),
            left_out=(self.frame[hidden], self.rows[hidden]) if hidden.any() else self.left_out,
        )

    def with_left_out_rows(self) -> tuple[pd.DataFrame, pd.Series]:
        """The cells and row numbers of all rows, also of those that were left out, in the file's order."""
        if self.left_out is None:
            return self.frame, self.rows
        cells, rows = self.left_out
        cells = cells.reindex(columns=self.frame.columns, fill_value="")
        numbers = pd.concat([self.rows, rows], ignore_index=True).sort_values(kind="stable")
        frame = pd.concat([self.frame, cells], ignore_index=True).loc[numbers.index]
        return frame.reset_index(drop=True), numbers.reset_index(drop=True)


@checks_arguments()
def read_sheet(
    source: str | Path | bytes | BinaryIO | pd.DataFrame,
    *,
    worksheet: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
    limits: Limits | None = None,
) -> Sheet:
    r"""Read contacts: CSV, TSV, TXT, XLSX, XLSM, XLSB, XLS, ODS, JSON, JSON Lines, Parquet, vCard or a frame.

    Nothing is interpreted: "NA" stays a text, 447911123456 stays those digits. Numbers, days and times in
    workbooks are read as their cells show them. Whatever had to be guessed is reported in `Sheet.notes`, and
    can be given instead.

    Args:
        source: Path, content, a binary file, or a frame.
        worksheet: Which worksheet of a workbook, the first visible one if left out; in JSON the path of a
            list, such as "data.contacts", the one that looks like people if left out.
        encoding: Encoding of a text file; guessed if left out.
        delimiter: Delimiter of a text file; guessed if left out.
        header_row: Row number of the header; 0 if there is none; detected if left out. Ignored if the file
            itself names its columns, as JSON does.
        limits: Bounds on size; the defaults when left out.

    Raises:
        SheetError: It is not a sheet, it is damaged, empty or too large; the message says what to do.

    Example:
        >>> sheet = read_sheet(b"phone,name\n07700 900123,Ann\n")
        >>> sheet.frame["name"].tolist(), sheet.rows.tolist()
        (['Ann'], [2])
    """
    limits = limits or Limits()
    given = {"worksheet": worksheet, "encoding": encoding, "delimiter": delimiter}
    if isinstance(source, pd.DataFrame):
        _refuse_unused(given, ())
        return sheet_of_frame(source)
    name, data = load(source, limits)
    kind = recognise(data)
    read, used = _READERS[kind]
    _refuse_unused(given, used)
    table = read(data, limits=limits, **{name: given[name] for name in used})
    check_cells(table, limits)
    table = _without_formulas(_without_entities(table))
    if table.cells.empty and not table.titles:
        raise SheetError(_("The sheet is empty. Choose a file with a header row and at least one contact."))
    header = find_header(table, header_row)
    if table.delimiter is not None and is_own_export(header.titles):
        table = replace(table, cells=table.cells.apply(restore))
        header = find_header(table, header.row)
    sheet = _sheet(name, table, header)
    if sheet.frame.empty:
        raise SheetError(
            _(
                "The sheet has column names and no rows below them. Choose a file with at least one contact, "
                "or another worksheet."
            )
            if len(sheet.worksheets) > 1
            else _(
                "The sheet has column names and no rows below them. Choose a file with at least one contact."
            )
        )
    if kind is Kind.XLSB:
        _refuse_lost_columns(sheet)
    return sheet


def _refuse_unused(given: Mapping[str, str | None], used: Collection[str]) -> None:
    """Refuse what is said about a file that has no such thing: it may be another file than was meant."""
    for name, value in given.items():
        if value is not None and name not in used:
            raise SheetError(
                _("This kind of file has no {name}. Leave it out, or choose another file.").format(name=name)
            )


def sheet_of_frame(frame: pd.DataFrame) -> Sheet:
    """A frame from anywhere as a sheet whose header is in row 1; it keeps all its rows.

    Its index is its last columns, unless that only counts rows.
    """
    every = pd.concat([frame.reset_index(drop=True), index_columns(frame.index)], axis=1)
    names = unique_names([unwrapped(whole_characters(name)) for name in every.columns])
    texts = every.set_axis(names, axis=1).apply(as_texts).fillna("").astype("str")
    texts, coded = decoded_cells(texts)
    rows = pd.Series(range(2, len(texts) + 2), dtype="int64", name="row")
    return Sheet(name="", frame=texts.apply(unwrap), rows=rows, decoded_rows=frozenset(rows[coded]))


def _without_entities(table: Table) -> Table:
    cells, coded = decoded_cells(table.cells)
    titles = None if table.titles is None else tuple(map(decoded, table.titles))
    return replace(table, cells=cells, titles=titles, decoded_rows=frozenset(table.rows[coded]))


def _without_formulas(table: Table) -> Table:
    """The table with what its cells show: "no" where ="no" was written."""
    cells, found = {}, 0
    for place, texts in table.cells.items():
        cells[place] = unwrap(texts)
        found += 0 if cells[place] is texts else int((cells[place] != texts).sum())
    note = plural(
        found,
        'Read as the text in it: {count} cell with a formula such as ="text".',
        'Read as the texts in them: {count} cells with formulas such as ="text".',
    )
    titles = None if table.titles is None else tuple(map(unwrapped, table.titles))
    if found:
        table = replace(table, cells=pd.DataFrame(cells), notes=(*table.notes, note))
    return replace(table, titles=titles)


def _sheet(name: str, table: Table, header: Header) -> Sheet:
    body = body_of(table, header)
    frame, struck = with_struck_out(body.frame, body.rows, table.struck, header.names)
    frame, noted, above = with_cell_notes(frame, body.rows, table.cell_notes, header.names)
    return Sheet(
        name=name,
        frame=frame,
        rows=body.rows,
        notes=(*body.notes, *struck, *noted),
        worksheet=table.worksheet,
        worksheets=table.worksheets,
        encoding=table.encoding,
        delimiter=table.delimiter,
        header_row=header.row,
        hidden_rows=table.hidden_rows,
        decoded_rows=table.decoded_rows,
        lines=body.lines,
        above=(*header.above, *above),
        titles=header.titles,
    )


def _refuse_lost_columns(sheet: Sheet) -> None:
    """Readers of XLSB silently lose columns; a column that is named and empty may be one of them."""
    lost = [str(column) for column in sheet.frame if not (sheet.frame[column] != "").any()]
    if lost:
        raise SheetError(
            _(
                "This is a binary workbook (XLSB), whose columns can get lost: {columns} came out "
                "empty. Open it in your spreadsheet program and save it as XLSX."
            ).format(columns=", ".join(lost[:5]))
        )
