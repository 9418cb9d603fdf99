"""Text files: CSV, TSV and the like, with the encoding and the delimiter they are written in."""

from __future__ import annotations

import csv
import io
import re

import pandas as pd
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of, may_hold
from dashboard.contacts.formulas import unwrapped
from dashboard.contacts.read.limits import Limits
from dashboard.contacts.read.note_words import some_of
from dashboard.contacts.read.table import Table
from dashboard.contacts.read.text.csv_cells import CsvCells, parse_csv
from dashboard.contacts.read.text.encoding import to_utf8
from dashboard.contacts.read.text.quotes import with_doubled_quotes, without_spaces_before_quotes
from dashboard.contacts.words.lexicon import known_headers
from dashboard.errors import SheetError
from dashboard.words import _, plural

__all__ = ["read_delimited"]

_DELIMITERS = ",;\t|"
_DELIMITER = re.compile(r'(?!["+\w\r\n])[\x01-\x7f]')
_SAMPLE_CHARACTERS = 8_192
_MOST_BYTES_PER_CHARACTER = 4
_END_OF_FILE = b"\x1a"  # from DOS, still written by old programs
_SEPARATOR_LINE = re.compile(r"""\A"?sep=(.)"?(\r\n|\r|\n|\Z)""", re.IGNORECASE)


def read_delimited(data: bytes, *, encoding: str | None, delimiter: str | None, limits: Limits) -> Table:
    """Read a text file; rows are numbered as a spreadsheet program numbers them when it opens the file.

    Raises:
        SheetError: It is not text, a quote is never closed, or it has too many columns or rows.
    """
    content, encoding, guessed = to_utf8(data, encoding)
    notes = []
    if guessed:
        notes.append(
            _("The encoding was guessed: {encoding}. If letters look wrong, choose another one.").format(
                encoding=encoding
            )
        )
    if b"\x00" in content:
        notes.append(_where_nul(content))
        content = content.replace(b"\x00", b"")
    content = with_doubled_quotes(content.removesuffix(_END_OF_FILE))
    told = _SEPARATOR_LINE.match(_beginning(content))
    if told:
        content = content[len(told.group().encode()) :]
    if delimiter is None:
        delimiter = told.group(1) if told else _guess_delimiter(content)
    if not _DELIMITER.fullmatch(delimiter):
        raise SheetError(
            _(
                "A delimiter is one ASCII character, such as a comma, a semicolon or a tab, and no letter, "
                "digit, plus or quotation mark. Save the file with another one."
            )
        )
    content = without_spaces_before_quotes(content, delimiter)
    parsed = parse_csv(content, delimiter, limits)
    return Table(
        cells=parsed.cells,
        rows=pd.Series(range(1, len(parsed.cells) + 1), dtype="int64"),
        lines=_lines(parsed, content, lines_before=int(told is not None)),
        notes=tuple(notes),
        encoding=encoding,
        delimiter=delimiter,
        widths=parsed.odd_widths,
    )


def _beginning(content: bytes) -> str:
    start = content[: _SAMPLE_CHARACTERS * _MOST_BYTES_PER_CHARACTER].decode("utf-8", "replace")
    return start[:_SAMPLE_CHARACTERS]


def _where_nul(content: bytes) -> str:
    lines = [number for number, line in enumerate(content.splitlines(), start=1) if b"\x00" in line]
    return plural(
        len(lines),
        "NUL characters were removed from {count} line of the file: {lines}.",
        "NUL characters were removed from {count} lines of the file: {lines}.",
        lines=some_of(lines),
    )


def _guess_delimiter(content: bytes) -> str:
    """The delimiter that gives known headers in the first line, else the one the beginning suggests."""
    sample = _beginning(content)
    known = {}
    for delimiter in _DELIMITERS:
        cells = next(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter), [])
        known[delimiter] = known_headers([*map(unwrapped, cells)])
    best = max(known, key=lambda delimiter: known[delimiter])
    if known[best] > 1:
        return best
    import clevercsv  # noqa: PLC0415 - most sheets have headers that we know

    if len(content) > len(sample.encode()):
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    dialect = clevercsv.Sniffer().sniff(sample, delimiters=_DELIMITERS)
    return (dialect and dialect.delimiter) or ","


def _lines(parsed: CsvCells, content: bytes, *, lines_before: int) -> pd.Series | None:
    """The line of the file on which each row begins; None where that is the row's number."""
    if b'"' not in content and not lines_before:
        return None
    taken = pd.Series(1, index=parsed.cells.index, dtype="int64")
    if b'"' in content:
        for column in parsed.cells:
            taken += _line_ends(parsed.cells[column])
    lines = taken.cumsum() - taken + 1 + lines_before
    return None if (taken == 1).all() and not lines_before else lines


def _line_ends(cells: pd.Series) -> pd.Series:
    if not (may_hold(cells, b"\n") or may_hold(cells, b"\r")):
        return pd.Series(0, index=range(len(cells)), dtype="int64")
    texts, ends = arrow_of(cells), ("\n", "\r", "\r\n")
    newlines, returns, both = (pc.count_substring(texts, end).to_numpy() for end in ends)
    return pd.Series(newlines + returns - both, dtype="int64")
