"""What the columns of big files hold: by their beginnings, and by all words of those that leave it open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import pyarrow.compute as pc

from dashboard.arguments import checks_arguments
from dashboard.contacts.columns.guess import ColumnMap, guess_columns
from dashboard.contacts.columns.questions import Question, question_of
from dashboard.contacts.columns.roles import depends_on_all_cells
from dashboard.contacts.stream.csv_file import open_csv
from dashboard.contacts.stream.engine import Client, Engine, engine_of
from dashboard.contacts.stream.parquet_file import open_parquet
from dashboard.contacts.stream.source import SAMPLE_ROWS, Opened, Source, naming
from dashboard.contacts.words.title import read_title
from dashboard.errors import SheetError
from dashboard.words import _

__all__ = ["Layout", "find_layout"]

_MOST_DISTINCT = 100_000
_OPENERS = {".csv": open_csv, ".tsv": open_csv, ".txt": open_csv, ".parquet": open_parquet}
_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class Layout:
    """Files that are cleaned as one list.

    Attributes:
        sources: How each file is written, by its name in the folder; "" if it is the only one.
        columns: What their columns hold, guessed.
    """

    sources: Mapping[str, Source]
    columns: ColumnMap

    @property
    def names(self) -> tuple[str, ...]:
        """The files' columns."""
        return next(iter(self.sources.values())).names


@checks_arguments(client=None)
def find_layout(
    path: Path,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header_row: int | None = None,
    client: Client | None = None,
) -> Layout:
    """Find out how a CSV file, or the CSV and Parquet files of a folder, are written and what they hold.

    Args:
        path: The file or folder. A folder may have others within; names such as "country=GB" are a column.
        encoding: Encoding of CSV files; guessed if left out.
        delimiter: Delimiter of CSV files; guessed if left out.
        header_row: Row number of the header in CSV files; detected if left out.
        client: A Dask client whose workers read the files.

    Raises:
        SheetError: A file cannot be read to its end, holds no contacts, or other columns than the first.
    """
    engine, path = engine_of(client), path.absolute()  # workers have other folders of their own
    hints = {"encoding": encoding, "delimiter": delimiter, "header_row": header_row}
    files = _files_in(path) if path.is_dir() else {"": path}
    calls = [engine.call(_opened, name, path.name, file, hints) for name, file in files.items()]
    opened = dict(zip(files, engine.results(calls), strict=True))
    _check_alike(opened)
    sources = {name: one.source for name, one in opened.items()}
    return Layout(sources, _guessed(list(opened.values()), engine))


def _files_in(folder: Path) -> dict[str, Path]:
    """The files by their names below the folder; those that programs hide are none of ours.

    Raises:
        SheetError: There is none, or one of another kind.
    """
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    files = {name: path for name, path in files.items() if not _is_hidden(name)}
    others = [name for name, path in files.items() if path.suffix.lower() not in _OPENERS]
    if others:
        raise SheetError(
            _("{name} is neither CSV nor Parquet. Take it out of the folder, or save it as CSV.").format(
                name=others[0]
            )
        )
    if not files:
        raise SheetError(_("The folder has no CSV or Parquet files. Choose another folder."))
    return files


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "_")) for part in name.split("/"))


def _opened(name: str, given_as: str, path: Path, hints: Mapping[str, Any]) -> Opened:
    opener = _OPENERS.get(path.suffix.lower(), open_csv)
    given = hints if opener is open_csv else {}
    with naming(name):
        opened = opener(path, given, f"{given_as}/{name}" if name else given_as)
    return opened.with_constants(dict(_keys_in(name)))


def _keys_in(name: str) -> Iterator[tuple[str, str]]:
    """Columns that the names of folders hold, as Hive and Spark write them: country=GB/part-0.parquet."""
    for folder in name.split("/")[:-1]:
        key, sign, value = folder.partition("=")
        if sign:
            yield unquote(key), "" if value == _NULL else unquote(value)


def _check_alike(opened: Mapping[str, Opened]) -> None:
    first, *_others = opened
    for name, one in opened.items():
        if set(one.source.names) != set(opened[first].source.names):
            raise SheetError(
                _(
                    "{name} has other columns than {first}. Clean files with the same columns together, and "
                    "the others by themselves."
                ).format(name=name, first=first)
            )


def _guessed(opened: Sequence[Opened], engine: Engine) -> ColumnMap:
    if len(opened) == 1 and opened[0].is_whole:
        return guess_columns(opened[0].sample)
    names = opened[0].source.names
    sample = _together([one.sample.frame for one in opened], names)
    is_open = [
        name for name in names if depends_on_all_cells(read_title(name)) or not (sample[name] != "").any()
    ]
    calls = [engine.call(_words_of, one.source, tuple(is_open)) for one in opened] if is_open else []
    words: dict[str, dict[str, None]] = {name: {} for name in is_open}
    for told in engine.results(calls):
        for name, some in told.items():
            words[name].update(dict.fromkeys(some[: _MOST_DISTINCT - len(words[name])]))
    more = pd.DataFrame({name: pd.Series(list(some), dtype="str") for name, some in words.items()})
    unseen = pd.DataFrame(index=range(len(sample)))  # nobody knows how many more rows have a date
    columns = guess_columns(pd.concat([sample, more, unseen], ignore_index=True).fillna(""))
    return replace(columns, questions=tuple(_as_counted(one, sample) for one in columns.questions))


def _together(samples: Sequence[pd.DataFrame], names: Sequence[str]) -> pd.DataFrame:
    """The files' beginnings, as many rows of each; a sheet lacks columns that are blank in all of it."""
    most = max(SAMPLE_ROWS // len(samples), 1) if len(samples) > 1 else None
    parts = [
        sample.head(most or len(sample)).reindex(columns=list(names), fill_value="") for sample in samples
    ]
    return pd.concat(parts, ignore_index=True)


def _words_of(source: Source, columns: tuple[str, ...]) -> dict[str, list[str]]:
    """The words of some columns in all of a file; a title in a repeated header is none."""
    told: dict[str, dict[str, None]] = {name: {} for name in columns}
    for batch in source.batches(only=columns):
        for name, cells in zip(columns, batch.cells.columns, strict=True):
            if len(told[name]) < _MOST_DISTINCT:
                told[name].update(dict.fromkeys(pc.unique(cells).to_pylist()))
    repeated = dict(zip(source.names, source.titles or source.names, strict=True))
    return {name: [word for word in words if word != repeated[name]] for name, words in told.items()}


def _as_counted(question: Question, sample: pd.DataFrame) -> Question:
    """The question with the values that the files' beginnings have, if they have any."""
    counted = question_of(question.column, sample[question.column], {})
    return counted if any(counted.values) else question
