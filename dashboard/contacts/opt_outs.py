"""`read_opt_outs`: whom a file, a sheet or a list of numbers says must not be texted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dashboard.arguments import checks_arguments
from dashboard.contacts.categories import among, numbers_of
from dashboard.contacts.cleaning import clean_contacts
from dashboard.contacts.columns.guess import guess_columns
from dashboard.contacts.contact_list import every_phone
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.read.sheet import Sheet, read_sheet
from dashboard.contacts.refusals.opt_out_list import IS_FILE, OptOuts, ReadOptOuts, read_entries
from dashboard.contacts.rows.evidence import ANSWERS
from dashboard.errors import ColumnError
from dashboard.phones.words import LINE_TYPES
from dashboard.words import _

__all__ = ["read_opt_outs"]


@checks_arguments(source=None)
def read_opt_outs(
    source: OptOuts | Path | Sheet, country: str | None = None, *, trusts_e164: bool = True
) -> ReadOptOuts:
    r"""Read an opt-out list like phone cells; several numbers in an entry all count, and landlines too.

    A sheet with a column for consent or opt-outs, such as a whole address book, yields only those who
    refused; any other sheet yields everybody in it.

    Args:
        source: The path of a file that `read_sheet` reads, a sheet, or `OptOuts`.
        country: ISO 3166 country of numbers without a country code; None if there are none.
        trusts_e164: Whether a number in E.164 counts even if no country has it (any longer): on a stored list
            it does, in what somebody has just typed it does not. Of a sheet it never does.

    Raises:
        OptionError: An argument is of another kind.
        SheetError: The file cannot be read.
        ColumnError: The sheet has no phone column.

    Example:
        >>> read_opt_outs("07400 123456\nn/a\nAnn", "GB").unread
        (3,)
        >>> read_opt_outs(Path("data/contacts.csv"), "GB").columns
        ('SMS opt out',)
    """
    if isinstance(source, Path) or (isinstance(source, str) and IS_FILE.fullmatch(source)):
        source = read_sheet(source)
    if isinstance(source, Sheet):
        return _in_sheet(source, country)
    return read_entries(source, country, trusts_e164=trusts_e164)


def _in_sheet(sheet: Sheet, country: str | None) -> ReadOptOuts:
    columns = guess_columns(sheet)
    if not columns.phones:  # a refusal counts, whoever the line belongs to
        columns = columns.with_phones(columns.offered)
    if not columns.phones:
        raise ColumnError(_("No column looks like phone numbers. Name the right one “phone” and try again."))
    contacts = clean_contacts(sheet, country=country, columns=columns, line_types=LINE_TYPES)
    rows = refused = contacts.rows
    telling = (*columns.opt_outs, *columns.consents, *columns.statuses)
    numbers = []
    if telling:  # not people who only share a number with them, as in a household
        said = contacts.said
        numbers = [said["number"].to_numpy()]
        own = said["place"][(said["number"] == 0).to_numpy() & among(said["problem"], ANSWERS)]
        is_number = rows["problem"] == Problem.NUMBER_REFUSED.value
        refused = rows[rows.reset_index(drop=True).index.isin(own) | is_number.to_numpy()]
    unread = rows.loc[rows["phone"].isna() & (rows["status"] != Status.EMPTY), "row"]
    numbers.append(numbers_of(every_phone(refused)))
    passed_over = int(rows["phone"].notna().sum() - refused["phone"].notna().sum())
    return ReadOptOuts(
        np.setdiff1d(np.concatenate(numbers), [0]), tuple(unread.astype("int").tolist()), passed_over, telling
    )
