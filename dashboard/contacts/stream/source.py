"""A CSV file of any size, a few thousand rows at a time.

How it is written (encoding, delimiter, header, columns) is determined from its beginning by the readers of
whole sheets; then pyarrow reads all of it in blocks. A row wider or narrower than the header stops the
reading, unless the difference is blank (odd_rows.py): in a file nobody can look through, a cell in the wrong
column must not slip by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from dashboard.arguments import checks_arguments
from dashboard.contacts.arrow.texts import arrow_of, text_series
from dashboard.contacts.columns.guess import ColumnMap, guess_columns
from dashboard.contacts.columns.questions import Question, question_of
from dashboard.contacts.columns.roles import depends_on_all_cells
from dashboard.contacts.formulas import is_own_export, restore, unwrap
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.contact_rows import is_filled, repeats_header
from dashboard.contacts.read.entities import decoded_cells
from dashboard.contacts.read.loading import refuse_endless
from dashboard.contacts.read.sheet import read_sheet
from dashboard.contacts.stream.odd_rows import OddRows
from dashboard.contacts.verdicts.consent.whole_sheet import OfAll, said_of_all
from dashboard.contacts.vocabulary.known_words.title import read_title
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["Batch", "CsvSource", "find_layout"]

_SAMPLE_BYTES = 1 << 22
_LARGER_SAMPLE_BYTES = 1 << 26
_SAMPLE_ROWS = 10_000
"""How many rows a sheet's columns are guessed from; long sheets need the larger sample."""
_MOST_DISTINCT = 100_000
_BLOCK_BYTES = 1 << 20  # pyarrow reads dozens ahead: with blocks of 8 MB that takes 700 MB
_BLOCKS_AT_ONCE = 4  # some 60,000 short rows, so that pandas' cost per call does not matter
_SEPARATOR_LINE = re.compile(rb'\A(?:\xef\xbb\xbf)?"?sep=', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows: their cells as texts, their numbers, which had HTML codes, and how much is read (0 to 1)."""

    cells: pa.RecordBatch
    numbers: npt.NDArray[np.int64]
    had_codes: npt.NDArray[np.bool_]
    share_read: float

    def frame(self) -> pd.DataFrame:
        """The cells as a frame, without a copy."""
        return _frame(self.cells)

    def rows(self) -> pd.Series:
        """The row numbers, on the frame's index."""
        return pd.Series(self.numbers)


@dataclass(frozen=True, slots=True)
class CsvSource:
    """A CSV file and how it is written.

    Attributes:
        path: The file.
        names: Its columns, each name different.
        titles: What its header calls them, "" where nothing; None if it has none.
        columns: What they hold, guessed.
        encoding: Its encoding.
        delimiter: Its delimiter.
        first_row: Row number of the first contact.
        fewest_cells: How many cells a row has at least; those it lacks are blank in all rows.
        lines_before: Lines that are not rows: a "sep=;" that spreadsheet programs write and hide.
        expected_rows: About how many rows it has.
        of_all: What is said of all its people, above the header or by its name.
    """

    path: Path
    names: tuple[str, ...]
    titles: tuple[str, ...] | None
    columns: ColumnMap
    encoding: str
    delimiter: str
    first_row: int
    fewest_cells: int
    lines_before: int
    expected_rows: int
    of_all: OfAll

    def batches(self, only: tuple[str, ...] = ()) -> Iterator[Batch]:
        """Read the file from its first contact to its end, without blank rows and repeated headers.

        Args:
            only: Columns to read, in all rows; all columns when empty.

        Raises:
            SheetError: A row has more or fewer cells than the header, or a letter does not fit the encoding.
        """
        size = max(self.path.stat().st_size, 1)
        row = self.first_row
        with pa.OSFile(str(self.path)) as file, _explained():
            for raw in _several(self._rows(file, only)):
                cells, had_codes = _without_entities(raw)
                cells = _each(unwrap, cells)
                kept = np.ones(len(cells), np.bool_) if only else self._are_contacts(cells)
                contacts = cells if kept.all() else cells.filter(pa.array(kept))
                if len(contacts):
                    numbers = row + np.flatnonzero(kept)
                    share = min(1.0, file.tell() / size)
                    yield Batch(self._restored(contacts), numbers, had_codes[kept], share)
                row += len(cells)

    def _are_contacts(self, cells: pa.RecordBatch) -> npt.NDArray[np.bool_]:
        frame = _frame(cells)
        contacts: npt.NDArray[np.bool_] = is_filled(frame).to_numpy()
        return contacts if self.titles is None else contacts & ~repeats_header(frame, self.titles).to_numpy()

    def _restored(self, cells: pa.RecordBatch) -> pa.RecordBatch:
        """The cells without the apostrophes our own exports add."""
        return _each(restore, cells) if is_own_export(self.names) else cells

    def _rows(self, file: pa.NativeFile, only: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
        """All rows from the first contact on, in blocks."""
        odd = OddRows(self.names, self.fewest_cells, self.delimiter, self.lines_before)
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
                column_names=list(self.names),
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
                column_types=dict.fromkeys(self.names, pa.large_string()),
                strings_can_be_null=False,
                include_columns=list(only),
            ),
        )


@checks_arguments()
def find_layout(
    path: Path, *, encoding: str | None = None, delimiter: str | None = None, header_row: int | None = None
) -> CsvSource:
    """Find out how a CSV file is written, from its first megabytes, and what its columns hold.

    Raises:
        SheetError: It cannot be opened or read to its end, or is not a CSV file with a header and contacts.
    """
    for most_bytes in (_SAMPLE_BYTES, _LARGER_SAMPLE_BYTES):
        sample = _beginning(path, most_bytes)
        sheet = read_sheet(sample, encoding=encoding, delimiter=delimiter, header_row=header_row)
        if len(sheet.frame) >= _SAMPLE_ROWS or len(sample) == path.stat().st_size:
            break
    if sheet.encoding is None or sheet.delimiter is None:
        raise SheetError(_("Only a CSV file can be cleaned piece by piece. Save the workbook as CSV first."))
    if sheet.frame.empty:
        raise SheetError(_("The file has no contacts below its header. Choose another file."))
    names = tuple(unique_names(sheet.titles))
    layout = CsvSource(
        path=path,
        names=names,
        titles=None if sheet.header_row is None else sheet.titles,
        columns=guess_columns(sheet),
        encoding=sheet.encoding,
        delimiter=sheet.delimiter,
        first_row=int(sheet.rows.iloc[0]),
        fewest_cells=max(names.index(str(column)) for column in sheet.frame.columns) + 1,
        lines_before=int(_SEPARATOR_LINE.match(sample) is not None),
        expected_rows=len(sheet.frame) * path.stat().st_size // len(sample),
        of_all=said_of_all(replace(sheet, name=path.name)),
    )
    if len(sample) == path.stat().st_size:
        return layout
    sample_cells = sheet.frame.reindex(columns=list(layout.names), fill_value="")
    columns = guess_columns(_with_all_told(sample_cells, layout))
    asked = tuple(_as_counted(one, sample_cells) for one in columns.questions)
    return replace(layout, columns=replace(columns, questions=asked))


def _as_counted(question: Question, sample: pd.DataFrame) -> Question:
    """The question with the values that the file's beginning has, if it has any."""
    counted = question_of(question.column, sample[question.column])
    return question if counted is None or not any(counted.values) else counted


def _beginning(path: Path, most_bytes: int) -> bytes:
    try:
        refuse_endless(path)
        with path.open("rb") as file:
            sample = file.read(most_bytes)
    except OSError as error:
        raise SheetError(
            _("The file cannot be opened: {reason}. Check its path and permissions.").format(
                reason=error.strerror
            )
        ) from None
    return sample[: sample.rfind(b"\n") + 1] or sample if len(sample) == most_bytes else sample


def _with_all_told(sample: pd.DataFrame, layout: CsvSource) -> pd.DataFrame:
    """The file's beginning, with values from the whole file added for columns that the beginning leaves open.

    A status may mention refusals only in the last row, and a column may be blank at first.
    """
    asking = {name for name in layout.names if depends_on_all_cells(read_title(name))}
    is_open = [name for name in layout.names if name in asking or not (sample[name] != "").any()]
    told: dict[str, dict[str, None]] = {name: {} for name in is_open}
    for batch in layout.batches(only=tuple(is_open)) if is_open else ():
        for name, cells in zip(is_open, batch.cells.columns, strict=True):
            if len(told[name]) < _MOST_DISTINCT:
                told[name].update(dict.fromkeys(pc.unique(cells).to_pylist()))
    repeated = dict(zip(layout.names, layout.titles or layout.names, strict=True))
    words = {name: [word for word in listed if word != repeated[name]] for name, listed in told.items()}
    more = pd.DataFrame({name: pd.Series(cells, dtype="str") for name, cells in words.items()})
    unseen = pd.DataFrame(index=range(len(sample)))  # nobody knows how many more rows have a date
    return pd.concat([sample, more, unseen], ignore_index=True).fillna("")


def _without_entities(cells: pa.RecordBatch) -> tuple[pa.RecordBatch, npt.NDArray[np.bool_]]:
    frame, rows = decoded_cells(_frame(cells))
    coded = rows.to_numpy(dtype=bool)
    return (_batch(frame) if coded.any() else cells), coded


def _each(change: Callable[[pd.Series], pd.Series], cells: pa.RecordBatch) -> pa.RecordBatch:
    return _batch(_frame(cells).apply(change))


def _batch(frame: pd.DataFrame) -> pa.RecordBatch:
    columns = [arrow_of(frame[name]).combine_chunks() for name in frame.columns]
    return pa.RecordBatch.from_arrays(columns, names=list(frame.columns))


def _frame(cells: pa.RecordBatch) -> pd.DataFrame:
    columns = zip(cells.schema.names, cells.columns, strict=True)
    return pd.DataFrame({name: text_series(column) for name, column in columns}, copy=False)


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
def _explained() -> Iterator[None]:
    try:
        yield
    except (pa.ArrowInvalid, UnicodeError):
        raise SheetError(
            _(
                "The file cannot be read to its end: a row has more or fewer cells than the header, a "
                "quotation mark is never closed, or the encoding is different. Repair it, or clean it "
                "as several smaller files: their error messages name the row."
            )
        ) from None
