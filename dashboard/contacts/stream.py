"""`clean_csv_stream`: a CSV file larger than memory to a Parquet file with a verdict on every row.

For lists that `read_sheet` refuses. Phones, consent, opt-outs and duplicates count as in `clean_contacts`,
but nothing is repaired (stream_verdicts.py says why), and of rows with the same number the first is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from dashboard.contacts.codes import PROBLEM_DTYPE, STATUS_DTYPE
from dashboard.contacts.columns import ColumnMap
from dashboard.contacts.contact_list import explained
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.made_up import FEWEST_IN_SEQUENCE
from dashboard.contacts.naming import unique_names
from dashboard.contacts.phones.first_rows import FirstRows
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.stream_columns import Refusals, consent_is_unclear, homes, phone_texts, read_refusals
from dashboard.contacts.stream_source import Batch, CsvSource, find_layout
from dashboard.contacts.stream_verdicts import BatchVerdict, judge_batch, status_code
from dashboard.errors import ColumnError
from dashboard.output import whole
from dashboard.words import _

__all__ = ["StreamedFile", "clean_csv_stream"]

_NEIGHBOURS = FEWEST_IN_SEQUENCE - 1
_VERDICT = ("phone", "country", "line_type", "status", "problem", "duplicate_of")
_DICTIONARIES = ("country", "line_type", "status", "problem")  # few words, many times


@dataclass(frozen=True)
class StreamedFile:
    """What became of a file.

    Attributes:
        path: The Parquet file: row, the file's columns, phone, country, line_type, status, problem and
            duplicate_of (the row that is kept instead).
        rows: How many contacts it holds.
        counts: How many rows have which status and problem, as `ContactList.summary` gives them.
    """

    path: Path
    rows: int
    counts: pd.DataFrame


def clean_csv_stream(
    source: str | Path | CsvSource,
    target: str | Path,
    *,
    country: str | None,
    columns: ColumnMap | None = None,
    opt_outs: Iterable[str] = (),
    line_types: Collection[str] = TEXTABLE,
    on_progress: Callable[[float], None] | None = None,
) -> StreamedFile:
    """Judge every row of a CSV file of any size, with memory for a few thousand rows and 20 bytes per number.

    Args:
        source: The CSV file, or what `find_layout` found out about it with a hint on how it is written.
        target: The Parquet file to write; it appears when it is complete.
        country: ISO 3166 country of numbers without a country code; a country column wins over it.
        columns: Which columns hold what; guessed when left out.
        opt_outs: Phones that must not be texted.
        line_types: Line types to text.
        on_progress: Called after every few thousand rows with the share of the file that is done, 0 to 1.

    Raises:
        SheetError: The file cannot be read to its end; no target is written then.
        OutputError: The target cannot be written.
        ColumnError: There is no phone column, or a column named is not in the file.
        CountryError: The country is not a two-letter ISO 3166 code in upper case.

    Example:
        >>> clean_csv_stream("contacts.csv", "cleaned.parquet", country="GB").counts
    """
    layout = source if isinstance(source, CsvSource) else find_layout(Path(source))
    columns = columns or layout.columns
    _check_columns(columns, layout)
    refusals = read_refusals(layout, columns, country, opt_outs)
    cleaner = _Cleaner(columns, country, line_types, refusals, FirstRows(layout.expected_rows))
    with whole(target) as unfinished, closing(_Writer(unfinished)) as writer:
        for batch, verdict in _among_neighbours(cleaner.judge(batch) for batch in layout.batches()):
            writer.write(_beside_cells(batch, verdict, cleaner.conclude(batch, verdict)))
            if on_progress is not None:
                on_progress(batch.share_read)
    return StreamedFile(Path(target), cleaner.rows, cleaner.counts())


def _check_columns(columns: ColumnMap, layout: CsvSource) -> None:
    missing = [column for column in columns.columns if column not in layout.names]
    if missing:
        named = ", ".join(f'"{column}"' for column in missing)
        raise ColumnError(
            _("The file has no column {name}. Choose among those that it has.").format(name=named)
        )
    if not columns.phones:
        raise ColumnError(_("No column looks like phone numbers. Choose the column that holds them."))


class _Cleaner:
    """Judges batch after batch, and remembers the numbers and the counts of all."""

    def __init__(
        self,
        columns: ColumnMap,
        country: str | None,
        line_types: Collection[str],
        refusals: Refusals,
        seen: FirstRows,
    ) -> None:
        self.rows = 0
        self._columns = columns
        self._country = country
        self._line_types = line_types
        self._refusals = refusals
        self._seen = seen
        self._counts = np.zeros((len(STATUS_DTYPE.categories), len(PROBLEM_DTYPE.categories) + 1), np.int64)

    def judge(self, batch: Batch) -> tuple[Batch, BatchVerdict]:
        """The verdict on the rows of a batch by themselves."""
        texts = phone_texts(batch.cells, self._columns)
        home, is_unclear = homes(batch.cells, self._columns, self._country)
        verdict = judge_batch(texts, home, self._line_types)
        is_national = pc.invert(pc.starts_with(texts, "+")).to_numpy(zero_copy_only=False)
        verdict.doubt(is_unclear & is_national, Problem.COUNTRY_UNCLEAR)
        return batch, verdict

    def conclude(self, batch: Batch, verdict: BatchVerdict) -> npt.NDArray[np.int64]:
        """Add to a verdict what other rows say, and give the row that is kept for each duplicate."""
        self._refusals.apply(verdict)
        verdict.doubt(consent_is_unclear(batch.cells, self._columns), Problem.CONSENT_UNCLEAR)
        kept_row = self._mark_duplicates(verdict, batch.first_row)
        self.rows += len(kept_row)
        np.add.at(self._counts, (verdict.status, verdict.problem), 1)  # no problem, -1, is the last column
        return kept_row

    def _mark_duplicates(self, verdict: BatchVerdict, first_row: int) -> npt.NDArray[np.int64]:
        counted = np.flatnonzero(
            np.isin(verdict.status, [status_code(Status.OK), status_code(Status.REVIEW)])
        )
        earlier = self._seen.note(verdict.number[counted], first_row + counted)
        kept_row = np.full(len(verdict.status), -1, np.int64)
        kept_row[counted] = earlier
        verdict.set(kept_row >= 0, Status.DUPLICATE, Problem.DUPLICATE)
        return kept_row

    def counts(self) -> pd.DataFrame:
        """As `ContactList.summary` gives them."""
        status, problem = np.nonzero(self._counts)
        problem_or_none = np.where(problem < len(PROBLEM_DTYPE.categories), problem, -1)
        counts = {
            "status": pd.Categorical.from_codes(status, dtype=STATUS_DTYPE),
            "problem": pd.Categorical.from_codes(problem_or_none, dtype=PROBLEM_DTYPE),
            "rows": self._counts[status, problem],
        }
        return explained(pd.DataFrame(counts))


def _among_neighbours(judged: Iterable[tuple[Batch, BatchVerdict]]) -> Iterator[tuple[Batch, BatchVerdict]]:
    """Hold each batch back until the next is judged: a run of made-up numbers may go on in it."""
    nothing = np.empty(0, np.int64)
    before, waiting = nothing, None
    for batch, verdict in judged:
        numbers = verdict.number[verdict.number != 0]
        if waiting is not None:
            held_batch, held, held_numbers = waiting
            held.doubt_made_up(before, numbers[:_NEIGHBOURS])
            before = np.concatenate([before, held_numbers])[-_NEIGHBOURS:]
            yield held_batch, held
        waiting = batch, verdict, numbers
    if waiting is not None:
        waiting[1].doubt_made_up(before, nothing)
        yield waiting[:2]


class _Writer:
    """Writes to a Parquet file, one batch behind: while it writes one, the next is judged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: pyarrow.parquet.ParquetWriter | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="parquet")
        self._under_way: Future[None] | None = None

    def write(self, batch: pa.RecordBatch) -> None:
        """Hand over a batch; an error with it is raised by the next call."""
        self._wait()
        self._under_way = self._thread.submit(self._add, batch)

    def close(self) -> None:
        """Finish the file."""
        try:
            self._wait()
        finally:
            self._thread.shutdown()
            if self._file is not None:
                self._file.close()

    def _wait(self) -> None:
        if self._under_way is not None:
            self._under_way.result()

    def _add(self, batch: pa.RecordBatch) -> None:
        if self._file is None:
            self._file = pyarrow.parquet.ParquetWriter(
                self._path,
                batch.schema,
                use_dictionary=list(_DICTIONARIES),
                write_statistics=["row", *_DICTIONARIES],
            )
        self._file.write_batch(batch)


def _beside_cells(batch: Batch, verdict: BatchVerdict, kept_row: npt.NDArray[np.int64]) -> pa.RecordBatch:
    """The file's cells between the row number and the verdict."""
    names = batch.cells.schema.names
    found = (
        pa.array(verdict.phones["phone"].array),
        pa.array(verdict.phones["country"].array),
        pa.array(verdict.phones["line_type"].array),
        _words(verdict.status, STATUS_DTYPE),
        _words(verdict.problem, PROBLEM_DTYPE),
        pa.array(kept_row, mask=kept_row < 0),
    )
    rows = pa.array(np.arange(batch.first_row, batch.first_row + len(kept_row)))
    columns = [rows, *batch.cells.columns, *map(_whole, found)]
    return pa.RecordBatch.from_arrays(columns, names=unique_names(["row", *names, *_VERDICT]))


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _words(codes: npt.NDArray[np.int8], dtype: pd.CategoricalDtype) -> pa.DictionaryArray:
    indices = pa.array(codes, mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(dtype.categories.tolist(), pa.string()))
