"""What a command does for one person: take along what is kept of them, and find the lists they are in."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.contacts import read_sheet, write_csv
from dashboard.errors import SheetError
from dashboard.ledger.frames.person import number_of

if TYPE_CHECKING:
    import pandas as pd

    from dashboard.ledger import Ledger

COMPARED_DIGITS = 8
"""So many last digits of a number stand in every spelling of it."""


def write_person(ledger: Ledger, phone: str, country: str | None, folder: Path) -> list[Path]:
    """Write what the ledger has of one person: their messages, their opt-outs and their rows of each sheet.

    Args:
        ledger: Where to look.
        phone: Their number, however it is typed.
        country: ISO 3166 country of a number without a country code.
        folder: Where to, created if it does not exist.

    Returns:
        The files, CSV; only those in which something stands.

    Raises:
        OptionError, CountryError: As for `Ledger.person`.
        OutputError: A file cannot be written.
    """
    number = number_of(phone, country)
    messages = ledger.person(number)
    opt_outs = ledger.opt_out_history()
    frames = {"messages": messages, "opt-outs": opt_outs[opt_outs["phone"] == number]}
    for campaign, theirs in messages.groupby("campaign", observed=True):
        rows = [int(row) for row in theirs["row"].dropna()]
        frames[f"sheet-{campaign}"] = ledger.sheet_rows(str(campaign), rows=rows)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    files = [folder / f"{name}.csv" for name, frame in frames.items() if not frame.empty]
    for file in files:
        write_csv(frames[file.stem], file)
    return files


def lists_with(ledger: Ledger, phone: str, country: str | None) -> list[str]:
    """The names of saved lists in which this number stands, or which can no longer be read."""
    last = number_of(phone, country)[-COMPARED_DIGITS:]
    return [
        str(one["name"])
        for one in ledger.lists.all().to_dict("records")
        if _holds(b"".join(ledger.lists.content(str(one["list"]))), last)
    ]


def _holds(content: bytes, digits: str) -> bool:
    try:
        cells: pd.DataFrame = read_sheet(BytesIO(content)).frame
    except SheetError:
        return True
    return any(
        cells[name].str.replace(r"\D", "", regex=True).str.contains(digits, regex=False).any()
        for name in cells
    )
