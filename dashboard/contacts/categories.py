"""Statuses, problems and repairs of a whole column as small numbers: a million Python texts take seconds.

Repairs are a category with one value per combination of codes, "" for none, so adding one is a look-up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.arrow.texts import arrow_of, text_series
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.renumberings import in_todays_spelling

__all__ = [
    "PROBLEM_DTYPE",
    "STATUS_DTYPE",
    "among",
    "are_in",
    "concatenated",
    "having",
    "no_problems",
    "noted",
    "numbers_of",
    "problems_by",
    "repairs_with",
    "subscribers_of",
    "written_out",
]

STATUS_DTYPE = pd.CategoricalDtype([status.value for status in Status], ordered=True)
PROBLEM_DTYPE = pd.CategoricalDtype([problem.value for problem in Problem])


def no_problems(index: pd.Index) -> pd.Series:
    """A column of problems that are all missing."""
    missing = np.full(len(index), -1, np.int8)
    return pd.Series(pd.Categorical.from_codes(missing, dtype=PROBLEM_DTYPE), index=index)


def concatenated(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Frames with the same columns, one below the other; categories stay such, with all their values."""
    if len(frames) == 1:
        return frames[0]
    columns = {}
    for name, dtype in frames[0].dtypes.items():
        parts = [frame[name] for frame in frames]
        if isinstance(dtype, pd.CategoricalDtype) and any(part.dtype != dtype for part in parts):
            known = dict.fromkeys(word for part in parts for word in part.cat.categories)
            parts = [part.cat.set_categories(list(known)) for part in parts]
        columns[name] = pd.concat(parts)
    return pd.DataFrame(columns, copy=False)


def among(words: pd.Series, wanted: Collection[str]) -> npt.NDArray[np.bool_]:
    """Which entries of a category column are one of some words; a missing one is none."""
    found = np.array([*(word in wanted for word in words.cat.categories), False], np.bool_)
    is_one: npt.NDArray[np.bool_] = found[words.cat.codes.to_numpy()]
    return is_one


def problems_by(words: pd.Series, meaning: Mapping[str, Problem]) -> pd.Series:
    """The problem for each word of a category column."""
    names = PROBLEM_DTYPE.categories.tolist()
    codes = np.array([*(names.index(meaning[word]) for word in words.cat.categories), -1], np.int8)
    return pd.Series(
        pd.Categorical.from_codes(codes[words.cat.codes.to_numpy()], dtype=PROBLEM_DTYPE), index=words.index
    )


def noted(repairs: pd.Series, where: pd.Series, code: str) -> pd.Series:
    """Repairs with a code added at the end where it applies."""
    chosen = where.to_numpy(dtype=bool)
    if not chosen.any():
        return repairs
    codes, names = repairs.cat.codes.to_numpy().astype(np.int32), repairs.cat.categories.tolist()
    place = {name: number for number, name in enumerate(names)}
    longer = np.arange(len(names), dtype=np.int32)
    for number in np.unique(codes[chosen]):
        name = f"{names[number]}; {code}" if names[number] else code
        longer[number] = place.setdefault(name, len(place))
    changed: npt.NDArray[np.int32] = np.where(chosen, longer[codes], codes)
    return pd.Series(
        pd.Categorical.from_codes(changed, pd.Index(list(place), dtype="str")), index=repairs.index
    )


def repairs_with(repairs: pd.Series, code: str) -> pd.Series:
    """Which repairs have this code among them."""
    return pd.Series(having(repairs, [code]), index=repairs.index)


def having(words: pd.Series, codes: Collection[str]) -> npt.NDArray[np.bool_]:
    """Which entries of a category column of codes, as "one; another", have any of these among them."""
    has = [not set(codes).isdisjoint(name.split("; ")) for name in words.cat.categories]
    found: npt.NDArray[np.bool_] = np.array(has, np.bool_)[words.cat.codes.to_numpy()]
    return found


def written_out(repairs: pd.Series) -> pd.Series:
    """Repairs as texts instead of a category."""
    names = pa.array(repairs.cat.categories, pa.large_string())
    return text_series(names.take(pa.array(repairs.cat.codes.to_numpy()))).set_axis(repairs.index)


_LONGEST = 18
"""Digits that 64 bits can hold; a number in E.164 has 15 at most."""


def numbers_of(phones: pd.Series) -> npt.NDArray[np.int64]:
    """E.164 texts as numbers: +447400123456 is 447400123456; 0 for what is none."""
    digits = pc.fill_null(pc.ascii_ltrim(arrow_of(phones), "+"), "0")
    is_one = pc.and_(pc.ascii_is_decimal(digits), pc.less_equal(pc.binary_length(digits), _LONGEST))
    digits = pc.if_else(is_one, digits, "0")
    numbers: npt.NDArray[np.int64] = digits.cast(pa.int64()).to_numpy()
    return numbers


def subscribers_of(phones: pd.Series) -> npt.NDArray[np.int64]:
    """Whose phones these are, as numbers: those that a renumbering spelled in several ways are one."""
    return in_todays_spelling(numbers_of(phones))


def are_in(numbers: npt.NDArray[np.int64], known: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which numbers are among some that are sorted."""
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    place = np.searchsorted(known, numbers)  # takes no memory, as a hash table of millions would
    found: npt.NDArray[np.bool_] = known[np.minimum(place, len(known) - 1)] == numbers
    return found
