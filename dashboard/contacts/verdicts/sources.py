"""Which columns a row's problem comes from, in sentences such as "Look in “Notes”".

They name columns, never what stands there.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import QUESTIONS, Problem
from dashboard.contacts.verdicts.consent.heard import columns_heard
from dashboard.contacts.verdicts.consent.said_below import said_below
from dashboard.words import _

__all__ = ["where_to_look"]

_BY_COUNTRY = [Problem.OTHER_COUNTRY.value, Problem.COUNTRY_UNCLEAR.value]
_OF_ROW = {
    *(Problem.NO_NUMBER, Problem.TOTALS_ROW, Problem.DUPLICATE),
    *(*QUESTIONS, Problem.OPTED_OUT, Problem.NO_CONSENT, Problem.ON_OPT_OUT_LIST),
}
"""Problems of the row, or known from elsewhere, rather than of what is in its phone cell."""
_OF_CELL = [problem.value for problem in Problem if problem not in _OF_ROW]


def where_to_look(rows: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap) -> pd.Series:
    """What to add to each row's reason, "" where nothing, on the index of `rows`.

    Args:
        rows: As `ContactList.rows` has them.
        frame: The same rows' cells, all columns.
        columns: Which columns hold what.
    """
    problems = rows["problem"].astype("str")
    said = np.full(len(rows), "", object)
    for problem in QUESTIONS:
        here = (problems == problem.value).to_numpy(dtype=bool)
        said[here] = [_look_in(names) for names in _asking(problem, frame[here], columns)]
    if len(columns.phones) > 1:
        here = problems.isin(_OF_CELL).to_numpy(dtype=bool)
        said[here] = list(map(_number_in, _columns_of(frame[here], rows["raw_phone"][here], columns)))
    if columns.country is not None:
        stated = frame[columns.country].str.strip() != ""
        said[problems.isin(_BY_COUNTRY).to_numpy() & stated.to_numpy(dtype=bool)] += " " + _(
            "The country is from the column {column}."
        ).format(column=f"“{columns.country}”")
    return pd.Series(said, index=rows.index, dtype="str")


def _asking(problem: Problem, cells: pd.DataFrame, columns: ColumnMap) -> list[list[str]]:
    """The columns that are why each row has this problem; none where another row is."""
    told = [one for one in said_below(columns) if one.problem is problem]
    here = [
        [one.column for one in told if one.tells(str(row[one.column]))] for _place, row in cells.iterrows()
    ]
    heard = columns_heard(cells, columns) if problem is Problem.REFUSAL_NOTED else [[] for _row in here]
    return [list(dict.fromkeys(names)) for names in map(list.__add__, heard, here)]


def _columns_of(cells: pd.DataFrame, used: pd.Series, columns: ColumnMap) -> list[str]:
    """The first phone column that holds the cell which was used; "" where it was corrected since."""
    listed = [(name, (cells[name] == used).tolist()) for name in columns.phones]
    return [next((name for name, same in listed if same[place]), "") for place in range(len(cells))]


def _look_in(names: list[str]) -> str:
    if not names:
        return ""
    return " " + _("Look in {columns}.").format(columns=", ".join(f"“{name}”" for name in names))


def _number_in(name: str) -> str:
    return " " + _("The number is in the column {column}.").format(column=f"“{name}”") if name else ""
