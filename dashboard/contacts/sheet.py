"""`read_sheet`: a contact sheet as a frame of texts, with the row numbers that its owner sees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from dashboard.contacts.delimited import read_delimited
from dashboard.contacts.header import Header, find_header
from dashboard.contacts.kind import Kind, recognise
from dashboard.contacts.limits import Limits
from dashboard.contacts.table import Table
from dashboard.contacts.wording import count_of, some_of
from dashboard.contacts.workbook import read_workbook
from dashboard.errors import SheetError

__all__ = ["Sheet", "read_sheet"]


@dataclass(frozen=True)
class Sheet:
    """A contact sheet as it was read.

    Attributes:
        name: File name, "" for bytes.
        frame: Every cell as text, "" where empty; column names are unique ("phone", "phone#2").
        rows: The row number that the spreadsheet program shows, with the index of `frame`.
        notes: What was noticed on the way, a sentence each: guesses, surplus cells, hidden rows ...
        worksheet: Name of the worksheet that was read; None for a text file.
        worksheets: Names of all worksheets.
        encoding: Encoding of a text file; None for a workbook.
        delimiter: Delimiter of a text file; None for a workbook.
        header_row: Row number of the header; None when there is none.
        hidden_rows: Row numbers that the spreadsheet program does not show; they were read too.
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

    def without_hidden_rows(self) -> Sheet:
        """The same sheet without the rows that the spreadsheet program hides."""
        shown = ~self.rows.isin(self.hidden_rows)
        return replace(
            self,
            frame=self.frame[shown].reset_index(drop=True),
            rows=self.rows[shown].reset_index(drop=True),
            hidden_rows=frozenset(),
        )


def read_sheet(
    source: str | Path | bytes | BinaryIO,
    *,
    worksheet: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
    limits: Limits | None = None,
) -> Sheet:
    r"""Read a contact sheet: CSV, TSV, TXT, XLSX, XLS or ODS.

    Nothing is interpreted: "NA" stays a text, 447911123456 stays those digits. Whatever had to be guessed
    is told in `Sheet.notes`, and can be given instead.

    Args:
        source: Path, content, or a binary file.
        worksheet: Which worksheet of a workbook; the first visible one when left out.
        encoding: Encoding of a text file; guessed when left out.
        delimiter: Delimiter of a text file; guessed when left out.
        header_row: Row number of the header; 0 when there is none; found when left out.
        limits: Bounds on size; the defaults when left out.

    Raises:
        SheetError: It is not a sheet, it is damaged, empty or too large; the message says what to do.

    Example:
        >>> sheet = read_sheet(b"phone,name\n07700 900123,Ann\n")
        >>> sheet.frame["name"].tolist(), sheet.rows.tolist()
        (['Ann'], [2])
    """
    limits = limits or Limits()
    name, data = _load(source, limits)
    kind = recognise(data)
    if kind is Kind.TEXT:
        table = read_delimited(data, encoding=encoding, delimiter=delimiter, limits=limits)
    else:
        table = read_workbook(data, kind, worksheet=worksheet, limits=limits)
    if table.cells.empty:
        raise SheetError("The sheet is empty. Choose a file with a header row and at least one contact.")
    header = find_header(table, header_row)
    return _assemble(name, table, header)


def _load(source: str | Path | bytes | BinaryIO, limits: Limits) -> tuple[str, bytes]:
    if isinstance(source, bytes):
        name, data = "", source
    elif isinstance(source, str | Path):
        path = Path(source)
        try:
            too_large = path.stat().st_size > limits.upload_bytes
            name, data = path.name, b"" if too_large else path.read_bytes()
        except OSError as error:
            raise SheetError(
                f"The file cannot be opened: {error.strerror}. Check its path and rights."
            ) from None
        if too_large:
            raise _too_large(limits)
    else:
        name = Path(str(getattr(source, "name", ""))).name
        data = source.read(limits.upload_bytes + 1)
    if len(data) > limits.upload_bytes:
        raise _too_large(limits)
    return name, data


def _too_large(limits: Limits) -> SheetError:
    return SheetError(
        f"The file is larger than {limits.upload_bytes // 2**20} MB. Split it, or remove needless columns."
    )


def _assemble(name: str, table: Table, header: Header) -> Sheet:
    body = table.cells.iloc[header.first_data_position :]
    filled = (body != "").any(axis=1)
    notes = [*table.notes, *header.notes]
    blank = _blank_rows_inside(filled)
    if blank:
        notes.append(f"Left out: {count_of(blank, 'blank row')}.")
    body = body[filled]
    unnamed = [place for place, title in enumerate(header.titles) if not title]
    useless = [place for place in unnamed if not (body.iloc[:, place] != "").any()]
    kept = [place for place in range(body.shape[1]) if place not in set(useless)]
    frame = body.iloc[:, kept].set_axis([header.names[place] for place in kept], axis=1)
    notes += _surplus(body, header, [place for place in unnamed if place in set(kept)], table.rows)
    return Sheet(
        name=name,
        frame=frame.reset_index(drop=True),
        rows=table.rows[frame.index].astype("int64").rename("row").reset_index(drop=True),
        notes=tuple(notes),
        worksheet=table.worksheet,
        worksheets=table.worksheets,
        encoding=table.encoding,
        delimiter=table.delimiter,
        header_row=header.row,
        hidden_rows=table.hidden_rows,
    )


def _blank_rows_inside(filled: pd.Series) -> int:
    """Blank rows between filled ones; those after the last say nothing."""
    places = filled.to_numpy().nonzero()[0]
    return int(places[-1] + 1 - len(places)) if len(places) else 0


def _surplus(body: pd.DataFrame, header: Header, unnamed: list[int], rows: pd.Series) -> list[str]:
    if header.row is None or not unnamed:
        return []
    surplus = body.index[(body.iloc[:, unnamed] != "").any(axis=1)]
    names = ", ".join(header.names[place] for place in unnamed)
    count = count_of(len(surplus), "row")
    return [f"Wider than the header: {count} (row {some_of(rows[surplus].tolist())}); see {names}."]
