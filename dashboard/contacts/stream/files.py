"""`clean_csv_stream`, `clean_folder`: files larger than memory to Parquet, with a verdict on every row.

The way is that of a sheet (pipeline.py), with the same verdicts. The first pass reads each file once and
leaves its cells on disk: what stays in memory is some hundred bytes a row, however many columns it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from dashboard.arguments import check_options, checks_arguments
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.no_phones import check_columns
from dashboard.contacts.contact_list import Cleaning, explained, refusal_notes
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.read.entities import entity_notes
from dashboard.contacts.refusals.opt_out_list import OptOuts, numbers_of_opt_outs
from dashboard.contacts.stream.engine import Client, engine_of
from dashboard.contacts.stream.layout import Layout, find_layout
from dashboard.contacts.stream.passes import Progress, Target, Written, clean_files
from dashboard.errors import OutputError, SheetError
from dashboard.output import check_output, scratch_folder, whole, whole_folder
from dashboard.phones.words import LINE_TYPES
from dashboard.words import N_, _

__all__ = ["CleanedFiles", "clean_csv_stream", "clean_folder"]

_FOLDER = N_("This is a folder. Clean its files with clean_folder.")


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
        targets = [Target(unfinished, layout.sources[""].names)]
        found = clean_files(layout.sources, how, engine_of(None), scratch, targets, on_progress)
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
        country: As `clean_csv_stream` takes it.
        columns: Which columns hold what; guessed if left out.
        opt_outs: Phones that must not be texted.
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
        targets = [Target(ends[name], source.names, [*files]) for name, source in files.items()]
        progress = None if client is not None else on_progress
        found = clean_files(layout.sources, how, engine_of(client), scratch, targets, progress)
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


def _result(path: Path, layout: Layout, written: Sequence[Written]) -> CleanedFiles:
    counts = pd.concat([one.counts for one in written])
    rows = counts.groupby(["status", "problem"], dropna=False, observed=True)["rows"].sum().reset_index()
    notes = [*layout.notes]
    for (name, source), one in zip(layout.sources.items(), written, strict=True):
        start = f"{name}: " if name else ""
        notes += [f"{start}{note}" for note in (*source.of_all.notes, *entity_notes(one.coded.tolist()))]
    unreached = sum(one.unreached for one in written)
    return CleanedFiles(path, int(rows["rows"].sum()), explained(rows), unreached, tuple(notes))
