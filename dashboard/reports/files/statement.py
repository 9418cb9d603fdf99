"""A month's statement as a workbook: a sheet for each way to break it down, a total per currency below."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.reports.files.workbook import write_sheets
from dashboard.reports.tables.money.statement import SUMS, Statement
from dashboard.words import _

_MISSING = "missing"


@checks_arguments()
def write_statement(statement: Statement, target: str | Path | BinaryIO) -> None:
    """Write the statement as XLSX; numbers are numbers, texts are never formulas.

    Args:
        statement: As `monthly_statement` gives it.
        target: A path, or a binary file to write to.

    Raises:
        OutputError: The file cannot be written.

    Example:
        >>> statement = monthly_statement(ledger.messages(), ledger.campaigns(), "2026-11")
        >>> write_statement(statement, "statement-2026-11.xlsx")
    """
    tables = {
        "By campaign": statement.by_campaign,
        "By country": statement.by_country,
        "By sender": statement.by_sender,
    }
    totals = {name: _said(_below(frame, statement.totals)) for name, frame in tables.items()}
    causes = statement.causes
    counted = [name for name in causes if name in SUMS]
    totals["Causes"] = _below(causes, causes[counted].sum().to_frame().T)
    named = {name: _said(frame) for name, frame in {**tables, "Causes": causes}.items()}
    title = f"Statement {statement.month} ({statement.time_zone})"
    write_sheets(named, target, title=title, totals=totals, below=statement.sent_again())


def _below(frame: pd.DataFrame, totals: pd.DataFrame) -> pd.DataFrame:
    """The totals under the columns of a frame, "Total" under the first."""
    return totals.reindex(columns=frame.columns).assign(**{str(frame.columns[0]): _("Total")})


def _said(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with a word where a cost is missing: with money, a blank could be read as zero."""
    if "cost_billed" not in frame:
        return frame
    cost = frame["cost_billed"].astype(object)
    return frame.assign(cost_billed=cost.where(cost.notna(), _MISSING))
