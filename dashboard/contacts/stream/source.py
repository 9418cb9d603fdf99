"""A file of any size, some ten thousand rows at a time: what CSV and Parquet files have in common.

How a file is written is determined from its beginning, which `read_sheet` reads as a sheet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.texts import arrow_of, text_series
from dashboard.contacts.formulas import restore, unwrap
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.read.contact_rows import is_filled, repeats_header
from dashboard.contacts.read.entities import decoded_cells
from dashboard.contacts.read.sheet import Sheet
from dashboard.contacts.refusals.whole_sheet import OfAll
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["SAMPLE_ROWS", "Batch", "Opened", "Source", "naming", "unopened"]

SAMPLE_ROWS = 10_000
"""How many rows a file's columns are guessed from."""


@dataclass(frozen=True, slots=True, repr=False)
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


@dataclass(frozen=True, kw_only=True, repr=False)
class Source(ABC):
    """A file and how it is written.

    Attributes:
        path: The file.
        names: Its columns, each name different, and after them those of `constants`.
        titles: What its header calls them, "" where nothing; None if no row repeats it.
        first_row: Row number of the first contact.
        of_all: What is said of all its people, above the header or by its name.
        is_ours: Whether it is a CSV file of ours, with apostrophes before what looks like a formula.
        constants: Columns that hold the same text in all rows.
    """

    path: Path
    names: tuple[str, ...]
    titles: tuple[str, ...] | None
    first_row: int
    of_all: OfAll
    is_ours: bool = False
    constants: Mapping[str, str] = field(default_factory=dict)

    @abstractmethod
    def blocks(self, only: tuple[str, ...]) -> Iterator[tuple[pa.RecordBatch, float]]:
        """All rows from the first contact on, as texts, and how much of the file is read.

        Args:
            only: Columns to read; all columns of the file when empty.
        """

    @property
    def own_names(self) -> tuple[str, ...]:
        """The columns that the file itself has."""
        return self.names[: len(self.names) - len(self.constants)]

    def batches(self, only: tuple[str, ...] = ()) -> Iterator[Batch]:
        """Read the file from its first contact to its end, without blank rows and repeated headers.

        Args:
            only: Columns to read, in all rows; all columns when empty.

        Raises:
            SheetError: A row has more or fewer cells than the header, or a letter does not fit the encoding.
        """
        row = self.first_row
        own = tuple(name for name in only if name not in self.constants) or self.own_names[: bool(only)]
        for raw, share in self._read(own):
            cells, had_codes = _without_entities(raw)
            cells = _each(unwrap, cells)
            kept = np.ones(len(cells), np.bool_) if only else self._are_contacts(cells)
            contacts = cells if kept.all() else cells.filter(pa.array(kept))
            if len(contacts):
                texts = _each(restore, contacts) if self.is_ours else contacts
                for name, text in self.constants.items():
                    texts = texts.append_column(name, pa.array([text] * len(texts), pa.large_string()))
                yield Batch(
                    texts.select(list(only or self.names)), row + np.flatnonzero(kept), had_codes[kept], share
                )
            row += len(cells)

    def _read(self, only: tuple[str, ...]) -> Iterator[tuple[pa.RecordBatch, float]]:
        try:
            yield from self.blocks(only)
        except OSError as error:
            raise unopened(error) from None

    def _are_contacts(self, cells: pa.RecordBatch) -> npt.NDArray[np.bool_]:
        frame = _frame(cells)
        contacts: npt.NDArray[np.bool_] = is_filled(frame).to_numpy()
        return contacts if self.titles is None else contacts & ~repeats_header(frame, self.titles).to_numpy()


class Opened(NamedTuple):
    """A file whose beginning was read as a sheet, and whether that is all of it."""

    source: Source
    sample: Sheet
    is_whole: bool

    def with_constants(self, constants: Mapping[str, str]) -> Opened:
        """The same with columns that hold the same text in all rows."""
        if not constants:
            return self
        names = unique_names([*self.source.names, *constants])
        added = dict(zip(names[len(self.source.names) :], constants.values(), strict=True))
        return Opened(
            replace(self.source, names=tuple(names), constants=added),
            replace(self.sample, frame=self.sample.frame.assign(**added)),
            self.is_whole,
        )


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Say in which of several files something is wrong; of a single file the name is ""."""
    try:
        yield
    except SheetError as error:
        raise SheetError(f"{file}: {error}" if file else str(error)) from None


def unopened(error: OSError) -> SheetError:
    """That a file cannot be opened, in a sentence."""
    return SheetError(
        _("The file cannot be opened: {reason}. Check its path and permissions.").format(
            reason=error.strerror or type(error).__name__
        )
    )


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
