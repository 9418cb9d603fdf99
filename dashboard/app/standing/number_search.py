"""Numbers that somebody searches for: whole or in part, in any spelling that a sheet may hold. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

import pandas as pd

from dashboard.contacts.numbers.cells import numbers_in
from dashboard.phones.build.plans import WORLD, country_names

FEWEST_DIGITS = 3
"""Fewer are not a part of a number where words are searched for too."""

_TRUNK_ZERO = re.compile(r"\(\s*0\s*\)")
_PLUS = re.compile(r"\D*[+\uff0b]")
_ABROAD = re.compile(r"\s*(?:\+|00)\s*[1-9]\d{0,2}[\s./-]+0")
_LAST_DIGITS = 4
"""As often searched for as the first: of more digits, two zeros at the beginning stand for a plus."""


def digits_in(text: str) -> str:
    """The digits of a text, of whichever script, as 0 to 9."""
    return "".join(str(unicodedata.decimal(one)) for one in text if one.isdecimal())


def numbers_wanted(typed: str, *, whole: bool = False) -> list[str] | None:
    """What to look for, for `Ledger.recipients` and `are_wanted`.

    A sheet's numbers may be of any country, so a whole number is read as it would be in each of them.

    Args:
        typed: What somebody typed.
        whole: Only whole numbers: digit by digit, a search would tell what is masked.

    Returns:
        Whole numbers in E.164, beginnings such as `+44*`, and digits that a number may contain; none if it is
        no number; None if nothing was typed.
    """
    if not typed.strip():
        return None
    digits = digits_in(typed)
    if not digits:
        return []
    countries = pd.Categorical([country for country in country_names() if country != WORLD])
    found = numbers_in(pd.Series([typed] * len(countries), dtype="str"), pd.Series(countries))
    numbers = found.loc[found["valid"], "phone"].unique().tolist()
    return numbers if whole else [*numbers, *_parts(typed)]


def are_wanted(phones: pd.Series, numbers: Collection[str]) -> pd.Series:
    """Which of these phones, in E.164 or missing, are among the numbers, begin like one or contain one."""
    parts = [number.removesuffix("*") for number in numbers if number.endswith("*") or number[0] != "+"]
    found = phones.isin(numbers)
    return found | phones.str.contains("|".join(map(re.escape, parts)), na=False) if parts else found


def _parts(typed: str) -> list[str]:
    """The digits as they would stand in E.164: without what is dialled before them at home or abroad."""
    abroad = _ABROAD.match(typed)
    spellings = {typed, typed[: abroad.end() - 1] + typed[abroad.end() :]} if abroad else {typed}
    parts = {digits_in(_TRUNK_ZERO.sub("", one)) for one in spellings} - {""}
    if _PLUS.match(typed):
        return sorted(f"+{part}*" for part in parts)
    short = {part[2:] for part in parts if part.startswith("00") and len(part) <= _LAST_DIGITS} - {""}
    return sorted({*(f"+{part}*" for part in short), *map(_without_zeros, parts)})


def _without_zeros(digits: str) -> str:
    rest = digits.removeprefix("00") if len(digits) > _LAST_DIGITS else digits
    return rest.removeprefix("0") or digits
