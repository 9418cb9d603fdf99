"""Candidate texts to numbers: by the library first, then by the ways in which spreadsheets spoil a number.

A lost +, a 00 where the country dials something else, a + before a national 0: each is tried only when the
text as it stands is not valid, and counts only when the result is.
"""

from __future__ import annotations

import pandas as pd

from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.phones import clean_phones
from dashboard.contacts.problems import Problem

__all__ = ["noted", "parse"]

_JUDGED = ["phone", "valid", "country", "line_type", "parse_problem"]
_TAIL_DIGITS = 6


def parse(candidates: pd.DataFrame) -> pd.DataFrame:
    """Parse the column `text` by the country in `home`.

    Args:
        candidates: Columns text, home, repairs (codes joined by "; ") and doubt.

    Returns:
        The same with digits (of the text), phone, valid, country, line_type and parse_problem; what was
        noticed on the way is added to repairs and doubt.
    """
    judged = clean_phones(candidates["text"], candidates["home"])
    numbers = candidates.join(judged.rename(columns={"problem": "parse_problem"}))
    numbers["digits"] = candidates["text"].str.replace(r"\D", "", regex=True)
    numbers = _respell(numbers)
    return _trace(numbers)


def noted(repairs: pd.Series, where: pd.Series, code: str | pd.Series) -> pd.Series:
    """Repairs with a code added at the end where it applies."""
    longer = (repairs + "; " + code).mask(repairs == "", code)
    return repairs.mask(where, longer)


def _respell(numbers: pd.DataFrame) -> pd.DataFrame:
    """Try what else an invalid text may have been, and take it where that is valid."""
    text, digits = numbers["text"], numbers["digits"]
    respelled = pd.Series("", index=numbers.index, dtype="str")
    national_plus = text.str.startswith("+0")
    doubled_zero = digits.str.startswith("00") & ~text.str.startswith("+")
    no_plus = digits.str.fullmatch(r"[1-9]\d{7,14}") & ~text.str.contains("+", regex=False)
    respelled = respelled.mask(national_plus, digits)
    respelled = respelled.mask(doubled_zero, "+" + digits.str.slice(2)).mask(no_plus, "+" + digits)
    tried = numbers[~numbers["valid"] & (respelled != "")]
    if tried.empty:
        return numbers
    judged = clean_phones(respelled[tried.index], tried["home"]).rename(columns={"problem": "parse_problem"})
    believable = judged["line_type"].isin(TEXTABLE) | ~no_plus[tried.index]
    better = judged[judged["valid"] & believable]
    numbers.loc[better.index, _JUDGED] = better[_JUDGED]
    took = pd.Series(numbers.index.isin(better.index), index=numbers.index)
    doubt = numbers["doubt"].mask(took & no_plus & numbers["doubt"].isna(), Problem.PLUS_GUESSED.value)
    repairs = noted(numbers["repairs"], took & national_plus, "plus_removed")
    return numbers.assign(text=text.mask(took & national_plus, digits), doubt=doubt, repairs=repairs)


def _trace(numbers: pd.DataFrame) -> pd.DataFrame:
    """Say how a valid number came from its text, and doubt it when digits at the end were left out."""
    digits, full = numbers["digits"], numbers["phone"].fillna("+").str.slice(1)
    valid, plus = numbers["valid"], numbers["text"].str.contains("+", regex=False)
    same = valid & (digits == full)
    dialled = valid & ~same & ~plus & _ends_with(digits, full)
    dialled |= valid & ~same & ~plus & digits.str.startswith("00")
    national = valid & ~same & ~dialled & ~plus
    steps = {
        "plus_restored": same & ~plus,
        "idd_replaced": dialled,
        "trunk_zero_dropped": valid & (plus | dialled) & ~_ends_with(digits, full),
        "zero_restored": national & _lost_zero(numbers[national]).reindex(numbers.index, fill_value=False),
        "country_added": national,
    }
    repairs = numbers["repairs"]
    for code, where in steps.items():
        repairs = noted(repairs, where, code)
    cut = valid & (digits.str.slice(-_TAIL_DIGITS) != full.str.slice(-_TAIL_DIGITS)) & numbers["doubt"].isna()
    return numbers.assign(repairs=repairs, doubt=numbers["doubt"].mask(cut, Problem.EXTENSION_DROPPED.value))


def _ends_with(texts: pd.Series, endings: pd.Series) -> pd.Series:
    pairs = zip(texts, endings, strict=True)
    return pd.Series([text.endswith(ending) for text, ending in pairs], index=texts.index, dtype="bool")


def _lost_zero(national: pd.DataFrame) -> pd.Series:
    """Whether a national number lacks the 0 that its country writes first.

    One number per country tells: where the same digits after a 0 are the same number, the 0 belongs there.
    """
    bare = national[~national["digits"].str.startswith("0")]
    bare = bare[_ends_with(bare["phone"], bare["digits"])]
    sample = bare.drop_duplicates("home")
    with_zero = clean_phones("0" + sample["digits"], sample["home"])
    zero_homes = sample["home"][with_zero["phone"] == sample["phone"]]
    return bare["home"].isin(zero_homes)
