"""A month's statement as a workbook: a sheet for each way to break it down, with its totals."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd
import xlsxwriter

from dashboard.reports.statement import SUMS, Statement

_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Written into every workbook, so that the same statement gives the same bytes."""

_WIDTHS = {"name": 30, "meaning": 90, "cause": 34, "sender": 22}
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
    target = str(target) if isinstance(target, Path) else target
    with xlsxwriter.Workbook(target, {"strings_to_formulas": False}) as workbook:
        workbook.set_properties(
            {"created": _CREATED.replace(tzinfo=None), "title": f"Statement {statement.month}"}
        )
        for name, frame in sheets.items():
            _write(workbook, name, frame)


def _write(workbook: Any, name: str, frame: pd.DataFrame) -> None:
    sheet = workbook.add_worksheet(name)
    bold = workbook.add_format({"bold": True})
    formats = {
        "count": workbook.add_format({"num_format": "#,##0"}),
        "money": workbook.add_format({"num_format": "#,##0.00##"}),
    }
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(frame.columns):
        sheet.set_column(place, place, _WIDTHS.get(column, 16))
        sheet.write_string(0, place, column.replace("_", " ").capitalize(), bold)
        for row, value in enumerate(frame[column].tolist(), start=1):
            _cell(sheet, (row, place), value, formats)
        if column in SUMS and len(frame):
            sheet.write_number(len(frame) + 1, place, int(frame[column].sum()), bold)
    sheet.write_string(len(frame) + 1, 0, "Total", bold)


def _cell(sheet: Any, at: tuple[int, int], value: object, formats: dict[str, Any]) -> None:
    if isinstance(value, Decimal):
        sheet.write_number(*at, float(value), formats["money"])
    elif isinstance(value, int):
        sheet.write_number(*at, value, formats["count"])
    else:
        sheet.write_string(*at, _MISSING if pd.isna(value) else str(value))  # type: ignore[call-overload]
