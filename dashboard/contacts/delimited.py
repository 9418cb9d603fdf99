"""Text files: CSV, TSV and their relatives, read so that no cell moves to another column."""

from __future__ import annotations

import csv
import io
import re

import clevercsv
import pandas as pd

from dashboard.contacts.encoding import decode
from dashboard.contacts.limits import Limits
from dashboard.contacts.table import Table
from dashboard.contacts.wording import count_of, some_of
from dashboard.errors import SheetError

__all__ = ["read_delimited"]

_DELIMITERS = ",;\t|"
_SAMPLE_CHARACTERS = 8_192
_SEPARATOR_LINE = re.compile(r"""\A"?sep=(.)"?(\r\n|\r|\n|\Z)""", re.IGNORECASE)
_TOO_MANY_FIELDS = re.compile(r"Expected \d+ fields in line (\d+), saw (\d+)")


def read_delimited(data: bytes, *, encoding: str | None, delimiter: str | None, limits: Limits) -> Table:
    """Read a text file; rows are numbered as a spreadsheet program numbers them when it opens the file.

    Raises:
        SheetError: It is not text, a quote is never closed, or it has too many columns or rows.
    """
    text, encoding, guessed = decode(data, encoding)
    notes = []
    if guessed:
        notes.append(f"The encoding was guessed: {encoding}. If letters look wrong, choose another one.")
    if "\x00" in text:
        notes.append(_where_nul(text))
        text = text.replace("\x00", "")
    told = _SEPARATOR_LINE.match(text)
    if told:
        text = text[told.end() :]
    if delimiter is None:
        delimiter = told.group(1) if told else _guess_delimiter(text)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise SheetError("A delimiter is one character, such as a comma, a semicolon or a tab.")
    cells = _parse(text, delimiter, limits)
    _check_cells(cells, limits)
    return Table(
        cells=cells,
        rows=pd.Series(range(1, len(cells) + 1), dtype="int64"),
        notes=tuple(notes),
        encoding=encoding,
        delimiter=delimiter,
    )


def _where_nul(text: str) -> str:
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if "\x00" in line]
    return f"NUL characters were removed from {count_of(len(lines), 'line')} of the file: {some_of(lines)}."


def _guess_delimiter(text: str) -> str:
    sample = text[:_SAMPLE_CHARACTERS]
    if len(text) > len(sample):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    try:
        dialect = clevercsv.Sniffer().sniff(sample, delimiters=_DELIMITERS)
    except clevercsv.Error:
        return ","
    return (dialect and dialect.delimiter) or ","


def _parse(text: str, delimiter: str, limits: Limits) -> pd.DataFrame:
    """Parse with twice the room whenever a row turns out wider than thought, up to the limit."""
    width = _first_width(text, delimiter, limits) + 2
    content = text.encode("utf-8", errors="replace")
    while True:
        try:
            cells = pd.read_csv(
                io.BytesIO(content),
                sep=delimiter,
                engine="c",
                header=None,
                names=range(width),
                index_col=False,
                dtype="str",
                na_filter=False,
                skip_blank_lines=False,
                encoding="utf-8",
                nrows=limits.csv_rows + 1,
            )
        except pd.errors.ParserError as error:
            width = _wider(error, text, delimiter, width, limits)
            continue
        except pd.errors.EmptyDataError:
            return pd.DataFrame(dtype="str")
        return cells


def _first_width(text: str, delimiter: str, limits: Limits) -> int:
    """Cells of the widest of the first lines; a line of a million cells is refused unread."""
    first_line = text[: limits.columns * limits.cell_characters].partition("\n")[0]
    if '"' not in first_line:
        _check_width(first_line.count(delimiter) + 1, 1, limits)
    try:
        return max(
            map(len, csv.reader(io.StringIO(text[:_SAMPLE_CHARACTERS], newline=""), delimiter=delimiter))
        )
    except (csv.Error, ValueError):
        return 2


def _wider(error: Exception, text: str, delimiter: str, width: int, limits: Limits) -> int:
    too_many = _TOO_MANY_FIELDS.search(str(error))
    if too_many is None:
        raise _unreadable(text, delimiter) from None
    line, seen = map(int, too_many.groups())
    _check_width(seen, line, limits)
    return max(seen, 2 * width)


def _check_width(seen: int, row: int, limits: Limits) -> None:
    if seen > limits.columns + 1:
        raise SheetError(
            f"Row {row:,} has {seen:,} columns; {limits.columns} are the most that can be read. "
            "Remove the columns you do not need, or choose the right delimiter."
        )


def _unreadable(text: str, delimiter: str) -> SheetError:
    """Name the line on which the record begins that never ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins_on = 1
    try:
        for _ in reader:
            begins_on = reader.line_num + 1
    except csv.Error:
        pass
    return SheetError(
        f'A quotation mark (") is opened on line {begins_on:,} and never closed. '
        "Close or remove it and try again."
    )


def _check_cells(cells: pd.DataFrame, limits: Limits) -> None:
    if len(cells) > limits.csv_rows:
        raise SheetError(f"The file has more than {limits.csv_rows:,} rows. Split it into several files.")
    for column in cells:
        too_long = (cells[column].str.len() > limits.cell_characters).to_numpy()
        if too_long.any():
            raise SheetError(
                f"A cell in row {too_long.argmax() + 1:,} has more than {limits.cell_characters:,} "
                'characters. A quotation mark (") may be open there: close or remove it.'
            )
