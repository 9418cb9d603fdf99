"""The two passes over files: each is judged and heard by itself, then weighed by what all of them say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.categories import among, concatenated
from dashboard.contacts.contact_list import Cleaning
from dashboard.contacts.pipeline import hear, weighed
from dashboard.contacts.problems import Status
from dashboard.contacts.rows.duplicates import are_counted, kept_instead, marked
from dashboard.contacts.rows.judgement import TELLING_ROWS, likely_countries
from dashboard.contacts.rows.weighing import Refused
from dashboard.contacts.stream.engine import Engine
from dashboard.contacts.stream.scratch import (
    beside_cells,
    finished,
    read_scratch,
    write_parquet,
    write_scratch,
)
from dashboard.contacts.stream.source import Source, naming

__all__ = ["Progress", "Target", "Written", "clean_files"]

Numbers = npt.NDArray[np.int64]
Progress = Callable[[float], None]
_FACTS = ["row", "number", "status", "problem", "other_phones"]
"""What the second pass needs to know of a row."""
_FILE = 1 << 32
"""Rows of several files as one number each: the file's place before the row's number."""


class Target(NamedTuple):
    """Where a file is written, its columns, and the names of all files if a column says which it is."""

    path: Path
    names: Sequence[str]
    files: Sequence[str] = ()


class Written(NamedTuple):
    """Counts by status and problem, rows that refuse and reach nobody, and rows with HTML codes."""

    counts: pd.DataFrame
    unreached: int
    coded: Numbers


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


def clean_files(
    sources: Mapping[str, Source],
    how: Cleaning,
    engine: Engine,
    scratch: Path,
    targets: Sequence[Target],
    on_progress: Progress | None,
) -> Sequence[Written]:
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
    target: Target,
    on_progress: Progress | None,
) -> Written:
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
    return Written(counts.rename("rows").reset_index(), passed.unreached, passed.coded)


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
