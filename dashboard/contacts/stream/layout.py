"""What the columns of big files hold: by their beginnings, and by all words of those that leave it open."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple
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
from dashboard.contacts.stream.source import SAMPLE_ROWS, Source, naming
from dashboard.contacts.words.title import read_title
from dashboard.errors import SheetError
from dashboard.words import _, quoted

__all__ = ["Layout", "find_layout"]

_MOST_DISTINCT = 100_000
_OPENERS = {".csv": open_csv, ".tsv": open_csv, ".txt": open_csv, ".parquet": open_parquet}
_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class Layout:
    """Files that are cleaned as one list.

    Attributes:
        sources: How each file is written, by its name in the folder; "" if it is the only one.
        names: The columns that all of them have.
        columns: What these hold, guessed.
        notes: What of a folder was left out, in sentences.
    """

    sources: Mapping[str, Source]
    names: tuple[str, ...]
    columns: ColumnMap
    notes: tuple[str, ...] = ()


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
    files, left_out = _files_in(path) if path.is_dir() else ({"": path}, [])
    most = SAMPLE_ROWS // len(files)
    calls = [engine.call(_seen, name, path.name, file, hints, most) for name, file in files.items()]
    seen = dict(zip(files, engine.results(calls), strict=True))
    names = _names_of_all(seen)
    sources = {name: one.source for name, one in seen.items()}
    return Layout(sources, names, _guessed(list(seen.values()), names, engine), tuple(left_out))


def _files_in(folder: Path) -> tuple[dict[str, Path], list[str]]:
    """The files by their names below the folder, and which names were left out.

    Raises:
        SheetError: There is none, or something that is no CSV or Parquet file, or cannot be read.
    """
    files: dict[str, Path] = {}
    left_out: list[str] = []
    for place, folders, names in os.walk(folder, onerror=_refuse):
        here = Path(place)
        hidden = [name for name in folders if name.startswith((".", "_"))]
        left_out += [(here / name).relative_to(folder).as_posix() for name in hidden if name[0] == "_"]
        folders[:] = [name for name in folders if name not in hidden]
        for name in sorted(names + [one for one in folders if (here / one).is_symlink()]):
            path, ending = here / name, Path(name).suffix.lower()
            if name.startswith(".") or (name.startswith("_") and ending not in _OPENERS):
                continue
            if ending not in _OPENERS or not path.is_file():
                raise SheetError(
                    _(
                        "{name} is not a CSV or Parquet file. Take it out of the folder; if there are "
                        "contacts in it, save it as CSV."
                    ).format(name=path.relative_to(folder).as_posix())
                )
            files[path.relative_to(folder).as_posix()] = path
    if not files:
        raise SheetError(_("The folder has no CSV or Parquet files. Choose another folder."))
    notes = [
        _("Left out, because such folders are a program’s own: {names}.").format(names=", ".join(left_out))
    ]
    return dict(sorted(files.items())), notes if left_out else []


def _refuse(error: OSError) -> None:
    raise SheetError(
        _("The folder {name} cannot be read: {reason}. Check its permissions.").format(
            name=error.filename, reason=error.strerror
        )
    ) from None


class _Seen(NamedTuple):
    """A file, the first rows of it, whether these are all, and what its columns hold, judging by them."""

    source: Source
    sample: pd.DataFrame
    is_whole: bool
    columns: ColumnMap


def _seen(name: str, given_as: str, path: Path, hints: Mapping[str, Any], most: int) -> _Seen:
    """Open a file.

    Args:
        name: Its name in the folder; "" if it is the only one.
        given_as: The name of the folder, or of the file.
        path: Where it is.
        hints: How CSV files are written.
        most: How many of its rows stand for it, if it is not the only one.
    """
    opener = _OPENERS.get(path.suffix.lower(), open_csv)
    given = hints if opener is open_csv else {}
    with naming(name):
        opened = opener(path, given, f"{given_as}/{name}" if name else given_as)
    source, sheet, is_whole = opened.with_constants(dict(_keys_in(name)))
    return _Seen(
        source, sheet.frame.head(max(most, 1)) if name else sheet.frame, is_whole, guess_columns(sheet)
    )


def _keys_in(name: str) -> Iterator[tuple[str, str]]:
    """Columns that the names of folders hold, as Hive and Spark write them: country=GB/part-0.parquet."""
    for folder in name.split("/")[:-1]:
        key, sign, value = folder.partition("=")
        if sign:
            yield unquote(key), "" if value == _NULL else unquote(value)


def _names_of_all(seen: Mapping[str, _Seen]) -> tuple[str, ...]:
    """The columns of all files, in the order of the first; blank ones without a title do not count.

    Raises:
        SheetError: A file has others than the first.
    """
    first, *others = seen
    if not others:
        return seen[first].source.names
    named = {name: list(map(str, one.sample.columns)) for name, one in seen.items()}
    for name in others:
        differing = [*({*named[name]} ^ {*named[first]})]
        if differing:
            raise SheetError(
                _(
                    "{name} has other columns than {first}, see {column}. Clean files with the same columns "
                    "together, and the others by themselves."
                ).format(name=name, first=first, column=quoted(min(differing)))
            )
    return tuple(named[first])


def _guessed(seen: Sequence[_Seen], names: tuple[str, ...], engine: Engine) -> ColumnMap:
    """What the columns hold, judging by all files; what one of them says by itself is asked at least."""
    if len(seen) == 1 and seen[0].is_whole:
        return seen[0].columns
    columns = _guessed_together(seen, names, engine)
    if len(seen) == 1:
        return columns
    alone = dict.fromkeys(name for one in seen for name in sorted(_telling(one.columns)))
    asked = [name for name in alone if name not in _telling(columns)]
    sample = _together(seen, names)
    return replace(
        columns,
        phones=tuple(name for name in columns.phones if name not in asked),
        offered=tuple(name for name in columns.offered if name not in asked),
        questions=(*columns.questions, *(question_of(name, sample[name], {}) for name in asked)),
    )


def _telling(columns: ColumnMap) -> set[str]:
    """The columns that say who may be texted, or may say it."""
    said = (*columns.consents, *columns.opt_outs, *columns.statuses, *columns.preferences, *columns.doubts)
    return {*said, *(question.column for question in columns.questions)}


def _guessed_together(seen: Sequence[_Seen], names: tuple[str, ...], engine: Engine) -> ColumnMap:
    sample = _together(seen, names)
    is_open = [
        name for name in names if depends_on_all_cells(read_title(name)) or not (sample[name] != "").any()
    ]
    calls = [engine.call(_words_of, one.source, tuple(is_open)) for one in seen] if is_open else []
    words: dict[str, dict[str, None]] = {name: {} for name in is_open}
    for told in engine.results(calls):
        for name, some in told.items():
            words[name].update(dict.fromkeys(some[: _MOST_DISTINCT - len(words[name])]))
    more = pd.DataFrame({name: pd.Series(list(some), dtype="str") for name, some in words.items()})
    unseen = pd.DataFrame(index=range(len(sample)))  # nobody knows how many more rows have a date
    columns = guess_columns(pd.concat([sample, more, unseen], ignore_index=True).fillna(""))
    return replace(columns, questions=tuple(_as_counted(one, sample) for one in columns.questions))


def _together(seen: Sequence[_Seen], names: Sequence[str]) -> pd.DataFrame:
    """The files' first rows; a sheet lacks columns that are blank in all of it."""
    parts = [one.sample.reindex(columns=list(names), fill_value="") for one in seen]
    return pd.concat(parts, ignore_index=True)


def _words_of(source: Source, columns: tuple[str, ...]) -> dict[str, list[str]]:
    """The words of some columns in all of a file; a title in a repeated header is none."""
    told: dict[str, dict[str, None]] = {name: {} for name in columns}
    for batch in source.batches(only=columns):
        for name, cells in zip(columns, batch.cells.columns, strict=True):
            if len(told[name]) < _MOST_DISTINCT:
                told[name].update(dict.fromkeys(pc.unique(cells).to_pylist()))
    repeated = dict(zip(source.own_names, source.titles or source.own_names, strict=True))
    return {name: [word for word in words if word != repeated.get(name)] for name, words in told.items()}


def _as_counted(question: Question, sample: pd.DataFrame) -> Question:
    """The question with the values that the files' beginnings have, if they have any."""
    counted = question_of(question.column, sample[question.column], {})
    return counted if any(counted.values) else question
