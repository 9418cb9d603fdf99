"""`Telling`: a reason against texting some rows, and the cells in which it stands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dashboard.contacts.problems import Problem

__all__ = ["NO_CELL", "Places", "Telling"]

Places = npt.NDArray[np.intp]
NO_CELL = -1


class Telling(NamedTuple):
    """One problem of any number of rows, each told by a cell of one column.

    Attributes:
        problem: What the cells mean.
        column: The column that they stand in; None if it is said in no cell, but by the file's name, say.
        rows: The positions of the rows that have the problem.
        told_in: The positions of the rows in which it stands, one for each of `rows`: the same, or that of a
            line above; `NO_CELL` where there is none.
        numbers: The numbers that it is said of, one for each of `rows`, if not of the person; +447400123456
            is 447400123456.
        words: What says it, if it stands in no cell.
    """

    problem: Problem
    column: str | None
    rows: Places
    told_in: Places
    numbers: npt.NDArray[np.int64] | None = None
    words: str = ""

    @staticmethod
    def by(problem: Problem, column: str, rows: Places) -> Telling:
        """What cells of a column say of the rows that they are in."""
        return Telling(problem, column, rows, rows)
