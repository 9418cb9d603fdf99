"""Frames as the sheets of one workbook: numbers are numbers, and no text is ever a formula."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd
import xlsxwriter
from babel.numbers import list_currencies

from dashboard.arguments import checks_arguments
from dashboard.errors import SheetError
from dashboard.output import opened
from dashboard.words import N_, _, digits_of

_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Written into every workbook, so that the same frames give the same bytes."""

_HEADINGS = (
    *(N_("Stage"), N_("Reason"), N_("Country"), N_("Credits low"), N_("Credits high"), N_("Credits billed")),
    *(N_("Fact"), N_("Value"), N_("Unit"), N_("Messages"), N_("Share")),
    *(N_("Cause"), N_("Difference"), N_("Meaning")),
)
"""The headings of a campaign's report, for the catalogue."""

_OPTIONS = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_MOST_ROWS = 1_048_576
_MOST_CHARACTERS = 32_767
_EVERY_CELL = "A1:XFD1048576"  # phones are texts on purpose: no mark in each cell
_NARROWEST, _WIDEST, _ROWS_MEASURED = 12, 90, 200
_TEXT, _COUNT, _MONEY, _SHARE, _TIME = "@", "#,##0", "#,##0.00##", "0.0%", "yyyy-mm-dd hh:mm:ss"
_OF_MONEY = ("currency", "unit")
"""Columns that name the currency of the money in their row."""


@checks_arguments()
def write_sheets(
    sheets: Mapping[str, pd.DataFrame],
    target: str | Path | BinaryIO,
    *,
    title: str = "",
    totals: Mapping[str, pd.DataFrame] | None = None,
    in_words: Collection[str] = (),
    below: str = "",
) -> None:
    """Write frames as XLSX, a sheet each.

    Args:
        sheets: The frames by the names of their sheets. Aware times are written by their own clock; fractions
            are shares; money has the decimals of the currency in its row (column currency or unit); missing
            values stay blank.
        target: The file.
        title: Of the workbook.
        totals: Rows to write below a sheet's own, in bold, by its name; of the same columns.
        in_words: The sheets whose columns are titles already; other columns get theirs from their names.
        below: A sentence that ends each sheet.

    Raises:
        SheetError: A frame has more rows than a worksheet can hold.
        OutputError: The file cannot be written.
    """
    if any(len(frame) >= _MOST_ROWS for frame in sheets.values()):
        raise SheetError(
            _("A worksheet holds at most 1,048,575 rows below its header. Write a CSV file instead.")
        )
    with opened(target) as file, xlsxwriter.Workbook(file, _OPTIONS) as workbook:
        workbook.set_properties({"created": _CREATED.replace(tzinfo=None), "title": title})
        looks = Looks(workbook)
        for name, frame in sheets.items():
            titles = [_title(frame[column], str(column) if name in in_words else "") for column in frame]
            sheet, sums = workbook.add_worksheet(name), (totals or {}).get(name)
            _write(sheet, frame, titles, sums, looks)
            if below:
                sheet.write_string(1 + len(frame) + (0 if sums is None else len(sums)), 0, below)


def heading(column: str) -> str:
    """The heading of a frame's column: `Sent at` for sent_at."""
    return _(column.replace("_", " ").capitalize())


def _title(cells: pd.Series, title: str) -> str:
    """A column's heading; a spreadsheet has no time zones, so that of its times stands here."""
    words = title or heading(str(cells.name))
    if not isinstance(cells.dtype, pd.DatetimeTZDtype):
        return words
    return _("{column} ({zone})").format(column=words, zone=cells.dtype.tz)


class Looks:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._made: dict[tuple[str, bool], Any] = {}

    def of(self, pattern: str, *, bold: bool = False) -> Any:
        """The format with this number pattern."""
        if (pattern, bold) not in self._made:
            self._made[pattern, bold] = self._workbook.add_format({"num_format": pattern, "bold": bold})
        return self._made[pattern, bold]


def _write(
    sheet: Any, frame: pd.DataFrame, titles: Sequence[str], totals: pd.DataFrame | None, looks: Looks
) -> None:
    sheet.freeze_panes(1, 0)
    sheet.ignore_errors({"number_stored_as_text": _EVERY_CELL})
    for place, (column, title) in enumerate(zip(frame.columns, titles, strict=True)):
        sheet.set_column(place, place, _width(frame[column], title))
        sheet.write_string(0, place, title[:_MOST_CHARACTERS], looks.of("General", bold=True))
    _rows(sheet, 1, frame, looks, bold=False)
    if totals is not None:
        _rows(sheet, len(frame) + 1, totals, looks, bold=True)


def _rows(sheet: Any, first: int, frame: pd.DataFrame, looks: Looks, *, bold: bool) -> None:
    columns = (frame[column].tolist() for column in frame.columns)
    currency = next((place for place, name in enumerate(frame.columns) if name in _OF_MONEY), None)
    look = partial(looks.of, bold=bold)
    for row, cells in enumerate(zip(*columns, strict=True), start=first):
        money = _money_pattern("" if currency is None else str(cells[currency]))
        for place, value in enumerate(cells):
            _cell(sheet, (row, place), value, look, money)


def _cell(sheet: Any, at: tuple[int, int], value: Any, look: Callable[[str], Any], money: str) -> None:
    if pd.isna(value):
        return
    if isinstance(value, datetime):
        sheet.write_datetime(*at, value.replace(tzinfo=None), look(_TIME))
    elif isinstance(value, Decimal):
        sheet.write_number(*at, float(value), look(money))
    elif isinstance(value, float):
        sheet.write_number(*at, value, look(_SHARE))
    elif isinstance(value, int):
        sheet.write_number(*at, value, look(_COUNT))
    else:
        sheet.write_string(*at, str(value)[:_MOST_CHARACTERS], look(_TEXT))


@cache
def _money_pattern(currency: str) -> str:
    """How a spreadsheet program shows money: the cell keeps the amount, and shows the currency's digits."""
    if currency not in list_currencies():
        return _MONEY
    digits = digits_of(currency)
    return f"#,##0.{'0' * digits}" if digits else "#,##0"


def _width(cells: pd.Series, name: str) -> int:
    longest = cells.head(_ROWS_MEASURED).astype("str").str.len().max() if len(cells) else 0
    return int(min(_WIDEST, max(_NARROWEST, len(name), longest) + 1))
