"""Write frames to files that a spreadsheet program opens without running or changing anything in them.

447911123456 is a number that such a program rounds, and "=1+1" a formula that it runs. So a workbook gets
text cells only, and a CSV file gets an apostrophe before anything that looks like a formula (formulas.py).
`read_sheet` returns the same texts from files written from `checked`, `rejects` and `ContactList.sendable`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts.contact_list import ContactList
from dashboard.contacts.formulas import disarm
from dashboard.contacts.problems import Status
from dashboard.contacts.read.column_names import side_by_side
from dashboard.contacts.read.sheet import Sheet
from dashboard.errors import SheetError
from dashboard.output import opened
from dashboard.words import _

__all__ = ["checked", "rejects", "write_csv", "write_xlsx"]

_MOST_ROWS = 1_048_576
_MOST_CHARACTERS = 32_767
_WIDEST_COLUMN = 60
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""Written into every workbook, so that the same frame gives the same bytes."""


@checks_arguments()
def write_xlsx(frame: pd.DataFrame, target: str | Path | BinaryIO) -> None:
    """Write a frame as a workbook in which every cell is text.

    Args:
        frame: Any; of a frame without rows, the header.
        target: A path, or a binary file to write to.

    Raises:
        SheetError: The frame has more rows than a worksheet can hold.
        OutputError: The file cannot be written.

    Example:
        >>> write_xlsx(contacts.sendable, "sendable.xlsx")
    """
    import xlsxwriter  # noqa: PLC0415 - only who writes a workbook pays for it

    if len(frame) >= _MOST_ROWS:
        raise SheetError(
            _("A worksheet holds at most 1,048,575 rows below its header. Write a CSV file instead.")
        )
    texts = _texts(frame)
    options = {"constant_memory": True, "strings_to_formulas": False}
    with opened(target) as file, xlsxwriter.Workbook(file, options) as workbook:
        workbook.set_properties({"created": _CREATED.replace(tzinfo=None)})
        text, bold = (
            workbook.add_format({"num_format": "@"}),
            workbook.add_format({"bold": True, "num_format": "@"}),
        )
        sheet = workbook.add_worksheet()
        sheet.freeze_panes(1, 0)
        for place, name in enumerate(texts.columns):
            sheet.set_column(place, place, _width(texts.iloc[:, place], name))
            sheet.write_string(0, place, name[:_MOST_CHARACTERS], bold)
        for row, cells in enumerate(texts.itertuples(index=False, name=None), start=1):
            for place, cell in enumerate(cells):
                if cell:
                    sheet.write_string(row, place, cell[:_MOST_CHARACTERS], text)


@checks_arguments()
def write_csv(frame: pd.DataFrame, target: str | Path | BinaryIO) -> None:
    """Write a frame as CSV (UTF-8 with a byte order mark, as spreadsheet programs expect it).

    Args:
        frame: Any; of a frame without rows, the header.
        target: A path, or a binary file to write to.

    Raises:
        OutputError: The file cannot be written.

    Example:
        >>> write_csv(pd.DataFrame({"phone": ["+447400123456"], "name": ["=1+1"]}), "safe.csv")
    """
    texts = _texts(frame)
    safe = texts.apply(disarm).set_axis(disarm(pd.Series(texts.columns, dtype="str")).tolist(), axis=1)
    with opened(target) as file:
        safe.to_csv(file, index=False, encoding="utf-8-sig", lineterminator="\r\n")


@checks_arguments()
def checked(contacts: ContactList, sheet: Sheet) -> pd.DataFrame:
    """Every row as it was typed, with the number found, the verdict and the reason in words.

    Args:
        contacts: The verdicts.
        sheet: The sheet they are about.

    Returns:
        row, the sheet's columns, and the verdict's. A name already used by the sheet gets a number, as in
        "phone#2".

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> checked(contacts, sheet)[["row", "Mobile", "status", "explanation"]]
    """
    found = ["phone", "country", "line_type", "status", "problem", "explanation", "repairs"]
    return _beside_sheet(contacts, sheet, [*found, "duplicate_of", "other_phones"])


@checks_arguments()
def rejects(contacts: ContactList, sheet: Sheet) -> pd.DataFrame:
    """Every row that will not be texted as things stand, as it was typed, with the reason in words.

    Args:
        contacts: The verdicts.
        sheet: The sheet they are about.

    Returns:
        The columns of `checked`.

    Raises:
        OptionError: An argument is of another kind.

    Example:
        >>> len(rejects(contacts, sheet)) == len(contacts.rows) - contacts.count("ok")
        True
    """
    table = _beside_sheet(contacts, sheet, ["status", "problem", "repairs", "explanation"])
    return table[(contacts.rows["status"] != Status.OK).to_numpy()].reset_index(drop=True)


def _beside_sheet(contacts: ContactList, sheet: Sheet, verdict: list[str]) -> pd.DataFrame:
    rows = contacts.rows.assign(explanation=contacts.reasons()).reset_index(drop=True)
    return side_by_side(rows[["row"]], sheet.frame.reset_index(drop=True), rows[verdict])


def _texts(frame: pd.DataFrame) -> pd.DataFrame:
    names = [str(name) for name in frame.columns]
    columns = {place: frame.iloc[:, place].astype("str").fillna("") for place in range(len(names))}
    return pd.DataFrame(columns, index=frame.index).astype("str").set_axis(names, axis=1)


def _width(cells: pd.Series, name: str) -> int:
    longest = cells.str.len().max() if len(cells) else 0
    return int(min(_WIDEST_COLUMN, max(8, len(name), longest) + 1))
