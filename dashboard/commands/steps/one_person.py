"""What a command does for one person: take along what is kept of them, and find the lists they are in."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.contacts import read_sheet, write_csv
from dashboard.contacts.renumberings import spellings
from dashboard.errors import OutputError, SheetError
from dashboard.ledger.database.said import naming, phones_in, without_numbers
from dashboard.ledger.frames.person import number_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from dashboard.ledger import Ledger


def write_person(ledger: Ledger, phone: str, country: str | None, folder: Path) -> list[Path]:
    """Write what the ledger has of one person: messages, opt-outs, rows of each sheet, and stray reports.

    Args:
        ledger: Where to look.
        phone: Their number, however it is typed.
        country: ISO 3166 country of a number without a country code.
        folder: Where to, created if it does not exist. It has to be empty, so that nobody gets what is kept
            of somebody else.

    Returns:
        The files, CSV; only those in which something stands.

    Raises:
        OptionError, CountryError: As for `Ledger.person`.
        OutputError: Something is in the folder, or it or a file cannot be written.
    """
    number = number_of(phone, country)
    theirs = {*spellings(number)}
    messages = ledger.person(number)
    opt_outs, strays = ledger.opt_out_history(), ledger.stray_reports()
    frames = {
        "messages": messages,
        "opt-outs": opt_outs[opt_outs["phone"].isin(theirs)],
        "stray-reports": strays[[bool(theirs & phones_in(json.loads(text))) for text in strays["report"]]],
    }
    for campaign, of_campaign in messages.groupby("campaign", observed=True):
        rows = [int(row) for row in of_campaign["row"].dropna()]
        frames[f"sheet-{campaign}"] = ledger.sheet_rows(str(campaign), rows=rows)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        taken = any(folder.iterdir())
    except OSError as error:
        raise OutputError(
            f"The folder {folder} cannot be created ({error.strerror}). Name another one."
        ) from None
    if taken:
        raise OutputError(f"There already is something in the folder {folder}. Name a new one.")
    files = [folder / f"{name}.csv" for name, frame in frames.items() if not frame.empty]
    for file in files:
        write_csv(frames[file.stem], file)
    return files


def lists_with(ledger: Ledger, phone: str, country: str | None) -> list[str]:
    """The names of saved lists in which this number stands, or which can no longer be read."""
    names = naming(number_of(phone, country))
    return [
        without_numbers(saved.name)
        for saved, content in map(ledger.lists.find_with_content, ledger.lists.all()["list"])
        if names(f"{saved.name} | {saved.source}")
        or names(json.dumps(dict(saved.choices)))
        or _holds(content, names)
    ]


def typed_with(ledger: Ledger, phone: str, country: str | None) -> list[str]:
    """The campaigns and saved texts, deleted ones too, in whose names or words somebody typed this number."""
    names = naming(number_of(phone, country))
    told = [
        (str(one["name"]), f"{one['name']} | {one['source']} | {_templates(ledger, str(one['campaign']))}")
        for one in ledger.campaigns().to_dict("records")
    ]
    told += [(text.name, f"{text.name} | {text.text}") for text in ledger.library.every_version()]
    return list(dict.fromkeys(without_numbers(name) for name, words in told if names(words)))


def _templates(ledger: Ledger, campaign: str) -> str:
    return " | ".join(str(text.template) for text in ledger.sent_texts(campaign))


def _holds(content: bytes, names: Callable[[str], bool]) -> bool:
    """Whether a file has the number in any cell of any worksheet, or one that cannot be read."""
    try:
        first = read_sheet(BytesIO(content), header_row=0)
        others = {*first.worksheets} - {first.worksheet}
        sheets = (first, *(read_sheet(BytesIO(content), worksheet=one, header_row=0) for one in others))
        return any(names(cell) for sheet in sheets for column in sheet.frame for cell in sheet.frame[column])
    except SheetError:
        return True
