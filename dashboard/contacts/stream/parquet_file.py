"""A Parquet file of any size, read a piece at a time into the texts that `read_sheet` makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.isolated.child import Refused, parquet_file, texts_of_column, titles_of
from dashboard.contacts.read.loading import refuse_endless
from dashboard.contacts.read.sheet import read_sheet
from dashboard.contacts.refusals.whole_sheet import said_of_all
from dashboard.contacts.stream.source import SAMPLE_ROWS, Opened, Source, unopened
from dashboard.errors import SheetError
from dashboard.own_connections import beginning
from dashboard.words import N_, _

__all__ = ["ParquetSource", "open_parquet"]

_BEGINS = b"PAR1"  # https://parquet.apache.org/docs/file-format/
_ROWS_AT_ONCE = 65_536
_UNREADABLE = N_("The Parquet file cannot be read to its end. Export it anew.")


@dataclass(frozen=True, kw_only=True, repr=False)
class ParquetSource(Source):
    """A Parquet file, and the places of the columns that are read; an index that counts rows is none."""

    places: tuple[int, ...]

    def blocks(self, only: tuple[str, ...]) -> Iterator[tuple[pa.RecordBatch, float]]:
        """All rows, as texts, and how much of the file is read."""
        places = dict(zip(self.own_names, self.places, strict=True))
        wanted = {name: places[name] for name in only or self.own_names}
        with _opened(self.path) as file:
            every, read = max(file.metadata.num_rows, 1), 0
            called = file.schema_arrow.names
            some = [called[place] for place in wanted.values()]  # names that two columns have pick neither
            some = some if len({*called}) == len(called) else []
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=some or None):
                read += len(batch)
                cells = [batch.column(name) for name in some or wanted.values()]
                texts = list(map(texts_of_column, cells))
                yield pa.RecordBatch.from_arrays(texts, names=list(wanted)), read / every


def open_parquet(path: Path, hints: Mapping[str, Any], name: str) -> Opened:
    """Find out what columns a Parquet file has, and read its first rows as a sheet.

    Raises:
        SheetError: It cannot be read, holds values within values, or no contacts.
    """
    with _opened(path) as file:
        batches = list(islice(file.iter_batches(SAMPLE_ROWS), 1))
        start = pa.Table.from_batches(batches, file.schema_arrow)
        is_whole = len(start) == file.metadata.num_rows
    sink = pa.BufferOutputStream()
    pq.write_table(start, sink)
    sheet = read_sheet(sink.getvalue().to_pybytes(), **hints)
    places = tuple(titles_of(start))
    if any(_holds_fields(start.schema.field(place).type) for place in places):
        raise SheetError(
            _("A column of this Parquet file holds values within values. Give each a column of its own.")
        )
    source = ParquetSource(
        path=path,
        names=tuple(unique_names(sheet.titles)),
        titles=None,
        first_row=1,
        of_all=said_of_all(replace(sheet, name=name)),
        places=places,
    )
    return Opened(source, sheet, is_whole)


def _holds_fields(kind: Any) -> bool:
    """Whether a cell holds more than a value or a list of them; a map is written as one."""
    is_list = pa.types.is_nested(kind) and not pa.types.is_map(kind)
    return pa.types.is_struct(kind) or (is_list and pa.types.is_nested(kind.value_type))


@contextmanager
def _opened(path: Path) -> Iterator[pq.ParquetFile]:
    """A Parquet file. What is none is not even opened: a pipe may not end, and a ledger would lose its locks.

    Raises:
        SheetError: It is none, or cannot be read to its end.
    """
    try:
        refuse_endless(path)
        if beginning(path, len(_BEGINS)) != _BEGINS:
            raise SheetError(_(_UNREADABLE))
        with parquet_file(path) as file:
            yield file
    except OSError as error:
        raise unopened(error) from None
    except (Refused, MemoryError):  # a page may take any amount of memory
        raise SheetError(_(_UNREADABLE)) from None
