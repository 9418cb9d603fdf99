"""A +1 before a number of the row's own country: programs put it before every number that has no code.

The number with it may be somebody's in North America, so neither is texted before a person has looked.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import among
from dashboard.contacts.line_types import TEXTABLE
from dashboard.contacts.numbers.renumbered import JUDGED, judged_today
from dashboard.contacts.problems import Problem
from dashboard.phones.library import NORTH_AMERICA

__all__ = ["from_north_america", "with_home_readings"]


def from_north_america(country: pd.Series, home: pd.Series) -> npt.NDArray[np.bool_]:
    """Which numbers are North American in rows of a country elsewhere.

    Args:
        country: Of each number, a category.
        home: Of each row, a category, missing where unknown.
    """
    return among(country, NORTH_AMERICA) & _is_abroad(home)


def _is_abroad(home: pd.Series) -> npt.NDArray[np.bool_]:
    return among(home, set(home.cat.categories) - NORTH_AMERICA)


def with_home_readings(numbers: pd.DataFrame) -> pd.DataFrame:
    """Numbers, with another row for each +1 number that, without the +1, is one to text at home.

    Both are for a person to look at.

    Args:
        numbers: As `parse` returns them, on an index of 0, 1, 2 ...
    """
    begins = numbers["digits"].str.startswith("1") & numbers["text"].str.contains("+", regex=False)
    some = numbers[begins.to_numpy(dtype=bool) & _is_abroad(numbers["home"])]
    rest = some["digits"].str.slice(1)
    judged = judged_today(rest, some["home"])
    judged = judged[judged["valid"] & among(judged["line_type"], TEXTABLE)]
    if judged.empty:
        return numbers
    again = some.loc[judged.index].assign(text=rest, digits=rest, **{name: judged[name] for name in JUDGED})
    doubted = numbers.index.isin(again.index) & numbers["doubt"].isna()
    numbers = numbers.assign(doubt=numbers["doubt"].mask(doubted, Problem.PLUS_ONE.value))
    again = again.assign(doubt=again["doubt"].mask(np.ones(len(again), np.bool_), Problem.PLUS_ONE.value))
    return pd.concat([numbers, again], ignore_index=True)
