"""The verdict on rows by themselves: the judgement shared by whole sheets and big files.

rows ──number_of_each_row──▶ numbers ──judge_rows──▶ verdicts ──doubt_sequences──▶ what their neighbours say

A big file comes one batch of rows at a time. So nothing here looks at more of a list than it is given.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from dashboard.contacts.categories import among, subscribers_of
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.numbers.elsewhere import countries_to_try
from dashboard.contacts.numbers.made_up import is_in_sequence
from dashboard.contacts.numbers.of_rows import number_of_each_row, phone_cells
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.rows.totals import is_totals_row
from dashboard.phones import clean_phones

__all__ = ["TELLING_ROWS", "doubt_sequences", "judge_rows", "likely_countries"]

TELLING_ROWS = 5_000
"""This many rows with a phone cell show which countries a list has."""


def likely_countries(frame: pd.DataFrame, columns: ColumnMap, country: str | None) -> tuple[str, ...]:
    """The countries in which to look for a number that is not valid at home.

    Args:
        frame: The list, or its beginning with at least TELLING_ROWS rows with a phone cell.
        columns: Which columns hold phones and countries.
        country: The list's.
    """
    filled = np.logical_or.reduce([(frame[phone] != "").to_numpy(dtype=bool) for phone in columns.phones])
    telling = np.flatnonzero(filled)[:TELLING_ROWS]
    cells, homes = phone_cells(frame.iloc[telling], columns, country)
    judged = clean_phones(cells, homes)
    return countries_to_try(judged["country"][judged["valid"]])


def judge_rows(
    frame: pd.DataFrame,
    row_numbers: pd.Series,
    columns: ColumnMap,
    country: str | None,
    line_types: Collection[str],
    likely: Sequence[str],
) -> pd.DataFrame:
    """Judge each row by its own cells.

    Args:
        frame: The rows' cells, all columns.
        row_numbers: The numbers that the spreadsheet program shows, on the same index.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
        line_types: Line types to text.
        likely: Countries in which to look for a number that is not valid at home.

    Returns:
        The columns of `declared.ROWS`.
    """
    rows = number_of_each_row(frame, columns, country, line_types, likely)
    has_one = rows["phone"].notna()
    rows = rows.assign(
        row=row_numbers,
        number=subscribers_of(rows["phone"]),
        country=rows["country"].where(has_one),
        line_type=rows["line_type"].where(has_one),
    )
    return _leave_out_totals(rows, frame)


def doubt_sequences(rows: pd.DataFrame) -> pd.DataFrame:
    """Leave runs of made-up numbers to a person; rows without a number do not interrupt a run.

    Args:
        rows: Verdicts so far on all rows of a list.
    """
    doubtful = among(rows["status"], (Status.OK.value, Status.REVIEW.value))
    doubtful[doubtful] = is_in_sequence(rows["number"].to_numpy()[doubtful])
    doubtful &= among(rows["status"], (Status.OK.value,))
    if not doubtful.any():
        return rows
    return rows.assign(
        status=rows["status"].mask(doubtful, Status.REVIEW.value),
        problem=rows["problem"].mask(doubtful, Problem.MADE_UP_SEQUENCE.value),
    )


def _leave_out_totals(rows: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    doubtful = among(rows["status"], (Status.INVALID.value, Status.EMPTY.value))
    if not doubtful.any():
        return rows
    totals = is_totals_row(frame, np.flatnonzero(doubtful))
    return rows.assign(
        status=rows["status"].mask(totals, Status.EMPTY.value),
        problem=rows["problem"].mask(totals, Problem.TOTALS_ROW.value),
    )
