"""Dates and numbers in cells of text, read a column at a time, for comparing; what is unclear is missing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.distinct import encoded

__all__ = ["dates_in", "numbers_in"]

Values = npt.NDArray[np.float64]

_MONTH_FIRST = ("US", "PH", "PR", "GU", "VI", "AS", "MP")
"""Where people write 11/30/2026; ISO 3166."""
_YEAR_FIRST = r"^(?P<y>[0-9]{4})[-/.](?P<m>[0-9]{1,2})[-/.](?P<d>[0-9]{1,2})(?:[T ].*)?$"
_YEAR_LAST = r"^(?P<a>[0-9]{1,2})(?P<sign>[-/.])(?P<b>[0-9]{1,2})[-/.](?P<y>[0-9]{4})(?:[T ,].*)?$"
_MONTHS = 12

_CURRENCY = r"\p{Sc}|^[A-Z]{3}\b|\b[A-Z]{3}$"
_SPACE = r"[\p{Z}\s]"
_GROUPS = rf"^[+-]?[0-9]{{1,3}}(?:(?:{_SPACE}[0-9]{{3}})+|(?:['’][0-9]{{3}})+)(?:[.,][0-9]+)?$"
"""1 234.50 and 1'234.50; not 5 10, which may be one number or two."""

_PLAIN = r"^[+-]?[0-9]+(?:[.,](?:[0-9]{1,2}|[0-9]{4,}))?$"
_COMMAS = r"^[+-]?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+$|^[+-]?[0-9]{1,3}(?:,[0-9]{3}){2,}$"
_DOTS = r"^[+-]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+$|^[+-]?[0-9]{1,3}(?:\.[0-9]{3}){2,}$"


def dates_in(cells: pd.Series, country: str | None) -> Values:
    """Days since 1970 of each cell, NaN where it is no date.

    2026-11-30 is clear, and so is 30.11.2026. For 03/04/2026, the column's other cells say whether the day
    comes first; where none does, the country's custom counts.

    Args:
        cells: Texts.
        country: ISO 3166 country of the list.
    """
    place, words = encoded(cells)
    days: Values = _dates(words, country)[place]
    return days


def _dates(words: pa.Array, country: str | None) -> Values:
    texts = pc.utf8_trim_whitespace(words)
    year_first, year_last = pc.extract_regex(texts, _YEAR_FIRST), pc.extract_regex(texts, _YEAR_LAST)
    days = _days(*(_field(year_first, name) for name in "ymd"))
    first, second = _field(year_last, "a"), _field(year_last, "b")
    dotted = pc.fill_null(pc.equal(pc.struct_field(year_last, "sign"), "."), fill_value=False).to_numpy(
        zero_copy_only=False
    )
    months_first = _months_first(first[~dotted], second[~dotted], country) & ~dotted
    day, month = np.where(months_first, second, first), np.where(months_first, first, second)
    last: Values = np.where(np.isnan(days), _days(_field(year_last, "y"), month, day), days)
    return last


def numbers_in(cells: pd.Series) -> Values:
    """The number in each cell, NaN where there is none, or where 1.234 may mean two things."""
    place, words = encoded(cells)
    numbers: Values = _numbers(words)[place]
    return numbers


def _numbers(words: pa.Array) -> Values:
    texts = _ungrouped(pc.utf8_trim_whitespace(pc.replace_substring_regex(words, _CURRENCY, "")))
    plain = pc.replace_substring(_where(texts, _PLAIN), ",", ".")
    commas = pc.replace_substring(_where(texts, _COMMAS), ",", "")
    dots = pc.replace_substring(pc.replace_substring(_where(texts, _DOTS), ".", ""), ",", ".")
    return _floats(pc.ascii_ltrim(pc.coalesce(plain, commas, dots), "+"))


def _ungrouped(texts: pa.Array) -> pa.Array:
    """Without the spaces after a sign and between groups of three digits."""
    signed = pc.replace_substring_regex(texts, rf"^([+-]){_SPACE}+", r"\1")
    together = pc.replace_substring_regex(signed, rf"{_SPACE}|['’]", "")
    return pc.if_else(pc.match_substring_regex(signed, _GROUPS), together, signed)


def _months_first(first: Values, second: Values, country: str | None) -> bool:
    if (first > _MONTHS).any():
        return False
    return bool((second > _MONTHS).any()) or country in _MONTH_FIRST


def _days(year: Values, month: Values, day: Values) -> Values:
    """Days since 1970; NaN where there is no such day."""
    known = (month >= 1) & (month <= _MONTHS) & (day >= 1) & ~np.isnan(year)
    months = (np.where(known, year, 1970) - 1970) * 12 + np.where(known, month, 1) - 1
    starts = months.astype(np.int64).astype("datetime64[M]")
    last = (starts + 1).astype("datetime64[D]") - starts.astype("datetime64[D]")
    is_one = known & (np.where(known, day, 1) <= last.astype(np.int64))
    days: Values = np.where(is_one, starts.astype("datetime64[D]").astype(np.int64) + day - 1, np.nan)
    return days


def _where(texts: pa.Array, pattern: str) -> pa.Array:
    found = pc.match_substring_regex(texts, pattern)
    return pc.if_else(found, texts, pa.scalar(None, texts.type))


def _field(found: pa.Array, name: str) -> Values:
    return _floats(pc.struct_field(found, name))


def _floats(texts: pa.Array) -> Values:
    values: Values = texts.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)
    return values
