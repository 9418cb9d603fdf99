"""A big file's cells on disk between the two passes, and the Parquet file that they end in with verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from dashboard.contacts.read.column_names import unique_names

__all__ = ["FILE", "beside_cells", "finished", "read_scratch", "write_parquet", "write_scratch"]

FILE = "file"
_OWN = ("phone", "country", "line_type", "repairs", "other_phones")
"""What the first pass finds out; it does not change any more."""
_VERDICT = (
    *("phone", "country", "line_type", "status", "problem", "problems", "repairs", "duplicate_of"),
    *("duplicate_file", "other_phones"),
)
_DICTIONARIES = (FILE, "country", "line_type", "status", "problem", "problems", "repairs", "duplicate_file")
"""Few words, many times."""


def write_scratch(path: Path, batches: Iterable[pa.RecordBatch]) -> None:
    """Write batches, each with dictionaries of its own."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    writer = None
    try:
        for batch in batches:
            writer = writer or pa.ipc.new_stream(str(path), batch.schema, options=options)
            writer.write_batch(batch)
    finally:
        if writer is not None:
            writer.close()


def read_scratch(path: Path) -> Iterator[pa.RecordBatch]:
    """The same batches."""
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as batches:
        yield from batches


def write_parquet(path: Path, batches: Iterable[pa.RecordBatch]) -> None:
    """Write finished batches, a row group each."""
    writer = None
    try:
        for batch in batches:
            writer = writer or pyarrow.parquet.ParquetWriter(
                path,
                batch.schema,
                use_dictionary=list(_DICTIONARIES),
                write_statistics=["row", *_DICTIONARIES],
            )
            writer.write_batch(batch)
    finally:
        if writer is not None:
            writer.close()


def beside_cells(cells: pa.RecordBatch, judged: pd.DataFrame) -> pa.RecordBatch:
    """A batch's row numbers, its cells, and what the first pass found out."""
    own = [_whole(pa.array(judged[name].array)) for name in _OWN]
    columns = [pa.array(judged["row"].to_numpy()), *cells.columns, *own]
    return pa.RecordBatch.from_arrays(columns, names=list(map(str, range(len(columns)))))


def finished(batch: pa.RecordBatch, names: Iterable[str], verdict: pd.DataFrame) -> pa.RecordBatch:
    """What `beside_cells` gave, with the verdicts of the second pass.

    Args:
        batch: Row numbers, cells and what the first pass found out.
        names: What the cells' columns are called.
        verdict: The other columns of the verdict, and those that come before the row number.
    """
    found = dict(zip(_OWN, batch.columns[-len(_OWN) :], strict=True))
    found |= {str(name): _whole(pa.array(verdict[name].array)) for name in verdict}
    before = [name for name in found if name not in _VERDICT]
    last = [name for name in _VERDICT if name in found]
    columns = [
        *(found[name] for name in before),
        *batch.columns[: -len(_OWN)],
        *(found[name] for name in last),
    ]
    return pa.RecordBatch.from_arrays(columns, names=unique_names([*before, "row", *names, *last]))


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array whose type is the same for all batches, whatever words they contain."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(array.type):
        indices, words = array.indices.cast(pa.int32()), array.dictionary.cast(pa.string())
        return pa.DictionaryArray.from_arrays(indices, words)
    return array
