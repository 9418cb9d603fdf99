"""Duplicates in a file, of which only one batch of rows is known at a time.

As in a whole sheet, the first row of a number that is beyond doubt is kept, or if there is none, the first in
review. That row may already be written when a better one comes: which row took over is remembered (there are
few), and the file is corrected at the end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.problems import Status
from dashboard.phones.first_rows import NEW, FirstRows

__all__ = ["KeptRows"]

Numbers = npt.NDArray[np.int64]


class KeptRows:
    """The row that is kept for each number."""

    def __init__(self, expected: int) -> None:
        self._ok = FirstRows(expected)
        self._review = FirstRows()
        self._takers: list[npt.NDArray[np.int64]] = []

    def kept_instead(self, rows: pd.DataFrame) -> Numbers:
        """For each row of the next batch, the row that is kept instead, as far as is known; or -1.

        Args:
            rows: Columns row, number and status.
        """
        numbers, row = rows["number"].to_numpy(), rows["row"].to_numpy()
        ok = np.flatnonzero((rows["status"] == Status.OK.value).to_numpy())
        review = np.flatnonzero((rows["status"] == Status.REVIEW.value).to_numpy())
        kept = np.full(len(rows), NEW, np.int64)
        kept[ok] = self._ok.note(numbers[ok], row[ok])
        first = ok[kept[ok] == NEW]
        taken = first[self._review.find(numbers[first]) != NEW]
        if len(taken):
            self._takers.append(np.stack([numbers[taken], row[taken]]))
        kept[review] = self._ok.find(numbers[review])
        left = review[kept[review] == NEW]
        kept[left] = self._review.note(numbers[left], row[left])
        return kept

    def takers(self) -> pd.Series:
        """The row that took over from rows in review before it, by number."""
        if not self._takers:
            return pd.Series(dtype="int64")
        numbers, rows = np.concatenate(self._takers, axis=1)
        return pd.Series(rows, index=numbers)
