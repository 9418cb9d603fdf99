"""`clean_csv_stream`: a CSV file larger than memory to a Parquet file with a verdict on every row.

For lists that `read_sheet` refuses. The rows are judged by the code that judges a sheet (judgement.py,
evidence.py), a batch at a time, and get the same verdicts: who refused is determined over the whole file
before the first row is written. Of rows with the same number, the first is kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from dashboard.arguments import check_options, checks_arguments
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.no_phones import check_columns
from dashboard.contacts.contact_list import explained, refusal_notes
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.read.entities import ENTITIES_DECODED, entity_notes
from dashboard.contacts.stream.duplicates import KeptRows
from dashboard.contacts.stream.parquet import Writer, beside_cells, put_right
from dashboard.contacts.stream.source import Batch, CsvSource, find_layout
from dashboard.contacts.verdicts.categories import PROBLEM_DTYPE, STATUS_DTYPE, noted, repairs_with
from dashboard.contacts.verdicts.cell.made_up import FEWEST_IN_SEQUENCE
from dashboard.contacts.verdicts.consent.evidence import evidence_in, numbers_told
from dashboard.contacts.verdicts.consent.opt_out_list import OptOuts, numbers_of_opt_outs
from dashboard.contacts.verdicts.consent.sections import Below, refused_below
from dashboard.contacts.verdicts.consent.unreached import count_unreached
from dashboard.contacts.verdicts.consent.weighing import Refused, weigh
from dashboard.contacts.verdicts.duplicates import marked
from dashboard.contacts.verdicts.row.judgement import (
    TELLING_ROWS,
    doubt_sequences,
    judge_rows,
    likely_countries,
    sequence_of,
)
from dashboard.contacts.vocabulary.line_types import TEXTABLE
from dashboard.output import whole
from dashboard.phones.words import LINE_TYPES

__all__ = ["StreamedFile", "clean_csv_stream"]

_NEIGHBOURS = FEWEST_IN_SEQUENCE - 1


@dataclass(frozen=True)
class StreamedFile:
    """The result of cleaning a file.

    Attributes:
        path: The Parquet file: row, the file's columns, phone, country, line_type, status, problem, repairs,
            duplicate_of (the row that is kept instead) and other_phones, as in `ContactList.rows`.
        rows: How many contacts it holds.
        counts: How many rows have which status and problem, as `ContactList.summary` gives them.
        unreached: How many rows refuse texts and have no readable number, as `ContactList.unreached` does.
        of_all: What is said of all rows together, as in `ContactList.of_all`.
    """

    path: Path
    rows: int
    counts: pd.DataFrame
    unreached: int = 0
    of_all: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """As `ContactList.notes` gives them."""
        return (*self.of_all, *refusal_notes(self.unreached))


@checks_arguments(opt_outs=None, line_types=None)
def clean_csv_stream(
    source: str | Path | CsvSource,
    target: str | Path,
    *,
    country: str | None,
    columns: ColumnMap | None = None,
    opt_outs: OptOuts = (),
    line_types: Collection[str] = TEXTABLE,
    on_progress: Callable[[float], None] | None = None,
) -> StreamedFile:
    """Judge every row of a CSV file of any size as `clean_contacts` would, in little memory.

    It takes memory for some ten thousand rows, and 20 bytes per number.

    Args:
        source: The CSV file, or what `find_layout` found out about it, given a hint on how it is written.
        target: The Parquet file to write; it appears when it is complete.
        country: ISO 3166 country of numbers without a country code; a country column wins over it.
        columns: Which columns hold what; guessed if left out.
        opt_outs: Phones that must not be texted, as `clean_contacts` takes them.
        line_types: Line types to text.
        on_progress: Called every few thousand rows with the share of the file that is done, 0 to 1.

    Raises:
        SheetError: The file cannot be read to its end; no target is written then.
        OutputError: The target cannot be written.
        ColumnError: There is no phone column, or a named column is not in the file.
        CountryError: The country is not a two-letter ISO 3166 code in upper case.
        OptionError: `line_types` holds none, or others than those that there are.
        OptOutError: Entries of the opt-out list cannot be read as numbers.

    Example:
        >>> clean_csv_stream("data/contacts_clean.csv", "cleaned.parquet", country="GB").counts
    """
    check_options("line_types", line_types, LINE_TYPES)
    layout = source if isinstance(source, CsvSource) else find_layout(Path(source))
    columns = columns or layout.columns
    check_columns(columns, layout.names)
    how = _How(columns, country, frozenset(line_types), _likely(layout, columns, country))
    told: list[_Told] = []
    refused = Refused.joined(_told(layout, how, told), numbers_of_opt_outs(opt_outs, country))
    ending = _Ending(refused, iter(told), KeptRows(layout.expected_rows))
    with whole(target) as unfinished:
        with closing(Writer(unfinished)) as writer:
            for batch, judged in _among_neighbours(_judged(layout, how)):
                writer.write(beside_cells(batch.cells, ending.conclude(judged)))
                if on_progress is not None:
                    on_progress(batch.share_read)
        ending.settle(unfinished)
    unreached = sum(batch.unreached for batch in told)
    of_all = (*layout.of_all.notes, *entity_notes(np.concatenate(ending.coded).tolist()))
    return StreamedFile(Path(target), ending.rows, ending.counts(), unreached, of_all)


@dataclass(frozen=True)
class _How:
    columns: ColumnMap
    country: str | None
    line_types: frozenset[str]
    likely: tuple[str, ...]


def _likely(layout: CsvSource, columns: ColumnMap, country: str | None) -> tuple[str, ...]:
    """Where else a number may be valid, judging by the file's beginning."""
    seen: list[pd.DataFrame] = []
    for batch in layout.batches(only=columns.columns):
        frame = batch.frame()
        seen.append(frame[(frame[list(columns.phones)] != "").any(axis=1)])
        if sum(map(len, seen)) >= TELLING_ROWS:
            break
    return likely_countries(pd.concat(seen, ignore_index=True), columns, country)


class _Told(NamedTuple):
    """What the rows of a batch say, by their positions, and how many of them refuse and reach nobody."""

    evidence: pd.DataFrame
    unreached: int


def _told(layout: CsvSource, how: _How, told: list[_Told]) -> Iterator[pd.DataFrame]:
    """Who refused, over the whole file: a "no" in its last row undoes a "yes" in its first.

    This reads the file once more. What its rows say is noted in `told`, so that it is determined only once.
    """
    before = Below(layout.of_all.refusal, usual=layout.of_all.usual)
    for batch in layout.batches():
        frame, rows, where = batch.frame(), batch.rows(), (how.columns, how.country)
        lines, before = refused_below(frame, how.columns, before)
        evidence = evidence_in(frame, rows, *where, lines)
        telling = np.unique(evidence["place"])
        some = evidence.assign(place=np.searchsorted(telling, evidence["place"]))
        cells = frame.iloc[telling]
        judged = judge_rows(cells, rows.iloc[telling], *where, how.line_types, ())
        told.append(_Told(evidence[_KEPT], count_unreached(judged, some, cells, *where)))
        yield numbers_told(some, judged, cells, *where, by_question=False)[_KEPT[1:]]


_KEPT = ["place", "number", "problem"]


def _judged(layout: CsvSource, how: _How) -> Iterator[tuple[Batch, pd.DataFrame]]:
    for batch in layout.batches():
        rows = judge_rows(batch.frame(), batch.rows(), how.columns, how.country, how.line_types, how.likely)
        coded = pd.Series(batch.had_codes)
        yield batch, rows.assign(repairs=noted(rows["repairs"], coded, ENTITIES_DECODED))


def _among_neighbours(
    judged: Iterable[tuple[Batch, pd.DataFrame]],
) -> Iterator[tuple[Batch, pd.DataFrame]]:
    """Hold batches back until enough later rows are judged: a run of made-up numbers may continue there."""
    before = np.empty(0, np.int64)
    waiting: deque[tuple[Batch, pd.DataFrame, np.ndarray]] = deque()
    for batch, rows in judged:
        waiting.append((batch, rows, sequence_of(rows)))
        while sum(len(numbers) for _, _, numbers in list(waiting)[1:]) >= _NEIGHBOURS:
            held, held_rows, numbers = waiting.popleft()
            after = np.concatenate([numbers for _, _, numbers in waiting])[:_NEIGHBOURS]
            yield held, doubt_sequences(held_rows, before, after)
            before = np.concatenate([before, numbers])[-_NEIGHBOURS:]
    while waiting:
        held, held_rows, numbers = waiting.popleft()
        after = np.concatenate([np.empty(0, np.int64), *(numbers for _, _, numbers in waiting)])[:_NEIGHBOURS]
        yield held, doubt_sequences(held_rows, before, after)
        before = np.concatenate([before, numbers])[-_NEIGHBOURS:]


class _Ending:
    """Adds what other rows say to the verdicts, batch by batch, and counts them."""

    def __init__(self, refused: Refused, told: Iterator[_Told], kept: KeptRows) -> None:
        self.rows = 0
        self.coded = [np.empty(0, np.int64)]
        self._refused = refused
        self._told = told
        self._kept = kept
        self._counts = np.zeros((len(STATUS_DTYPE.categories), len(PROBLEM_DTYPE.categories) + 1), np.int64)

    def conclude(self, judged: pd.DataFrame) -> pd.DataFrame:
        """The verdicts, as far as they follow from the rows up to here."""
        rows = weigh(judged, next(self._told).evidence, self._refused)
        kept = pd.Series(self._kept.kept_instead(rows), index=rows.index, dtype="Int64")
        rows = marked(rows, kept.mask(kept < 0))
        self.rows += len(rows)
        self.coded.append(rows["row"][repairs_with(rows["repairs"], ENTITIES_DECODED)].to_numpy())
        codes = (rows["status"].cat.codes.to_numpy(), rows["problem"].cat.codes.to_numpy())
        np.add.at(self._counts, codes, 1)  # no problem, -1, is the last column
        return rows

    def settle(self, path: Path) -> None:
        """Correct what rows further down have changed."""
        takers = self._kept.takers()
        if takers.empty:
            return
        moved = put_right(path, takers)
        self._counts -= moved
        duplicate = (
            STATUS_DTYPE.categories.get_loc(Status.DUPLICATE.value),
            PROBLEM_DTYPE.categories.get_loc(Problem.DUPLICATE.value),
        )
        self._counts[duplicate] += moved.sum()

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
