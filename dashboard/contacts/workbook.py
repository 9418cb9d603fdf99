"""Workbooks: checked first, then read in a process of their own with bounds on memory and time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from dashboard.contacts.kind import Kind
from dashboard.contacts.limits import Limits
from dashboard.contacts.table import Table
from dashboard.contacts.wording import count_of
from dashboard.contacts.workbook_check import DAMAGED, Worksheet, check_size, check_xlsx
from dashboard.errors import SheetError

__all__ = ["read_workbook"]

_CHILD = Path(__file__).with_name("workbook_child.py")
_MAX_CELLS_PER_WORKBOOK = 100_000_000
_TOO_LARGE = (
    "The workbook needs more memory or time than is allowed. "
    "Save only the sheet with the contacts, as CSV or as a new workbook."
)
_EXIT_CODES = {
    3: DAMAGED,
    4: "There is no worksheet of this name in the workbook.",
    5: "Every worksheet of the workbook is hidden. Unhide the one with the contacts, or name it.",
    6: _TOO_LARGE,
}


class _Read(NamedTuple):
    cells: pd.DataFrame
    worksheet: str
    worksheets: tuple[str, ...]


def read_workbook(data: bytes, kind: Kind, *, worksheet: str | None, limits: Limits) -> Table:
    """Read a worksheet as text: the one named, else the first that is visible.

    Raises:
        SheetError: It is damaged, protected, too large, or has no such worksheet.
    """
    seen: Mapping[str, Worksheet] = {}
    if kind in {Kind.XLSX, Kind.ODS}:
        check_size(data, limits)
    if kind is Kind.XLSX:
        seen = check_xlsx(data, limits)
    read = _read_in_child(data, worksheet, limits)
    cells = read.cells
    if cells.shape[1] > limits.columns or len(cells) > limits.workbook_rows:
        raise SheetError(_TOO_LARGE)
    here = seen.get(read.worksheet, Worksheet())
    return Table(
        cells=cells,
        rows=pd.Series(range(1, len(cells) + 1), dtype="int64"),
        notes=tuple(_notes(here, read)),
        worksheet=read.worksheet,
        worksheets=read.worksheets,
        hidden_rows=frozenset(row for row in here.hidden_rows if row <= len(cells)),
    )


def _notes(here: Worksheet, read: _Read) -> list[str]:
    notes = []
    if len(read.worksheets) > 1:
        notes.append(f'The workbook has {len(read.worksheets)} worksheets; "{read.worksheet}" was read.')
    if here.hidden_rows:
        notes.append(
            f"Hidden in the workbook: {count_of(len(here.hidden_rows), 'row')} (a filter may be on). "
            "They were read too and can be left out."
        )
    if here.error_cells:
        notes.append(f"Read as empty: {count_of(here.error_cells, 'cell')} with a spreadsheet error.")
    return notes


def _read_in_child(data: bytes, worksheet: str | None, limits: Limits) -> _Read:
    command = [
        sys.executable,
        "-P",
        str(_CHILD),
        str(limits.child_memory_bytes),
        str(int(limits.child_time_s) + 1),
        str(_MAX_CELLS_PER_WORKBOOK),
        *([worksheet] if worksheet is not None else []),
    ]
    try:
        done = subprocess.run(  # noqa: S603  our own file, nothing from the user but a worksheet's name
            command,
            input=data,
            capture_output=True,
            timeout=limits.child_time_s,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SheetError(_TOO_LARGE) from None
    if done.returncode:
        raise SheetError(_EXIT_CODES.get(done.returncode, _TOO_LARGE))
    table = pa.ipc.open_stream(done.stdout).read_all()
    about = json.loads(table.schema.metadata[b"about"])
    cells = table.to_pandas(types_mapper={pa.string(): pd.StringDtype(na_value=float("nan"))}.get)
    return _Read(
        cells=cells.set_axis(range(cells.shape[1]), axis=1).fillna("").astype("str"),
        worksheet=about["worksheet"],
        worksheets=tuple(about["worksheets"]),
    )


def _environment() -> dict[str, str]:
    """The environment without our keys: what reads a stranger's file need not know them."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("SMS_", "DASHBOARD_"))}
