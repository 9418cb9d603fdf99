"""Phones that a person corrected on the page, put into the sheet before it is checked again. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dashboard.contacts import Sheet


def correct_phones(sheet: Sheet, column: str, fixes: Mapping[int, str]) -> Sheet:
    """The same sheet with other texts in one column.

    Args:
        sheet: As it was read; it is not changed.
        column: The first phone column, which is looked at before any other.
        fixes: Text by row number of the file; rows that the sheet does not have are ignored.
    """
    if not fixes:
        return sheet
    corrected = sheet.rows.map(fixes)
    frame = sheet.frame.copy(deep=False)
    frame[column] = frame[column].mask(corrected.notna(), corrected).astype("str")
    return replace(sheet, frame=frame)
