"""What this program makes of one number, in words, and whether the service agrees. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from dashboard.contacts import TEXTABLE, clean_contacts, explain
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.service import NumberCheck


@dataclass(frozen=True)
class NumberReading:
    """One number as read here; `phone` is E.164, or None if it cannot be parsed."""

    valid: bool
    phone: str | None
    country: str | None
    line_type: str | None
    textable: bool
    explanation: str


def read_number(text: str, country: str) -> NumberReading:
    """Read a number the way a sheet's phone cell is read, including repairs."""
    sheet = pd.DataFrame({"phone": pd.Series([text], dtype="str")})
    rows = clean_contacts(
        sheet, country=country, columns=ColumnMap(phones=("phone",), confidence={"phone": 1.0})
    ).rows
    row = rows.iloc[0]
    known = {
        name: None if pd.isna(row[name]) else str(row[name]) for name in ("phone", "country", "line_type")
    }
    problem = None if pd.isna(row["problem"]) else str(row["problem"])
    return NumberReading(
        valid=known["phone"] is not None,
        phone=known["phone"],
        country=known["country"],
        line_type=known["line_type"],
        textable=known["line_type"] in TEXTABLE,
        explanation=explain(problem) if problem else "",
    )


def agrees(reading: NumberReading, check: NumberCheck) -> bool:
    """Whether the service agrees on validity and, where both know it, on the line type."""
    if reading.valid != check.valid_format:
        return False
    return not reading.valid or not check.line_type or reading.line_type == check.line_type
