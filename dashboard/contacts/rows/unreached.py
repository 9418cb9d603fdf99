"""Refusals that reach nobody: the row says no, and has no number by which the person would be kept out.

Perhaps the person is in the list under another number, in a row that says nothing: only a person can tell.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dashboard.contacts.arrow.distinct import where
from dashboard.contacts.categories import among
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import Problem
from dashboard.contacts.refusals.heading_rows import heading_rows
from dashboard.contacts.refusals.numbers_beside import numbers_beside
from dashboard.contacts.rows.evidence import ANSWERS
from dashboard.contacts.words.headings import Heading
from dashboard.contacts.words.refusal import refusal_in

__all__ = ["count_unreached"]


def count_unreached(
    rows: pd.DataFrame,
    evidence: pd.DataFrame,
    frame: pd.DataFrame,
    columns: ColumnMap,
    country: str | None,
) -> int:
    """How many rows refuse and have no readable number, of their own person; headings are no such rows.

    A line that may refuse among other words is one: "Bo has opted out".

    Args:
        rows: Verdicts; `number` holds the phone as a number, 0 where there is none.
        evidence: What is said of the same rows.
        frame: Their cells, all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
    """
    numberless = (rows["number"].to_numpy() == 0) & (rows["other_phones"] == "").to_numpy(dtype=bool)
    of_rows = evidence[(evidence["number"] == 0).to_numpy()]
    places = of_rows["place"].to_numpy()
    refuses, is_below, heard = np.zeros((3, len(rows)), np.bool_)
    refuses[places[among(of_rows["problem"], ANSWERS)]] = True
    is_below[places[of_rows["source_row"].to_numpy() != rows["row"].to_numpy()[places]]] = True
    noted = of_rows[among(of_rows["problem"], (Problem.REFUSAL_NOTED,)) & numberless[places]]
    heard[noted["place"].to_numpy()[where(noted["words"], refusal_in)]] = True
    suspects = np.flatnonzero(numberless & (refuses | is_below | heard))
    if not len(suspects):
        return 0
    cells, headings = frame.iloc[suspects], np.full(len(suspects), Heading.NOTHING, np.int8)
    for row in heading_rows(cells, columns):
        headings[row.place] = row.heading
    may_be_person = np.isin(headings, (Heading.NOTHING, Heading.UNKNOWN))
    lost = (refuses[suspects] & may_be_person) | (headings == Heading.UNKNOWN)  # below "Do not text:"
    lost |= heard[suspects] & (headings == Heading.MENTIONS)
    lost[numbers_beside(cells, columns, country, among_words=True).rows] = False
    return int(np.count_nonzero(lost))
