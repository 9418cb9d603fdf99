"""Every number that a row has, used or not: what is said of a row holds for all of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import subscribers_of

__all__ = ["all_numbers", "spread"]

Numbers = npt.NDArray[np.int64]


def all_numbers(rows: pd.DataFrame) -> tuple[npt.NDArray[np.intp], Numbers]:
    """Every valid number of some rows, each with its row's position: first those used, then the others."""
    number = rows["number"].to_numpy()
    has_one = np.flatnonzero(number)
    others = rows["other_phones"].reset_index(drop=True)
    more = others[(others != "").to_numpy(dtype=bool)].str.split("; ").explode()
    owner = np.concatenate([has_one, more.index.to_numpy(dtype=np.intp)])
    return owner, np.concatenate([number[has_one], subscribers_of(more.astype("str"))])


def spread(evidence: pd.DataFrame, key: str, wanted: Numbers, beside: str, values: Numbers) -> pd.DataFrame:
    """Evidence, ordered by a column, for each of some wanted keys, with another column's value for each.

    Example:
        >>> entries = pd.DataFrame({"place": [0, 2], "number": 0, "problem": ["opted_out", "no_consent"]})
        >>> spread(entries, "place", np.array([2, 2]), "number", np.array([447400123456, 447400123457]))
           place        number     problem
        1      2  447400123456  no_consent
        1      2  447400123457  no_consent
    """
    keys = evidence[key].to_numpy()
    first, last = np.searchsorted(keys, wanted, "left"), np.searchsorted(keys, wanted, "right")
    each = last - first
    offset = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    return evidence.take(np.repeat(first, each) + offset).assign(**{beside: np.repeat(values, each)})
