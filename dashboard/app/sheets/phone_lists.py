"""Phones from typed lines or a sheet, and finding one in a list. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from dashboard.app.standing.recipient_table import digits_of
from dashboard.contacts import (
    LINE_TYPES,
    ColumnMap,
    Problem,
    Sheet,
    Status,
    clean_contacts,
    guess_columns,
    read_opt_outs,
)
from dashboard.contacts.contact_list import every_phone
from dashboard.contacts.verdicts.consent.consent import what_rows_say
from dashboard.errors import ColumnError
from dashboard.words import _

_FEWEST_DIGITS = 3


@dataclass(frozen=True)
class FoundPhones:
    """Phones from lines or a sheet.

    Attributes:
        phones: In E.164, each once; all of them if a row has several numbers.
        without: Rows (or lines, counted from 1) without a valid number.
        passed_over: Rows of people who did not refuse, in a sheet that says who did.
        columns: The columns that say this.
    """

    phones: list[str]
    without: list[int]
    passed_over: int = 0
    columns: tuple[str, ...] = ()


def find_phones(lines: Iterable[str], country: str | None) -> FoundPhones:
    """Read the phones on each line the way cells of a sheet are read; blank lines do not count."""
    found = read_opt_outs(list(lines), country, trusts_e164=False)
    return FoundPhones([f"+{number}" for number in found.numbers], list(found.unread))


def read_phones(sheet: Sheet, country: str | None) -> FoundPhones:
    """Read the phones of people who must not be texted, landlines included.

    A sheet with a column for consent or opt-outs, such as a whole address book, yields only those who
    refused; any other sheet yields everybody in it.

    Raises:
        ColumnError: There is no phone column.
    """
    columns = guess_columns(sheet)
    if not columns.phones:  # a refusal counts, whoever the line belongs to
        columns = columns.with_phones(columns.offered)
    if not columns.phones:
        raise ColumnError(_("No column looks like phone numbers. Name the right one “phone” and try again."))
    contacts = clean_contacts(sheet, country=country, columns=columns, line_types=LINE_TYPES)
    rows, refused, telling = contacts.rows, contacts.rows, _telling(columns)
    beside: list[str] = []
    if telling:  # not people who only share a number with them, as in a household
        said = what_rows_say(contacts.fields, columns, contacts.judged["below"].to_numpy(), country)
        beside = [f"+{number}" for number in said.numbers.tolist()]
        refused = rows[said.refuses | (rows["problem"] == Problem.NUMBER_REFUSED.value).to_numpy()]
    without = rows.loc[rows["phone"].isna() & (rows["status"] != Status.EMPTY), "row"]
    phones = pd.concat([every_phone(refused), pd.Series(beside, dtype="str")])
    passed_over = int(rows["phone"].notna().sum() - refused["phone"].notna().sum())
    return FoundPhones(_each_once(phones), without.astype("int").tolist(), passed_over, telling)


def _telling(columns: ColumnMap) -> tuple[str, ...]:
    """The columns that say who refused."""
    return (*columns.opt_outs, *columns.consents, *columns.statuses)


def _each_once(phones: pd.Series) -> list[str]:
    return [str(phone) for phone in phones.drop_duplicates()]


def search(listed: pd.DataFrame, wanted: str, *, whole: bool = False) -> pd.DataFrame:
    """Rows whose phone has these digits, or whose other texts have these words; everything if blank.

    Args:
        listed: The rows.
        wanted: What somebody typed.
        whole: Only a whole number finds one: digit by digit, a search would tell what is masked.
    """
    if not wanted:
        return listed
    digits = digits_of(wanted)
    found = pd.Series(data=False, index=listed.index)
    if len(digits) >= _FEWEST_DIGITS:
        phones = listed["phone"]
        found |= phones.eq(f"+{digits}") if whole else phones.str.contains(digits, regex=False)
    else:
        for name in ("reason", "source"):
            found |= listed[name].fillna("").str.contains(wanted, case=False, regex=False)
    return listed[found]
