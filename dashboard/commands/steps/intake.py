"""From a file on disk to a cleaned contact list, as requested on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from dashboard.commands.steps.questions import answers_of
from dashboard.contacts import (
    ColumnMap,
    ContactList,
    Keep,
    Limits,
    Sheet,
    clean_contacts,
    guess_columns,
    read_sheet,
)
from dashboard.contacts.columns.labels import all_labels
from dashboard.contacts.columns.no_phones import why_no_phones
from dashboard.contacts.columns.rules import FIELDS, ROLES
from dashboard.errors import ColumnError, CountryError

Recall = Callable[[Sheet, ColumnMap], ColumnMap]


@dataclass(frozen=True)
class Reading:
    """How to read and clean a sheet; None means detect it."""

    country: str | None
    worksheet: str | None
    encoding: str | None
    delimiter: str | None
    header_row: int | None
    phones: tuple[str, ...]
    keep: Keep
    answers: tuple[str, ...] = ()
    none_of_these: bool = False
    limits: Limits = field(default_factory=Limits)


def read_contacts(
    path: Path, how: Reading, opt_outs: Iterable[str], recall: Recall | None = None
) -> tuple[Sheet, ContactList]:
    """Read and clean a sheet.

    Args:
        path: The file.
        how: How it is read, and what was said of it.
        opt_outs: Numbers that must not be texted.
        recall: Answers questions about columns as they were answered before.

    Raises:
        SheetError: The file cannot be read, or lacks a named column.
        CountryError: No country was given.
        ColumnError: No column is clearly a phone, and none was named; or an answer is none.
    """
    country = country_of_numbers(how)
    sheet = read_sheet(
        path,
        worksheet=how.worksheet,
        encoding=how.encoding,
        delimiter=how.delimiter,
        header_row=how.header_row,
        limits=how.limits,
    )
    guessed = guess_columns(sheet)
    known = recall(sheet, guessed) if recall else guessed
    columns = as_chosen(known, [str(name) for name in sheet.frame.columns], how, sheet.frame)
    contacts = clean_contacts(sheet, country=country, columns=columns, opt_outs=opt_outs, keep=how.keep)
    return sheet, contacts


def as_chosen(
    guessed: ColumnMap, names: Sequence[str], how: Reading, cells: pd.DataFrame | None = None
) -> ColumnMap:
    """The guessed columns with what was said about them.

    Args:
        guessed: What `guess_columns` made of the sheet.
        names: Its columns.
        how: What was said.
        cells: All cells, if they are known, to ask about values of which nothing was said.

    Raises:
        ColumnError: No column is clearly a phone, and none was named; or an answer is none.
    """
    columns = guessed.with_phones(how.phones) if how.phones else guessed
    ask_for_phones(columns)
    answered = columns.answered(answers_of(how.answers, names))
    open_ = answered if cells is None else answered.asking(cells)
    return open_.answered({}, none_of_these=how.none_of_these)


def ask_for_phones(columns: ColumnMap) -> None:
    """Refuse to continue if no column is clearly a phone, and say how to choose one.

    Raises:
        ColumnError: There is none.
    """
    if columns.phones:
        return
    chosen = " ".join(f'--phone "{name}"' for name in columns.offered or ("Column",))
    raise ColumnError(f"{why_no_phones(columns)} Name it with {chosen}")


def country_of_numbers(how: Reading) -> str:
    """The country of numbers without a country code.

    Raises:
        CountryError: None was given.
    """
    if how.country is None:
        raise CountryError(
            "Say which country the numbers without a country code belong to, as in --country GB, "
            "set DASHBOARD_COUNTRY, or choose one on the dashboard's page of settings."
        )
    return how.country


_USED = {
    "phones": "Phones",
    **{FIELDS[role]: said for role, said in ROLES.items() if role in FIELDS},
    "labels": "Whose phone it is, and of what kind",
    "country": "Country",
}


def column_lines(columns: ColumnMap, names: Sequence[str]) -> list[str]:
    """Which columns were used and which were not, in words.

    Args:
        columns: Which columns hold what.
        names: All columns of the sheet, from left to right.
    """
    found = column_names(columns, names)
    lines = [f"{said}: {', '.join(found[kind])}" for kind, said in _USED.items() if found[kind]]
    if columns.offered:
        lines.append(
            "Not used, although they look like phones, because they may be somebody else's: "
            f"{', '.join(columns.offered)}. "
            "Name those you want with --phone."
        )
    return lines


def column_names(columns: ColumnMap, names: Sequence[str]) -> dict[str, list[str]]:
    """The same for machines."""
    special = {
        "labels": all_labels(names, columns.phones),
        "country": [] if columns.country is None else [columns.country],
    }
    kinds = (*_USED, "offered")
    return {kind: special[kind] if kind in special else list(getattr(columns, kind)) for kind in kinds}


def verdict_lines(name: str, summary: pd.DataFrame) -> list[str]:
    """The verdicts in words, a line for each status and problem.

    Args:
        name: Of the file.
        summary: What `ContactList.summary` returns.
    """
    lines = [f"{summary['rows'].sum():,} rows in {name}"]
    for count in summary.itertuples():
        lines.append(f"{count.rows:>10,}  {str(count.status).replace('_', ' '):<10} {count.meaning}")
    return lines


def verdict_counts(summary: pd.DataFrame) -> dict[str, object]:
    """The verdicts for machines: rows, and counts by status and by problem."""
    return {
        "rows": int(summary["rows"].sum()),
        "status": _totals(summary, "status"),
        "problem": _totals(summary, "problem"),
    }


def _totals(summary: pd.DataFrame, by: str) -> dict[str, int]:
    totals = summary.groupby(by, observed=True)["rows"].sum().sort_values(ascending=False)
    return {str(name): int(rows) for name, rows in totals.items()}
