"""From CSV content to cells, so that no cell moves to another column and no row is left out.

pyarrow parses all rows of the usual width, six times faster than pandas; it hands over the others, which
Python's own parser reads. Whatever pyarrow would misread, above all an open quotation mark, pandas reads.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv

from dashboard.contacts.arrow.texts import text_frame
from dashboard.contacts.read.limits import Limits
from dashboard.errors import SheetError
from dashboard.words import _, count

__all__ = ["CsvCells", "parse_csv"]

_SAMPLE_BYTES = 32_768
_FEWEST_FAR = 50
_BLOCK_BYTES = 2**22
_LINE_END = re.compile(rb"[\r\n]")
_TOO_MANY_FIELDS = re.compile(r"Expected \d+ fields in line (\d+), saw (\d+)")


class CsvCells(NamedTuple):
    """All cells as text, and how many cells rows of unusual width have: position to count."""

    cells: pd.DataFrame
    odd_widths: dict[int, int]


def parse_csv(content: bytes, delimiter: str, limits: Limits) -> CsvCells:
    """Parse UTF-8 content; narrow rows are filled up with "".

    Raises:
        SheetError: A quotation mark is never closed, or a row is wider than allowed.
    """
    content = _without_far_blanks(content, delimiter, limits)
    width = _usual_width(content, delimiter, limits)
    line_ends = max(content.count(b"\n"), content.count(b"\r"))
    if content.count(b'"') % 2 == 0 and line_ends <= limits.csv_rows:
        try:
            return _parse_quickly(content, delimiter, width, limits)
        except (pa.ArrowException, UnicodeError):
            pass  # a row longer than a block, or a character that pyarrow does not accept as a delimiter
    return _parse_with_pandas(content, delimiter, width, limits)


def _without_far_blanks(content: bytes, delimiter: str, limits: Limits) -> bytes:
    """The content without the many empty cells at a line's end which programs write for styled ones."""
    sign = re.escape(delimiter.encode())
    many = max(limits.columns // 2, _FEWEST_FAR)
    if delimiter.encode() * many not in content:
        return content
    return re.sub(rb"(?<!%b)(?:%b){%d,}+(?=[\r\n]|\Z)" % (sign, sign, many), b"", content)


def _usual_width(content: bytes, delimiter: str, limits: Limits) -> int:
    """The width of most of the first rows; a line of a million cells is refused unread."""
    most = limits.columns * limits.cell_characters
    end = _LINE_END.search(content, 0, most)
    first_line = content[: end.start() if end else most]
    if b'"' not in first_line:
        _check_width(first_line.count(delimiter.encode()) + 1, 1, limits)
    sample = content[:_SAMPLE_BYTES].decode("utf-8", "replace")
    widths = [len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row]
    if len(content) > _SAMPLE_BYTES and len(widths) > 1:
        widths.pop()
    return max(set(widths), key=lambda width: (widths.count(width), width), default=1)


def _check_width(seen: int, row: int, limits: Limits) -> None:
    if seen > limits.columns + 1:
        raise SheetError(
            _(
                "Row {row} has {columns} columns; at most {most} can be read. Remove the columns you "
                "do not need, or choose the right delimiter."
            ).format(row=count(row), columns=count(seen), most=limits.columns)
        )


def _parse_quickly(content: bytes, delimiter: str, width: int, limits: Limits) -> CsvCells:
    odd: dict[int, list[str]] = {}
    too_wide: list[pyarrow.csv.InvalidRow] = []  # an exception would be printed and lost in pyarrow

    def put_aside(row: pyarrow.csv.InvalidRow) -> str:
        if row.actual_columns > limits.columns + 1:
            too_wide.append(row)
            return "error"
        if len(row.text) > csv.field_size_limit():
            return "error"
        odd[row.number - 1] = next(csv.reader(io.StringIO(row.text, newline=""), delimiter=delimiter), [])
        return "skip"

    names = [str(place) for place in range(width)]
    try:
        table = pyarrow.csv.read_csv(pa.BufferReader(content), *_options(names, delimiter, put_aside))
    except pa.ArrowInvalid:
        if not too_wide:
            raise
        table = None  # refused below, outside the handler: the error quotes the row
    for row in too_wide:
        _check_width(row.actual_columns, row.number, limits)
    columns = _insert(table.columns, odd) if odd else table.columns
    del table  # so that each column's blocks are gone once they are joined
    return CsvCells(text_frame(_joined(columns)), {place: len(cells) for place, cells in odd.items()})


def _options(
    names: list[str], delimiter: str, put_aside: Callable[[pyarrow.csv.InvalidRow], str]
) -> tuple[pyarrow.csv.ReadOptions, pyarrow.csv.ParseOptions, pyarrow.csv.ConvertOptions]:
    return (
        pyarrow.csv.ReadOptions(
            column_names=names,
            block_size=_BLOCK_BYTES,
            use_threads=False,  # with threads, odd rows come without their numbers
        ),
        pyarrow.csv.ParseOptions(
            delimiter=delimiter,
            newlines_in_values=True,
            ignore_empty_lines=False,
            invalid_row_handler=put_aside,
        ),
        pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False
        ),
    )


def _joined(columns: list[pa.ChunkedArray]) -> Iterator[pa.ChunkedArray]:
    """The columns in one piece each: what is looked for in a column is prepared for each of its pieces.

    In the system's memory: Arrow's own costs the kernel a third of a second more for 100 MB.
    """
    while columns:
        yield pa.chunked_array([columns.pop(0).combine_chunks(pa.system_memory_pool())])


def _insert(columns: Sequence[pa.ChunkedArray], odd: Mapping[int, list[str]]) -> list[pa.ChunkedArray]:
    """Put the odd rows back where they were."""
    regular = len(columns[0]) if columns else 0
    width = max(len(columns), *map(len, odd.values()))
    is_odd = np.zeros(regular + len(odd), np.bool_)
    is_odd[[*odd]] = True
    order = np.empty(len(is_odd), np.int64)
    order[~is_odd] = np.arange(regular)
    order[is_odd] = np.arange(regular, len(is_odd))
    inserted, blanks = [], pa.repeat(pa.scalar("", pa.large_string()), regular)
    for place in range(width):
        usual = columns[place] if place < len(columns) else pa.chunked_array([blanks])
        more = [cells[place] if place < len(cells) else "" for cells in odd.values()]
        both = pa.chunked_array([*usual.chunks, pa.array(more, pa.large_string())], pa.large_string())
        inserted.append(both.take(pa.array(order)))
    return inserted


def _parse_with_pandas(content: bytes, delimiter: str, width: int, limits: Limits) -> CsvCells:
    """Parse with twice the width whenever a row turns out wider than expected, up to the limit."""
    width += 2
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
            width = _wider(error, content, delimiter, width, limits)
            continue
        except pd.errors.EmptyDataError:
            return CsvCells(pd.DataFrame(dtype="str"), {})
        used = max((place + 1 for place in range(width) if (cells[place] != "").any()), default=0)
        return CsvCells(cells.iloc[:, :used], {})


def _wider(error: Exception, content: bytes, delimiter: str, width: int, limits: Limits) -> int:
    too_many = _TOO_MANY_FIELDS.search(str(error))
    if too_many is None:
        raise _unreadable(content, delimiter) from None
    line, seen = map(int, too_many.groups())
    _check_width(seen, line, limits)
    return max(seen, 2 * width)


def _unreadable(content: bytes, delimiter: str) -> SheetError:
    """Name the line where the record that never ends begins."""
    text = io.StringIO(content.decode("utf-8", "replace"), newline="")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    begins_on = 1
    try:
        for _row in reader:
            begins_on = reader.line_num + 1
    except csv.Error:
        pass
    return SheetError(
        _(
            'A quotation mark (") is opened on line {line} and never closed. Close or remove it and try '
            "again."
        ).format(line=count(begins_on))
    )
