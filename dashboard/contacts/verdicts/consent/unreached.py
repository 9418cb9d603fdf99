"""Refusals that reach nobody: the row says no, and has no number by which the person would be kept out.

Perhaps the person is in the list under another number, in a row that says nothing: only a person can tell.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.verdicts.consent.consent import Said
from dashboard.contacts.verdicts.consent.numbers_beside import numbers_beside
from dashboard.contacts.verdicts.consent.sections import lone_lines
from dashboard.contacts.vocabulary.consent.refusal import Refusal

__all__ = ["count_unreached"]


def count_unreached(
    rows: pd.DataFrame,
    said: Said,
    frame: pd.DataFrame,
    columns: ColumnMap,
    country: str | None,
    below: npt.NDArray[np.int8],
) -> int:
    """How many rows refuse and have no readable number, of their own person; headings are no such rows.

    Args:
        rows: Verdicts; `number` holds the phone as a number, 0 where there is none.
        said: What the same rows say.
        frame: Their cells, all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
        below: What the headings above each row say; see `refused_below`.
    """
    numberless = (rows["number"].to_numpy() == 0) & (rows["other_phones"] == "").to_numpy(dtype=bool)
    suspects = np.flatnonzero(numberless & (said.refuses | (below != Refusal.NONE)))
    if not len(suspects):
        return 0
    cells = frame.iloc[suspects]
    lines = lone_lines(cells, columns)
    refuses = (said.refuses[suspects] & ~lines.headings) | lines.names  # a name below "Do not text:"
    refuses[numbers_beside(cells, columns, country).rows] = False
    return int(np.count_nonzero(refuses))
