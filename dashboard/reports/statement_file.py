"""A month's statement as a workbook: a sheet for each way to break it down, with its totals."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import pandas as pd

from dashboard.reports.statement import SUMS, Statement
from dashboard.reports.workbook import write_sheets

_MISSING = "missing"


def write_statement(statement: Statement, target: str | Path | BinaryIO) -> None:
    """Write the statement as XLSX; numbers are numbers, texts are never formulas.

    Example:
        >>> write_statement(statement, "statement-2026-11.xlsx")
    """
    sheets = {
        "By campaign": statement.by_campaign,
        "By country": statement.by_country,
        "By sender": statement.by_sender,
        "Causes": statement.causes,
    }
    named = {name: _said(frame) for name, frame in sheets.items()}
    write_sheets(named, target, title=f"Statement {statement.month}", totals=SUMS)


def _said(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a word where something is missing: in money, a blank could be read as nothing."""
    return frame.astype(object).where(frame.notna(), _MISSING)
