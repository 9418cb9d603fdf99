"""Frames as the sheets of one workbook: numbers are numbers, and no text is ever a formula."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd
import xlsxwriter

from dashboard.errors import SheetError
from dashboard.words import N_, _

_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Written into every workbook, so that the same frames give the same bytes."""

_HEADINGS = (
    *(N_("Row"), N_("Phone"), N_("Stage"), N_("Reason"), N_("Country"), N_("Line type"), N_("Variant")),
    *(N_("Credits low"), N_("Credits high"), N_("Credits billed"), N_("Sent at"), N_("Delivered at")),
    *(N_("Message"), N_("Uuid"), N_("Fact"), N_("Value"), N_("Unit"), N_("Messages"), N_("Share")),
    *(N_("Cause"), N_("Difference"), N_("Meaning")),
)
"""What stands above the columns of a campaign's report, for the catalogue."""

_OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_MOST_ROWS = 1_048_576
_MOST_CHARACTERS = 32_767
_NARROWEST, _WIDEST, _ROWS_MEASURED = 12, 90, 200
_FORMATS = {
    "bold": {"bold": True},
    "text": {"num_format": "@"},
    "count": {"num_format": "#,##0"},
    "money": {"num_format": "#,##0.00##"},
    "share": {"num_format": "0.0%"},
    "time": {"num_format": "yyyy-mm-dd hh:mm:ss"},
}


def write_sheets(
    sheets: Mapping[str, pd.DataFrame],
    target: str | Path | BinaryIO,
    *,
    title: str = "",
    totals: Collection[str] = (),
) -> None:
    """Write frames as XLSX, a sheet each.

    Args:
        sheets: The frames by the names of their sheets. Aware times are written by their own clock; fractions
            are shares; what is missing stays blank.
        target: The file.
        title: Of the workbook.
        totals: Columns with a sum below, in a row named "Total".

    Raises:
        SheetError: A frame has more rows than a worksheet can hold.
    """
    if any(len(frame) >= _MOST_ROWS for frame in sheets.values()):
        raise SheetError(_("A worksheet holds 1,048,575 rows below its header. Write a CSV file instead."))
    target = str(target) if isinstance(target, Path) else target
    with xlsxwriter.Workbook(target, _OPTIONS) as workbook:
        workbook.set_properties({"created": _CREATED.replace(tzinfo=None), "title": title})
        formats = {name: workbook.add_format(look) for name, look in _FORMATS.items()}
        for name, frame in sheets.items():
            _write(workbook.add_worksheet(name), frame, formats, totals)


def heading(column: str) -> str:
    """What stands above a column of a frame: `Sent at` for sent_at."""
    return _(column.replace("_", " ").capitalize())


def _write(sheet: Any, frame: pd.DataFrame, formats: Mapping[str, Any], totals: Collection[str]) -> None:
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(frame.columns):
        sheet.set_column(place, place, _width(frame[column], column))
        sheet.write_string(0, place, heading(column), formats["bold"])
    columns = (frame[column].tolist() for column in frame.columns)
    for row, cells in enumerate(zip(*columns, strict=True), start=1):
        for place, value in enumerate(cells):
            _cell(sheet, (row, place), value, formats)
    if totals:
        last = len(frame) + 1
        sheet.write_string(last, 0, _("Total"), formats["bold"])
        for place, column in enumerate(frame.columns):
            if column in totals and len(frame):
                sheet.write_number(last, place, int(frame[column].sum()), formats["bold"])


def _cell(sheet: Any, at: tuple[int, int], value: Any, formats: Mapping[str, Any]) -> None:
    if pd.isna(value):
        return
    if isinstance(value, datetime):
        sheet.write_datetime(*at, value.replace(tzinfo=None), formats["time"])
    elif isinstance(value, Decimal):
        sheet.write_number(*at, float(value), formats["money"])
    elif isinstance(value, float):
        sheet.write_number(*at, value, formats["share"])
    elif isinstance(value, int):
        sheet.write_number(*at, value, formats["count"])
    else:
        sheet.write_string(*at, str(value)[:_MOST_CHARACTERS], formats["text"])


def _width(cells: pd.Series, name: str) -> int:
    longest = cells.head(_ROWS_MEASURED).astype("str").str.len().max() if len(cells) else 0
    return int(min(_WIDEST, max(_NARROWEST, len(name), longest) + 1))
