"""The Parquet file that a big file's verdicts are written to, along with its cells."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from dashboard.contacts.arrow.texts import text_series
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.verdicts.categories import PROBLEM_DTYPE, STATUS_DTYPE, noted, subscribers_of

__all__ = ["Writer", "beside_cells", "put_right"]

VERDICT = (
    *("phone", "country", "line_type", "status", "problem", "problems", "repairs", "duplicate_of"),
    "other_phones",
)
_DICTIONARIES = ("country", "line_type", "status", "problem", "problems", "repairs")  # few words, many times
_PHONE, _STATUS, _PROBLEM, _PROBLEMS, _KEPT = (
    VERDICT.index(name) - len(VERDICT) for name in ("phone", "status", "problem", "problems", "duplicate_of")
)


class Writer:
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


def beside_cells(cells: pa.RecordBatch, rows: pd.DataFrame) -> pa.RecordBatch:
    """The file's cells between the row number and the verdict."""
    verdict = [_whole(pa.array(rows[name].array)) for name in VERDICT]
    numbers = pa.array(rows["row"].to_numpy())
    names = unique_names(["row", *cells.schema.names, *VERDICT])
    return pa.RecordBatch.from_arrays([numbers, *cells.columns, *verdict], names=names)


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array whose type is the same for all batches, whatever words they contain."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(array.type):
        indices, words = array.indices.cast(pa.int32()), array.dictionary.cast(pa.string())
        return pa.DictionaryArray.from_arrays(indices, words)
    return array


def put_right(path: Path, takers: pd.Series) -> npt.NDArray[np.int64]:
    """Make rows in review, and those that point to them, duplicates of the row that took over.

    Args:
        path: A file written by `Writer`; it is rewritten, a row group at a time.
        takers: The row that took over, by number.

    Returns:
        How many rows no longer have each status and problem (the last column is for none).
    """
    changed = np.zeros((len(STATUS_DTYPE.categories), len(PROBLEM_DTYPE.categories) + 1), np.int64)
    anew = path.with_name(f"{path.name}.anew")
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            writer = Writer(anew)
            try:
                for group in range(file.num_row_groups):
                    for batch in file.read_row_group(group).to_batches():
                        writer.write(_with_takers(batch, takers, changed))
            finally:
                writer.close()
        anew.replace(path)
    finally:
        anew.unlink(missing_ok=True)
    return changed


def _with_takers(batch: pa.RecordBatch, takers: pd.Series, changed: npt.NDArray[np.int64]) -> pa.RecordBatch:
    names, columns = batch.schema.names, list(batch.columns)
    status, problem = (
        pd.Categorical(columns[place].to_pandas(), dtype=dtype)
        for place, dtype in ((_STATUS, STATUS_DTYPE), (_PROBLEM, PROBLEM_DTYPE))
    )
    taker = takers.reindex(subscribers_of(text_series(columns[_PHONE]))).to_numpy()  # a float, NaN for none
    row = columns[0].to_numpy()
    moved = np.isin(status, [Status.REVIEW.value, Status.DUPLICATE.value]) & (row < taker)
    np.add.at(changed, (status.codes[moved], problem.codes[moved]), 1)
    for place, word, dtype in (
        (_STATUS, Status.DUPLICATE.value, STATUS_DTYPE),
        (_PROBLEM, Problem.DUPLICATE.value, PROBLEM_DTYPE),
    ):
        texts = columns[place].cast(pa.string())
        coded = pd.Categorical(pc.if_else(pa.array(moved), word, texts).to_pandas(), dtype=dtype)
        columns[place] = _whole(pa.array(coded))
    problems = pd.Series(pd.Categorical(columns[_PROBLEMS].to_pandas()))
    repeats = moved & (status == Status.REVIEW.value)
    columns[_PROBLEMS] = _whole(pa.array(noted(problems, pd.Series(repeats), Problem.DUPLICATE.value).array))
    kept = pa.array(np.where(moved, taker, 0).astype(np.int64))
    columns[_KEPT] = pc.if_else(pa.array(moved), kept, columns[_KEPT])
    return pa.RecordBatch.from_arrays(columns, names=names)
