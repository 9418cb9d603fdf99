"""Frames joined by people's numbers, however they were typed in either."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from dashboard.arguments import checks_arguments
from dashboard.contacts import ColumnMap, clean_contacts
from dashboard.errors import FrameError
from dashboard.words import _, plural

_KEY = "number to join by"


@checks_arguments()
def join_by_phone(
    left: pd.DataFrame,
    right: pd.DataFrame,
    *,
    left_on: str = "to",
    right_on: str = "phone",
    country: str | None,
    how: Literal["left", "inner"] = "left",
) -> pd.DataFrame:
    """Put the columns of a customer database beside messages, or beside anything else with phones.

    Both columns are read as a contact sheet's would be, so "(0)7400-123 456" and +447400123456 are the same
    person. A cell without a valid number joins nothing, not even another such cell.

    Args:
        left: Such as `Ledger.messages` gives; its rows are kept, in their order.
        right: Such as an export of the customer database, one row per person.
        left_on: The column of phones in `left`.
        right_on: The column of phones in `right`.
        country: ISO 3166 country of numbers without a country code; None if there are none such.
        how: What happens to rows of `left` without a partner: "left" keeps them, with missing values on the
            right; "inner" leaves them out.

    Returns:
        The columns of `left`, then those of `right`, with the dtypes that `merge` gives them; a name that
        `left` has already gets #2. Never more rows than `left`.

    Raises:
        FrameError: There is no such column, or a number stands in several rows of `right`.
        CountryError: The country is not a two-letter ISO 3166 code in upper case.

    Example:
        >>> people = pd.DataFrame({"mobile": ["07400 123456"], "tier": ["gold"]})
        >>> sent = pd.DataFrame({"to": ["+447400123456"]})
        >>> join_by_phone(sent, people, right_on="mobile", country="GB")["tier"].tolist()
        ['gold']
    """
    numbers = _numbers(right, right_on, country)
    known = right.assign(**{_KEY: numbers})[numbers.notna()]
    several = int(known[_KEY].duplicated(keep=False).sum())
    if several:
        raise FrameError(
            plural(
                several,
                "{count} row on the right has a number that another one has, so rows on the left would be "
                "counted twice. Keep one row per person.",
                "{count} rows on the right have a number that another one has, so rows on the left would be "
                "counted twice. Keep one row per person.",
            )
        )
    own = left.assign(**{_KEY: _numbers(left, left_on, country)})
    return own.merge(known, on=_KEY, how=how, suffixes=("", "#2")).drop(columns=_KEY)


def _numbers(frame: pd.DataFrame, column: str, country: str | None) -> pd.Series:
    """The number in each cell, each different text read once; missing where it is not valid."""
    if column not in frame:
        raise FrameError(
            _("The frame has no column {name}. Choose from {known}.").format(
                name=repr(column), known=", ".join(map(str, frame.columns))
            )
        )
    typed = frame[column].astype("str")
    different = typed.dropna().unique()
    cells = pd.DataFrame({"phone": pd.Series(different, dtype="str")})
    read = clean_contacts(cells, country=country, columns=ColumnMap(phones=("phone",))).rows["phone"]
    return typed.map(dict(zip(different, read.astype(object), strict=True))).astype("str")
