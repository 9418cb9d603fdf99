"""Phones out of typed lines or a sheet, and finding one in a list. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from dashboard.contacts import clean_contacts, clean_phones, guess_columns, read_sheet
from dashboard.errors import ColumnError

_FEWEST_DIGITS = 3


@dataclass(frozen=True)
class FoundPhones:
    """Phones (E.164, each once) and how many lines held no valid one."""

    phones: list[str]
    unreadable: int


def find_phones(lines: Iterable[str], country: str | None) -> FoundPhones:
    """Read one phone a line; blank lines do not count."""
    texts = pd.Series([line.strip() for line in lines if line.strip()], dtype="str")
    return _found(clean_phones(texts, country))


def read_phones(content: bytes, country: str | None) -> FoundPhones:
    """Read the phones of a sheet; landlines too, for a list of numbers not to text.

    Raises:
        SheetError: It cannot be read, or has no phone column.
    """
    sheet = read_sheet(content)
    columns = guess_columns(sheet)
    if not columns.phones:
        raise ColumnError("No column looks like phone numbers. Name it phone and try again.")
    rows = clean_contacts(sheet, country=country, columns=columns).rows
    phones = rows["phone"].dropna().drop_duplicates()
    return FoundPhones([str(phone) for phone in phones], int(rows["phone"].isna().sum()))


def _found(cleaned: pd.DataFrame) -> FoundPhones:
    valid = cleaned.loc[cleaned["valid"], "phone"].drop_duplicates()
    return FoundPhones([str(phone) for phone in valid], int((~cleaned["valid"]).sum()))


def search(listed: pd.DataFrame, wanted: str) -> pd.DataFrame:
    """Rows whose phone holds these digits, or whose other texts hold these words; everything when blank."""
    if not wanted:
        return listed
    digits = re.sub(r"\D", "", wanted).removeprefix("0")
    found = pd.Series(data=False, index=listed.index)
    if len(digits) >= _FEWEST_DIGITS:
        found |= listed["phone"].str.contains(digits, regex=False)
    else:
        for name in ("reason", "source"):
            found |= listed[name].fillna("").str.contains(wanted, case=False, regex=False)
    return listed[found]
