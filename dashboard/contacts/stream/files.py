"""`clean_csv_stream`, `clean_folder`: files larger than memory to Parquet, with a verdict on every row.

The way is that of a sheet (pipeline.py), with the same verdicts. The first pass reads each file once and
leaves its cells on disk: what stays in memory is some hundred bytes a row, however many columns it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.arguments import check_options, checks_arguments
from dashboard.contacts.categories import among, concatenated
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.no_phones import check_columns
from dashboard.contacts.contact_list import Cleaning, explained, refusal_notes
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.pipeline import hear, weighed
from dashboard.contacts.problems import Status
from dashboard.contacts.read.entities import entity_notes
from dashboard.contacts.refusals.opt_out_list import OptOuts, numbers_of_opt_outs
from dashboard.contacts.rows.duplicates import are_counted, kept_instead, marked
from dashboard.contacts.rows.judgement import TELLING_ROWS, likely_countries
from dashboard.contacts.rows.weighing import Refused
from dashboard.contacts.stream.engine import Client, Engine, engine_of
from dashboard.contacts.stream.layout import Layout, find_layout
from dashboard.contacts.stream.scratch import (
    beside_cells,
    finished,
    read_scratch,
    write_parquet,
    write_scratch,
)
from dashboard.contacts.stream.source import Source, naming
from dashboard.errors import OutputError, SheetError
from dashboard.output import check_output, scratch_folder, whole, whole_folder
from dashboard.phones.words import LINE_TYPES
from dashboard.words import N_, _

__all__ = ["CleanedFiles", "clean_csv_stream", "clean_folder"]

Numbers = npt.NDArray[np.int64]
Progress = Callable[[float], None]
_FACTS = ["row", "number", "status", "problem", "other_phones"]
"""What the second pass needs to know of a row."""
_FOLDER = N_("This is a folder. Clean its files with clean_folder.")
_FILE = 1 << 32
"""Rows of several files as one number each: the file's place before the row's number."""


@dataclass(frozen=True)
class CleanedFiles:
    """The result of cleaning files.

    Attributes:
        path: The Parquet file, or a folder with one for each file: row, the file's columns, phone, country,
            line_type, status, problem, problems, repairs, duplicate_of (the row that is kept instead) and
            other_phones, as in `ContactList.rows`. In a folder also file, and duplicate_file, in which the
            row is that is kept instead.
        rows: How many contacts there are.
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
    source: str | Path | Layout,
    target: str | Path,
    *,
    country: str | None,
    columns: ColumnMap | None = None,
    opt_outs: OptOuts = (),
    line_types: Collection[str] = TEXTABLE,
    on_progress: Progress | None = None,
) -> CleanedFiles:
    """Judge every row of a CSV file of any size as `clean_contacts` would, in little memory.

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
    layout = source if isinstance(source, Layout) else find_layout(Path(source))
    how = _how(layout, columns, country, line_types, opt_outs)
    if [*layout.sources] != [""]:
        raise SheetError(_(_FOLDER))
    check_output(Path(target), keep=[layout.sources[""].path])
    with whole(target) as unfinished, scratch_folder(target) as scratch:
        targets = [_Target(unfinished, layout.sources[""].names)]
        found = _clean(layout.sources, how, engine_of(None), scratch, targets, on_progress)
    return _result(Path(target), layout, found)


@checks_arguments(opt_outs=None, line_types=None, client=None)
def clean_folder(
    source: str | Path | Layout,
    target: str | Path,
    *,
    country: str | None,
    columns: ColumnMap | None = None,
    opt_outs: OptOuts = (),
    line_types: Collection[str] = TEXTABLE,
    client: Client | None = None,
    on_progress: Progress | None = None,
) -> CleanedFiles:
    """Judge every row of all CSV and Parquet files of a folder as one list, here or on a Dask cluster.

    The verdicts are those of `join_contacts` over the files in the order of their names: whoever refuses in
    one is texted in none, and of rows with the same number in several files one is kept.

    Args:
        source: The folder, a single file, or what `find_layout` found out about it. All files have the same
            columns.
        target: The folder to write, a Parquet file for each file; it appears when it is complete.
        country: ISO 3166 country of numbers without a country code; a country column wins over it.
        columns: Which columns hold what; guessed if left out.
        opt_outs: Phones that must not be texted, as `clean_contacts` takes them.
        line_types: Line types to text.
        client: A Dask client (`pip install "dask[distributed]"`) whose workers judge the files, each a file
            at a time; they see both folders under the same paths. This process if left out.
        on_progress: Called with the share that is done, 0 to 1, unless a cluster does the work.

    Raises:
        SheetError: A file cannot be read to its end, or has other columns; no target is written then.
        OutputError: The target cannot be written, or there is something in it.
        ColumnError: There is no phone column, or a named column is not in the files.
        CountryError: The country is not a two-letter ISO 3166 code in upper case.
        OptionError: `line_types` holds none, or others than those that there are; or `client` is none.
        OptOutError: Entries of the opt-out list cannot be read as numbers.

    Example:
        >>> clean_folder("data/contacts_clean.csv", "cleaned", country="GB").counts
    """
    layout = source if isinstance(source, Layout) else find_layout(Path(source), client=client)
    how = _how(layout, columns, country, line_types, opt_outs)
    with whole_folder(target) as unfinished, scratch_folder(target) as scratch:
        files = {name or source.path.name: source for name, source in layout.sources.items()}
        ends = {name: unfinished / _ended(name) for name in files}
        _refuse_twice(ends)
        targets = [_Target(ends[name], source.names, [*files]) for name, source in files.items()]
        progress = None if client is not None else on_progress
        found = _clean(layout.sources, how, engine_of(client), scratch, targets, progress)
    return _result(Path(target), layout, found)


def _ended(name: str) -> str:
    """What a file's verdicts are called; readers of folders pass over names that begin with _."""
    place, sign, file = name.rpartition("/")
    ended = file if file.lower().endswith(".parquet") else f"{file}.parquet"
    return f"{place}{sign}{ended.lstrip('_')}"


def _refuse_twice(ends: Mapping[str, Path]) -> None:
    written = Counter(ends.values())
    for name, end in ends.items():
        if written[end] > 1:
            raise OutputError(
                _("Another file would be written where {name} is. Rename one of the two.").format(name=name)
            )


def _how(
    layout: Layout,
    columns: ColumnMap | None,
    country: str | None,
    line_types: Collection[str],
    opt_outs: OptOuts,
) -> Cleaning:
    check_options("line_types", line_types, LINE_TYPES)
    columns = columns or layout.columns
    check_columns(columns, layout.names)
    return Cleaning(country, columns, frozenset(line_types), "first", numbers_of_opt_outs(opt_outs, country))


@dataclass(frozen=True, repr=False)
class _Passed:
    """A file after a pass.

    Attributes:
        cells: Where its rows' cells are.
        rows: `_FACTS` of its rows; after they are weighed also `problems`.
        evidence: What is said of its rows by their places, as far as it is weighed.
        told: The same by number.
        unreached: How many rows refuse and reach nobody.
        coded: The numbers of the rows in which HTML codes were read.
    """

    cells: Path
    rows: pd.DataFrame
    evidence: pd.DataFrame
    told: pd.DataFrame
    unreached: int
    coded: Numbers


class _Target(NamedTuple):
    """Where a file is written, its columns, and the names of all files if a column says which it is."""

    path: Path
    names: Sequence[str]
    files: Sequence[str] = ()


class _Written(NamedTuple):
    """Counts by status and problem, rows that refuse and reach nobody, and rows with HTML codes."""

    counts: pd.DataFrame
    unreached: int
    coded: Numbers


def _clean(
    sources: Mapping[str, Source],
    how: Cleaning,
    engine: Engine,
    scratch: Path,
    targets: Sequence[_Target],
    on_progress: Progress | None,
) -> Sequence[_Written]:
    """Both passes over all files."""
    steps = 2 * len(sources)
    heard = [
        engine.call(_heard, name, source, how, scratch / f"{place}.arrow", _share(on_progress, place, steps))
        for place, (name, source) in enumerate(sources.items())
    ]
    told = [engine.call(attrgetter("told"), one) for one in heard]  # no worker gets the rows of all files
    refused = engine.call(Refused.joined, told, how.opt_outs)
    passed = [engine.call(_weighed, one, refused) for one in heard]
    del heard  # what is weighed takes less memory
    repeats = [engine.call(_repeats, _all_counted(passed, piece, engine)) for piece in range(engine.pieces)]
    written = []
    for place, (one, target) in enumerate(zip(passed, targets, strict=True)):
        share = _share(on_progress, len(sources) + place, steps)
        written.append(engine.call(_written, one, place, repeats, target, share))
    return engine.results(written)


def _all_counted(passed: Sequence[Any], piece: int, engine: Engine) -> list[Any]:
    return [engine.call(_counted, one, at, piece, engine.pieces) for at, one in enumerate(passed)]


def _share(on_progress: Progress | None, step: int, steps: int) -> Progress | None:
    """Told the share of one step, it tells that of all."""
    if on_progress is None:
        return None
    return lambda share: on_progress((step + share) / steps)


def _heard(name: str, source: Source, how: Cleaning, cells: Path, on_progress: Progress | None) -> _Passed:
    """The first pass: what each row of a file is by itself, and what it says."""
    with naming(name):
        likely = _likely(source, how)
    rows, evidence, told, coded = [], [], [], [np.empty(0, np.int64)]
    unreached = 0

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal unreached
        before, first = source.of_all.below, 0
        for batch in source.batches():
            heard, before = hear(batch.frame(), batch.rows(), batch.had_codes, how, likely, before)
            place = heard.evidence["place"]
            rows.append(heard.judged[_FACTS])
            evidence.append(heard.evidence.assign(place=place + first)[["place", "number", "problem"]])
            told.append(heard.told(by_question=False)[["number", "problem"]])
            coded.append(batch.numbers[batch.had_codes])
            unreached += heard.unreached()
            first += len(heard.judged)
            if on_progress is not None:
                on_progress(batch.share_read)
            yield beside_cells(batch.cells, heard.judged)

    with naming(name):
        write_scratch(cells, batches())
    return _Passed(cells, _below(rows), _below(evidence), _below(told), unreached, np.concatenate(coded))


def _below(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    return concatenated(parts).reset_index(drop=True)


def _likely(source: Source, how: Cleaning) -> tuple[str, ...]:
    """Where else a number may be valid, judging by the file's beginning."""
    seen: list[pd.DataFrame] = []
    for batch in source.batches(only=how.columns.columns):
        frame = batch.frame()
        seen.append(frame[(frame[list(how.columns.phones)] != "").any(axis=1)])
        if sum(map(len, seen)) >= TELLING_ROWS:
            break
    return likely_countries(pd.concat(seen, ignore_index=True), how.columns, how.country)


def _weighed(heard: _Passed, refused: Refused) -> _Passed:
    rows = weighed(heard.rows, heard.evidence, refused).drop(columns="other_phones")
    return replace(heard, rows=rows, evidence=heard.evidence[:0], told=heard.told[:0])


_Counted = tuple[Numbers, Numbers, npt.NDArray[np.bool_]]


def _counted(passed: _Passed, place: int, piece: int, pieces: int) -> _Counted:
    """The rows of a file that may repeat a number: a piece of all numbers, their rows, and which are ok."""
    number = passed.rows["number"].to_numpy()
    places = np.flatnonzero(are_counted(passed.rows) & (number % pieces == piece))
    rows = passed.rows.iloc[places]
    return number[places], rows["row"].to_numpy() + place * _FILE, among(rows["status"], (Status.OK.value,))


def _repeats(counted: Sequence[_Counted]) -> tuple[Numbers, Numbers]:
    """Which rows of all files repeat a number, in their order, and the row that is kept instead of each."""
    numbers, rows, are_ok = (np.concatenate(parts) for parts in zip(*counted, strict=True))
    kept = kept_instead(numbers, are_ok)
    repeats = np.flatnonzero(kept >= 0)
    return rows[repeats], rows[kept[repeats]]


def _written(
    passed: _Passed,
    place: int,
    repeats: Sequence[tuple[Numbers, Numbers]],
    target: _Target,
    on_progress: Progress | None,
) -> _Written:
    """Write a file with its verdicts."""
    row = passed.rows["row"].to_numpy() + place * _FILE
    parts = [slice(*np.searchsorted(some, [place * _FILE, (place + 1) * _FILE])) for some, _kept in repeats]
    own = np.concatenate([some[part] for (some, _), part in zip(repeats, parts, strict=True)])
    kept = np.concatenate([instead[part] for (_, instead), part in zip(repeats, parts, strict=True)])
    places = np.searchsorted(row, own)
    rows = marked(passed.rows, places, kept % _FILE)
    verdict = rows[["status", "problem", "problems", "duplicate_of"]]
    if target.files:
        kept_in = np.full(len(rows), -1, np.int32)
        kept_in[places] = kept // _FILE
        own_file = np.full(len(rows), place, np.int32)
        verdict = verdict.assign(file=_named(own_file, target.files))
        verdict = verdict.assign(duplicate_file=_named(kept_in, target.files))
    target.path.parent.mkdir(parents=True, exist_ok=True)
    write_parquet(target.path, _finished(passed.cells, target.names, verdict, on_progress))
    counts = rows.groupby(["status", "problem"], dropna=False, observed=True).size()
    return _Written(counts.rename("rows").reset_index(), passed.unreached, passed.coded)


def _named(places: npt.NDArray[np.int32], files: Sequence[str]) -> pd.Categorical:
    return pd.Categorical.from_codes(places, pd.Index(list(files), dtype="str"))


def _finished(
    cells: Path, names: Sequence[str], verdict: pd.DataFrame, on_progress: Progress | None
) -> Iterator[pa.RecordBatch]:
    first = 0
    for batch in read_scratch(cells):
        yield finished(batch, names, verdict.iloc[first : first + len(batch)])
        first += len(batch)
        if on_progress is not None:
            on_progress(first / len(verdict))


def _result(path: Path, layout: Layout, written: Sequence[_Written]) -> CleanedFiles:
    counts = pd.concat([one.counts for one in written])
    rows = counts.groupby(["status", "problem"], dropna=False, observed=True)["rows"].sum().reset_index()
    notes = [*layout.notes]
    for (name, source), one in zip(layout.sources.items(), written, strict=True):
        start = f"{name}: " if name else ""
        notes += [f"{start}{note}" for note in (*source.of_all.notes, *entity_notes(one.coded.tolist()))]
    unreached = sum(one.unreached for one in written)
    return CleanedFiles(path, int(rows["rows"].sum()), explained(rows), unreached, tuple(notes))
