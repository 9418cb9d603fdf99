"""Hand a file to a reader in a separate process, with limits on memory and time (child.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import text_frame
from dashboard.contacts.read.limits import Limits
from dashboard.errors import SheetError
from dashboard.words import N_, _, count

__all__ = ["DAMAGED", "PROTECTED", "Read", "read_in_child"]

DAMAGED = N_("The {what} is damaged. Open it in the program it comes from, save it again and try once more.")
PROTECTED = N_("The workbook is protected by a password. Save it without one and try again.")
_TOO_LARGE = N_(
    "The {what} needs more memory or time than is allowed ({memory} MB, {seconds} s). "
    "Save only the contacts, as CSV or as a new workbook."
)
_EXIT_CODES = {
    10: N_(
        "The {what} cannot be read, though it may not be damaged. Open it in the program it comes from and "
        "save it as XLSX or CSV."
    ),
    3: DAMAGED,
    4: N_("There is no worksheet with this name in the workbook."),
    5: N_("Every worksheet of the workbook is hidden. Unhide the one with the contacts, or name it."),
    7: N_(
        "The {what} has {rows} rows and {columns} columns; at most {most_rows} rows and {most_columns} "
        "columns can be read. Remove what you do not need, or split it."
    ),
    8: PROTECTED,
    11: N_("There is no list with this name in the {what}."),
    9: N_("There is no list of contacts in the {what}. Export the contacts as CSV or XLSX."),
}
_CHILD = Path(__file__).with_name("child.py")
_MEGABYTE = 2**20
_TOO_MANY = 7
_OURS = ("SMS_", "DASHBOARD_")
_SHARE_OF_TIME = 0.8
"""A reader that watches the clock itself can say more than that time was up; it stops before it is ended."""


class Read(NamedTuple):
    """Cells as text, and what the reader says about them."""

    cells: pd.DataFrame
    about: dict[str, Any]


def read_in_child(data: bytes, kind: str, limits: Limits, *, what: str, worksheet: str | None = None) -> Read:
    """Read a file as text.

    Args:
        data: The file.
        kind: Which reader: workbook, parquet, json or vcard.
        limits: Limits on the process and on what it may return.
        what: The kind of file in words, for messages.
        worksheet: Which worksheet of a workbook, the first visible one when None; or which list in JSON.

    Raises:
        SheetError: It cannot be read, is protected or takes too much; the message says which.
    """
    most_rows = limits.workbook_rows if kind == "workbook" else limits.csv_rows
    asked = {
        "kind": kind,
        "worksheet": worksheet,
        "memory_bytes": limits.child_memory_bytes,
        "until": time.time() + limits.child_time_s * _SHARE_OF_TIME,
        "cpu_s": int(limits.child_time_s) + 1,
        "rows": most_rows,
        "columns": limits.columns,
        "result_bytes": limits.inflated_bytes,
    }
    words = {
        "what": _(what),
        "memory": limits.child_memory_bytes // _MEGABYTE,
        "seconds": f"{limits.child_time_s:g}",
        "most_rows": count(most_rows),
        "most_columns": count(limits.columns),
    }
    try:
        done = subprocess.run(  # noqa: S603  our own file; what comes from the user is data to it
            [sys.executable, "-P", str(_CHILD), json.dumps(asked)],
            input=data,
            capture_output=True,
            timeout=limits.child_time_s,
            # A process that reads a stranger's file need not know our keys.
            env={name: value for name, value in os.environ.items() if not name.startswith(_OURS)},
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SheetError(_(_TOO_LARGE).format(**words)) from None
    if done.returncode:
        found = json.loads(done.stderr.splitlines()[-1]) if done.returncode == _TOO_MANY else {}
        sizes = {name: count(number) for name, number in found.items()}
        raise SheetError(_(_EXIT_CODES.get(done.returncode, _TOO_LARGE)).format(**words, **sizes))
    table = pa.ipc.open_stream(done.stdout).read_all()
    about = json.loads(table.schema.metadata[b"about"])
    return Read(text_frame(_filled(column) for column in table.columns), about)


def _filled(column: pa.ChunkedArray) -> pa.ChunkedArray:
    texts = column.cast(pa.large_string())
    return pc.fill_null(texts, "") if texts.null_count else texts
