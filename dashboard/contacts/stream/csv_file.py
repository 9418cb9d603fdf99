"""A CSV file of any size: pyarrow reads it in blocks.

A row wider or narrower than the header stops the reading, unless the difference is blank (odd_rows.py): in a
file nobody can look through, a cell in the wrong column must not slip by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv

from dashboard.contacts.formulas import is_own_export
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.loading import refuse_endless
from dashboard.contacts.read.sheet import read_sheet
from dashboard.contacts.refusals.whole_sheet import said_of_all
from dashboard.contacts.stream.odd_rows import OddRows
from dashboard.contacts.stream.source import SAMPLE_ROWS, Opened, Source, unopened
from dashboard.errors import SheetError
from dashboard.own_connections import content
from dashboard.words import _, count

__all__ = ["CsvSource", "open_csv"]

_SAMPLE_BYTES = 1 << 22
_LARGER_SAMPLE_BYTES = 1 << 26
_BLOCK_BYTES = 1 << 20  # pyarrow reads dozens ahead: with blocks of 8 MB that takes 700 MB
_BLOCKS_AT_ONCE = 4  # some 60,000 short rows, so that pandas' cost per call does not matter
_SEPARATOR_LINE = re.compile(rb'\A(?:\xef\xbb\xbf)?"?sep=', re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, repr=False)
class CsvSource(Source):
    """A CSV file and how it is written.

    Attributes:
        encoding: Its encoding.
        delimiter: Its delimiter.
        fewest_cells: How many cells a row has at least; those it lacks are blank in all rows.
        lines_before: Lines that are not rows: a "sep=;" that spreadsheet programs write and hide.
    """

    encoding: str
    delimiter: str
    fewest_cells: int
    lines_before: int

    def blocks(self, only: tuple[str, ...]) -> Iterator[tuple[pa.RecordBatch, float]]:
        """All rows from the first contact on, as texts, and how much of the file is read."""
        size = max(self.path.stat().st_size, 1)
        odd = OddRows(self.own_names, self.fewest_cells, self.delimiter, self.lines_before)
        with pa.OSFile(str(self.path)) as file, _explained(odd):
            for cells in _several(self._rows(file, only, odd)):
                yield cells, min(1.0, file.tell() / size)

    def _rows(self, file: pa.NativeFile, only: tuple[str, ...], odd: OddRows) -> Iterator[pa.RecordBatch]:
        reader = self._reader(file, only, odd)
        row = self.first_row
        for block in reader:
            odd.leave_out(self.first_row)
            for cells in odd.among(block, row):
                row += len(cells)
                yield cells
        yield from odd.rest(reader.schema)

    def _reader(
        self, file: pa.NativeFile, only: tuple[str, ...], odd: OddRows
    ) -> pyarrow.csv.CSVStreamingReader:
        is_unicode = self.encoding.lower().replace("_", "-").startswith("utf-8")
        return pyarrow.csv.open_csv(
            file,
            read_options=pyarrow.csv.ReadOptions(
                block_size=_BLOCK_BYTES,
                encoding="utf8" if is_unicode else self.encoding,
                column_names=list(self.own_names),
                skip_rows=self.lines_before,
                skip_rows_after_names=self.first_row - 1,
                use_threads=False,  # with threads, odd rows come without their numbers
            ),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=self.delimiter,
                invalid_row_handler=odd.put_aside,
                newlines_in_values=True,
                ignore_empty_lines=False,  # a blank line counts as a row, as it does in a spreadsheet program
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict.fromkeys(self.own_names, pa.large_string()),
                strings_can_be_null=False,
                include_columns=list(only),
            ),
        )


def open_csv(path: Path, hints: Mapping[str, Any], name: str) -> Opened:
    """Find out how a CSV file is written, from its first megabytes.

    Args:
        path: The file.
        hints: Its encoding, delimiter and header_row, as `read_sheet` takes them, if they are known.
        name: What it is called; the name may say something of all people in it.

    Raises:
        SheetError: It cannot be opened or read to its end, or is not a CSV file with a header and contacts.
    """
    for most_bytes in (_SAMPLE_BYTES, _LARGER_SAMPLE_BYTES):
        start = _beginning(path, most_bytes)
        is_whole = len(start) == path.stat().st_size
        sheet = read_sheet(start, **hints)
        if len(sheet.frame) >= SAMPLE_ROWS or is_whole:
            break
    if sheet.encoding is None or sheet.delimiter is None:
        raise SheetError(_("Only a CSV file can be cleaned piece by piece. Save the workbook as CSV first."))
    names = tuple(unique_names(sheet.titles))
    source = CsvSource(
        path=path,
        names=names,
        titles=None if sheet.header_row is None else sheet.titles,
        first_row=int(sheet.rows.iloc[0]),
        of_all=said_of_all(replace(sheet, name=name)),
        is_ours=is_own_export(names),
        encoding=sheet.encoding,
        delimiter=sheet.delimiter,
        fewest_cells=max(names.index(str(column)) for column in sheet.frame.columns) + 1,
        lines_before=int(_SEPARATOR_LINE.match(start) is not None),
    )
    return Opened(source, sheet, is_whole)


def _beginning(path: Path, most_bytes: int) -> bytes:
    try:
        refuse_endless(path)
        sample = content(path, most_bytes)
    except OSError as error:
        raise unopened(error) from None
    return sample[: sample.rfind(b"\n") + 1] or sample if len(sample) == most_bytes else sample


def _several(blocks: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Blocks joined a few at a time, fewer if rows are long."""
    joined: list[pa.RecordBatch] = []
    for block in blocks:
        joined.append(block)
        if len(joined) == _BLOCKS_AT_ONCE:
            yield pa.concat_batches(joined)
            joined = []
    if joined:
        yield pa.concat_batches(joined)


@contextmanager
def _explained(odd: OddRows) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, UnicodeError):
        if odd.refused is not None:
            raise SheetError(
                _("Row {row} has more or fewer cells than the header. Repair it or take it out.").format(
                    row=count(odd.refused)
                )
            ) from None
        raise SheetError(
            _(
                "The file cannot be read to its end: a quotation mark is never closed, or the encoding is "
                "different. Repair it, or clean it as several smaller files: their messages name the row."
            )
        ) from None
