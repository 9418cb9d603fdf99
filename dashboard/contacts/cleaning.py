"""`clean_contacts`: a verdict on every row of a sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.codes import numbers_of
from dashboard.contacts.columns import ColumnMap, guess_columns
from dashboard.contacts.consent import apply_consent
from dashboard.contacts.contact_list import ContactList
from dashboard.contacts.countries import country_codes
from dashboard.contacts.duplicates import duplicate_of
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.phones import clean_phones
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.row_numbers import number_of_each_row
from dashboard.contacts.schema import SCHEMAS
from dashboard.contacts.sheet import Sheet, sheet_of_frame
from dashboard.contacts.totals import is_totals_row
from dashboard.errors import ColumnError, CountryError

__all__ = ["TEXTABLE", "clean_contacts"]


def clean_contacts(
    sheet_or_frame: Sheet | pd.DataFrame,
    *,
    country: str | None,
    columns: ColumnMap | None = None,
    opt_outs: Iterable[str] = (),
    line_types: Collection[str] = TEXTABLE,
    keep: Literal["first", "last"] = "first",
) -> ContactList:
    """Judge every row: its number, and whether it may be texted.

    Rows out are rows in, always. A row is ok only when its number is beyond doubt, of a wanted line type,
    not a duplicate and not opted out. Any opt-out beats consent, across all rows with the same number.

    Args:
        sheet_or_frame: A sheet, or a frame with a header; the frame's rows then count from 2.
        country: ISO 3166 country of numbers without a country code; a country column wins over it. None
            when only international numbers count.
        columns: Which columns hold what; guessed when left out.
        opt_outs: Phones that must not be texted, best in E.164.
        line_types: Line types to text.
        keep: Which of several rows with the same number to keep.

    Raises:
        CountryError: The country is not a two-letter ISO 3166 code in upper case.
        ColumnError: There is no phone column, or a column named is not in the sheet.

    Example:
        >>> contacts = clean_contacts(pd.DataFrame({"mobile": ["07400 123456"]}), country="GB")
        >>> contacts.sendable["phone"].tolist()
        ['+447400123456']
    """
    if country is not None and country not in country_codes():
        raise CountryError("The country is not a two-letter ISO 3166 code in upper case, such as GB or FR.")
    sheet = sheet_or_frame if isinstance(sheet_or_frame, Sheet) else sheet_of_frame(sheet_or_frame)
    columns = columns or guess_columns(sheet)
    _check_columns(sheet, columns)
    rows = number_of_each_row(sheet.frame, columns, country, line_types)
    rows = rows.assign(row=sheet.rows, number=numbers_of(rows["phone"]))
    rows = _leave_out_totals(rows, sheet.frame)
    rows = apply_consent(rows, sheet.frame, columns, _known(opt_outs, country))
    return ContactList(rows=_finish(rows, keep), fields=sheet.frame, sheet_name=sheet.name)


def _check_columns(sheet: Sheet, columns: ColumnMap) -> None:
    missing = [column for column in columns.columns if column not in sheet.frame.columns]
    if missing:
        named = ", ".join(f'"{column}"' for column in missing)
        raise ColumnError(f"The sheet has no column {named}. Choose among those that it has.")
    if not columns.phones:
        raise ColumnError("No column looks like phone numbers. Choose the column that holds them.")


def _known(opt_outs: Iterable[str], country: str | None) -> npt.NDArray[np.int64]:
    """The opt-out list as numbers, however it was typed: a missed opt-out is worse than a slow one."""
    found = numbers_of(clean_phones(pd.Series(list(opt_outs), dtype="str"), country)["phone"])
    known: npt.NDArray[np.int64] = found[found != 0]
    return known


def _leave_out_totals(rows: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    doubtful = rows["status"].isin([Status.INVALID.value, Status.EMPTY.value])
    totals = is_totals_row(frame[doubtful]).reindex(frame.index, fill_value=False)
    return rows.assign(
        status=rows["status"].mask(totals, Status.EMPTY.value),
        problem=rows["problem"].mask(totals, Problem.TOTALS_ROW.value),
    )


def _finish(rows: pd.DataFrame, keep: Literal["first", "last"]) -> pd.DataFrame:
    """Mark duplicates and give the columns the order and dtypes of the schema."""
    original = duplicate_of(rows, keep)
    repeated = original.notna()
    finished = rows.assign(
        status=rows["status"].mask(repeated, Status.DUPLICATE.value),
        problem=rows["problem"].mask(repeated, Problem.DUPLICATE.value),
        repairs=rows["repairs"].astype("str"),
        line_type=rows["line_type"].where(rows["phone"].notna()),
        country=rows["country"].where(rows["phone"].notna()),
        duplicate_of=original,
    )
    return finished[[column.name for column in SCHEMAS["ContactList.rows"]]]
