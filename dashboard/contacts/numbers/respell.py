"""Candidate texts to numbers: by the library first, then by the ways in which spreadsheets spoil a number.

A lost +, a 00 where the country dials something else, a + before a national 0: each is tried only if the text
as written is not valid, and counts only if the result is. A number from before its country renumbered counts
as today's (see renumbered.py).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of, text_series
from dashboard.contacts.categories import noted, numbers_of
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.numbers.made_up import is_filler
from dashboard.contacts.numbers.missing_digit import lacks_a_mobiles_digit
from dashboard.contacts.numbers.plus_one import with_home_readings
from dashboard.contacts.numbers.renumbered import JUDGED, judged_today, with_renumbering
from dashboard.contacts.problems import Problem
from dashboard.contacts.renumberings import Reading
from dashboard.phones import clean_phones

__all__ = ["parse", "trace"]

_TAIL = 10**6
_MOST_DIGITS = 18
"""The most digits that fit an int64; a phone has at most 15, so the last 18 of a longer text are enough."""


def parse(candidates: pd.DataFrame) -> pd.DataFrame:
    """Parse the column `text` by the country in `home`.

    Args:
        candidates: Columns text, home, repairs and doubt (see categories.py), on an index of 0, 1, 2 ...

    Returns:
        The same with digits (of the text) and the columns of `judged_today`, and below them a row for each
        other way to read one; what was noticed on the way is added to repairs and doubt.
    """
    numbers = pd.concat([candidates, judged_today(candidates["text"], candidates["home"])], axis=1)
    numbers["digits"] = text_series(pc.replace_substring_regex(arrow_of(candidates["text"]), r"\D", ""))
    return with_renumbering(trace(with_home_readings(_respell(numbers))))


def _respell(numbers: pd.DataFrame) -> pd.DataFrame:
    """Try what else an invalid text may have been, and take that if it is valid."""
    tried = numbers.loc[~numbers["valid"], ["text", "digits", "home"]]
    if tried.empty:
        return numbers
    text, digits = tried["text"], tried["digits"]
    national_plus = text.str.startswith("+0")
    doubled_zero = digits.str.startswith("00") & ~text.str.startswith("+")
    no_plus = digits.str.fullmatch(r"[1-9]\d{7,14}") & ~text.str.contains("+", regex=False)
    no_plus &= ~is_filler(digits)
    no_plus &= ~lacks_a_mobiles_digit(tried[no_plus]).reindex(tried.index, fill_value=False)
    respelled = digits.where(national_plus, "")
    respelled = respelled.mask(doubled_zero, "+" + digits.str.slice(2)).mask(no_plus, "+" + digits)
    respelled = respelled[respelled != ""]
    if respelled.empty:
        return numbers
    judged = judged_today(respelled, tried["home"][respelled.index])
    believable = judged["line_type"].isin(TEXTABLE) & (judged["reading"] != Reading.ASK)
    believable |= ~no_plus[respelled.index]
    better = judged[judged["valid"] & believable]
    if better.empty:
        return numbers
    numbers = numbers.copy()
    numbers.loc[better.index, JUDGED] = better[JUDGED]
    lost_plus, surplus_plus = (
        _among(numbers, better.index[mask[better.index]]) for mask in (no_plus, national_plus)
    )
    return numbers.assign(
        text=numbers["text"].mask(surplus_plus, numbers["digits"]),
        doubt=numbers["doubt"].mask(lost_plus & numbers["doubt"].isna(), Problem.PLUS_GUESSED.value),
        repairs=noted(numbers["repairs"], surplus_plus, "plus_removed"),
    )


def _among(numbers: pd.DataFrame, chosen: pd.Index) -> pd.Series:
    mask = pd.Series(data=False, index=numbers.index)
    mask[chosen] = True
    return mask


def trace(numbers: pd.DataFrame) -> pd.DataFrame:
    """Say how a valid number was derived from its text, and doubt it if digits at the end were left out.

    Args:
        numbers: Columns text, digits (of the text), home, read (the number as written), valid, repairs and
            doubt.
    """
    index, valid = numbers.index, numbers["valid"]
    plus = numbers["text"].str.contains("+", regex=False)
    digits, typed = numbers["digits"], pd.Series(_as_numbers(numbers["digits"]), index=index)
    full = pd.Series(numbers_of(numbers["read"]), index=index)
    full_digits = numbers["read"].str.len().fillna(1).astype("int64") - 1
    ends_with_it = typed % _power_of_ten(full_digits) == full
    same = valid & ends_with_it & (digits.str.len() == full_digits)
    dialled = valid & ~same & ~plus & (ends_with_it | digits.str.startswith("00"))
    national = valid & ~same & ~dialled & ~plus
    steps = {
        "plus_restored": same & ~plus,
        "idd_replaced": dialled,
        "trunk_zero_dropped": valid & (plus | dialled) & ~ends_with_it,
        "zero_restored": national & _lost_zero(numbers, typed, full, national),
        "country_added": national,
    }
    repairs = numbers["repairs"]
    for code, where in steps.items():
        repairs = noted(repairs, where, code)
    cut = valid & (typed % _TAIL != full % _TAIL) & numbers["doubt"].isna()
    return numbers.assign(repairs=repairs, doubt=numbers["doubt"].mask(cut, Problem.EXTENSION_DROPPED.value))


def _as_numbers(digits: pd.Series) -> npt.NDArray[np.int64]:
    texts = pc.utf8_slice_codeunits(arrow_of(digits), -_MOST_DIGITS)
    numbers: npt.NDArray[np.int64] = pc.if_else(pc.equal(texts, ""), "0", texts).cast(pa.int64()).to_numpy()
    return numbers


def _power_of_ten(exponents: pd.Series) -> np.ndarray:
    return np.array([10**n for n in range(_MOST_DIGITS + 1)])[exponents.clip(upper=_MOST_DIGITS)]


def _lost_zero(numbers: pd.DataFrame, typed: pd.Series, full: pd.Series, national: pd.Series) -> pd.Series:
    """Whether a national number lacks the 0 that its country writes first.

    One number per country is enough: if the same digits after a 0 are the same number, the 0 belongs there.
    """
    digits = numbers["digits"]
    bare = national & ~digits.str.startswith("0") & (full % _power_of_ten(digits.str.len()) == typed)
    if not bare.any():
        return bare
    sample = numbers.loc[bare, ["digits", "home", "read"]].drop_duplicates("home")
    with_zero = clean_phones("0" + sample["digits"], sample["home"])
    zero_homes = sample["home"][with_zero["phone"] == sample["read"]]
    return bare & numbers["home"].isin(zero_homes)
