"""Write a sheet's verdicts to a file: in one go, or piece by piece if it is larger than memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pandas as pd

from dashboard.commands.steps.intake import (
    Reading,
    as_chosen,
    column_lines,
    column_names,
    country_of_numbers,
    read_contacts,
    verdict_counts,
    verdict_lines,
)
from dashboard.commands.steps.questions import question_lines, values_by_column
from dashboard.contacts import (
    ColumnMap,
    Limits,
    checked,
    clean_csv_stream,
    clean_folder,
    find_layout,
    write_csv,
    write_xlsx,
)
from dashboard.errors import OptionError
from dashboard.output import whole


def _write_parquet(frame: pd.DataFrame, path: Path) -> None:
    with whole(path) as part:
        frame.to_parquet(part, index=False)


_WORKERS_WITHIN_S = 10

WRITERS: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    ".csv": write_csv,
    ".xlsx": write_xlsx,
    ".parquet": _write_parquet,
}


@dataclass(frozen=True)
class Checked:
    """What was found: the file's name, the notes on it, its columns and their names, its verdicts."""

    name: str
    notes: tuple[str, ...]
    columns: ColumnMap
    names: tuple[str, ...]
    summary: pd.DataFrame

    def lines(self) -> list[str]:
        """In words."""
        return [
            *self.notes,
            *column_lines(self.columns, self.names),
            *verdict_lines(self.name, self.summary),
            *question_lines(self.columns.questions),
        ]

    def as_json(self) -> dict[str, object]:
        """For machines."""
        return {
            **verdict_counts(self.summary),
            "columns": column_names(self.columns, self.names),
            "questions": values_by_column(self.columns.questions),
            "notes": list(self.notes),
        }


@contextmanager
def _cluster(scheduler: str | None) -> Iterator[Any]:
    """A client of a Dask cluster; None without an address."""
    if scheduler is None:
        yield None
        return
    try:
        from distributed import Client  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError:
        raise OptionError(
            'A cluster needs Dask. Write python -m pip install "dask[distributed]" here and on its workers.'
        ) from None
    try:
        client: Any = Client(scheduler)  # type: ignore[no-untyped-call]  # as distributed left it
        client.wait_for_workers(1, timeout=_WORKERS_WITHIN_S)
    except (OSError, ValueError):
        raise OptionError(
            f"No Dask scheduler with a worker answers at {scheduler}. Check the address, and start workers."
        ) from None
    with client:
        yield client


def is_large(path: Path, limits: Limits) -> bool:
    """Whether a file is too large to be read in one go."""
    return path.stat().st_size > limits.upload_bytes


def check(path: Path, out: Path | None, how: Reading, opt_outs: Iterable[str]) -> Checked:
    """Check a sheet and, with `out`, write every row with its verdict.

    Raises:
        SheetError: It cannot be read.
        OutputError: `out` cannot be written.
    """
    sheet, contacts = read_contacts(path, how, opt_outs)
    if out is not None:
        WRITERS[out.suffix.lower()](checked(contacts, sheet), out)
    names = tuple(map(str, contacts.fields.columns))
    notes = (*sheet.notes, *contacts.notes)
    return Checked(path.name, notes, contacts.how.columns, names, contacts.summary())


def check_in_pieces(
    path: Path, out: Path, how: Reading, opt_outs: Iterable[str], scheduler: str | None = None
) -> Checked:
    """Check a CSV file of any size into a Parquet file, or a folder of files into a new folder.

    Args:
        path: The file or folder.
        out: What is written.
        how: How it is read, and what was said of it.
        opt_outs: Numbers that must not be texted.
        scheduler: Address of a Dask cluster whose workers check the files of a folder.

    Raises:
        SheetError: A file cannot be read to its end; then nothing is written.
        OptionError: There is no such cluster, or dask is not installed.
    """
    if how.keep != "first":
        raise OptionError(
            "Of a folder or a large file, the first row with a number is kept. Leave out --keep."
        )
    hints = {"encoding": how.encoding, "delimiter": how.delimiter, "header_row": how.header_row}
    with _cluster(scheduler) as client:
        layout = find_layout(path, client=client, **hints)  # type: ignore[arg-type]  # one dict, three types
        columns = as_chosen(layout.columns, layout.names, how)
        asked = {"country": country_of_numbers(how), "columns": columns, "opt_outs": opt_outs}
        with click.progressbar(
            length=100, label="Checking", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar:
            asked["on_progress"] = lambda share: bar.update(int(100 * share) - bar.pos)
            if path.is_dir():
                report = clean_folder(layout, out, client=client, **asked)  # type: ignore[arg-type]  # so here
            else:
                report = clean_csv_stream(layout, out, **asked)  # type: ignore[arg-type]  # and here
    return Checked(path.name, report.notes, columns, layout.names, report.counts)
