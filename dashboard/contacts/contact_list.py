"""`ContactList`: the verdict on every row of a sheet, and the rows that can be texted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import Problem, Status, explain
from dashboard.contacts.read.column_names import unique_names
from dashboard.contacts.verdicts.sources import where_to_look
from dashboard.words import _, plural

__all__ = ["OWN_FIELDS", "Cleaning", "ContactList", "Keep", "explained", "refusal_notes"]

Keep = Literal["first", "last", "warn"]
"""Which of several rows with the same number is kept; "warn" keeps all for a person to look at."""

OWN_FIELDS = ("row", "phone", "country", "line_type")


@dataclass(frozen=True)
class Cleaning:
    """How a list was cleaned.

    Attributes:
        country: Country of numbers without a country code.
        columns: Which columns hold what.
        line_types: Line types to text.
        keep: Which of several rows with the same number is kept.
        opt_outs: Numbers that must not be texted; +447400123456 is 447400123456.
    """

    country: str | None
    columns: ColumnMap
    line_types: frozenset[str]
    keep: Keep
    opt_outs: npt.NDArray[np.int64]


@dataclass(frozen=True)
class ContactList:
    """What `clean_contacts` makes of a sheet.

    Attributes:
        rows: One row per sheet row, in the sheet's order; columns in docs/columns.md.
        fields: The sheet's own columns for the same rows, as read.
        how: How it was cleaned.
        judged: The verdicts before rows affected each other; for `correct_phones`.
        sheet_name: Name of the file the contacts came from.
        unreached: How many rows refuse texts but have no readable number, so they keep nobody out.
        of_all: What is said of all rows together, by the file's name for instance, in sentences.
    """

    rows: pd.DataFrame
    fields: pd.DataFrame
    how: Cleaning
    judged: pd.DataFrame = field(repr=False)
    sheet_name: str = ""
    unreached: int = 0
    of_all: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know before texting the list, in sentences."""
        return (*self.of_all, *refusal_notes(self.unreached))

    @property
    def sendable(self) -> pd.DataFrame:
        """The rows with status ok: row, phone, country, line_type and the sheet's columns as merge fields.

        A column of the sheet whose name clashes with one of the first four gets a number, as in "phone#2".
        """
        ok = (self.rows["status"] == Status.OK).to_numpy()
        sendable = pd.concat([self.rows.loc[ok, list(OWN_FIELDS)], self.fields.loc[ok]], axis=1)
        return sendable.set_axis(unique_names(list(sendable.columns)), axis=1).reset_index(drop=True)

    def summary(self) -> pd.DataFrame:
        """Rows by status and problem with what each means; most frequent first within a status."""
        counts = (
            self.rows.groupby(["status", "problem"], dropna=False, observed=True)
            .size()
            .rename("rows")
            .reset_index()
        )
        return explained(counts)

    def reasons(self) -> pd.Series:
        """Why each row is not ok, in words, on the index of `rows`; missing where it is ok.

        They name the columns to read, never what stands there: those of a refusal among other words, of the
        phone if there are several, of the country that a number is not one of.
        """
        reasons = self.rows["problem"].astype("str").map({code.value: explain(code) for code in Problem})
        return reasons + where_to_look(self.rows, self.fields, self.how.columns)

    def approve(self, rows: Iterable[int] | None = None) -> ContactList:
        """The same list with rows in review accepted as ok.

        Args:
            rows: Row numbers to approve; all rows in review if left out. Others are not touched.
        """
        approved = self.rows["status"] == Status.REVIEW
        if rows is not None:
            approved &= self.rows["row"].isin(list(rows))
        accepted = self.rows.assign(
            status=self.rows["status"].mask(approved, Status.OK.value),
            problem=self.rows["problem"].mask(approved),
        )
        return replace(self, rows=accepted)

    def counts(self) -> dict[str, int]:
        """How many rows have each status, including statuses that no row has."""
        return {status.value: self.count(status) for status in Status}

    def count(self, status: Status | str) -> int:
        """How many rows have this status."""
        return int((self.rows["status"] == Status(status)).sum())


def refusal_notes(unreached: int) -> tuple[str, ...]:
    """That some rows refuse and reach nobody, in a sentence; none where there is no such row."""
    if not unreached:
        return ()
    return (
        plural(
            unreached,
            "{count} row refuses texts but has no readable number. Look whether this person is in the list "
            "under another number.",
            "{count} rows refuse texts but have no readable number. Look whether these people are in the "
            "list under another number.",
        ),
    )


def explained(counts: pd.DataFrame) -> pd.DataFrame:
    """Counts (status, problem, rows) with their meaning, the most frequent first within a status."""
    ordered = counts.sort_values(["status", "rows"], ascending=[True, False], ignore_index=True)
    meanings = [_("Can be texted.") if pd.isna(code) else explain(code) for code in ordered["problem"]]
    return ordered.assign(meaning=pd.Series(meanings, dtype="str"))
