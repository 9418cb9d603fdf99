"""Who must not be texted: what the sheet's cells say, and the opt-out list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.arrow.distinct import where
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import QUESTIONS, Problem, Status
from dashboard.contacts.read.marks import strikes_out, struck_column
from dashboard.contacts.verdicts.categories import are_in, no_problems, numbers_of
from dashboard.contacts.verdicts.consent.heard import heard_in
from dashboard.contacts.verdicts.consent.numbers_beside import numbers_beside
from dashboard.contacts.verdicts.consent.said_below import said_below
from dashboard.contacts.vocabulary.consent.refusal import Refusal

__all__ = ["Refusals", "Said", "apply_consent", "refusals_of", "what_rows_say"]

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
_ANSWERS = (Problem.NO_CONSENT, Problem.OPTED_OUT)
_REASONS = (*QUESTIONS, Problem.NUMBER_REFUSED, *_ANSWERS, Problem.ON_OPT_OUT_LIST)
"""If there are several, the last counts."""
_SAID = (*(problem for problem in QUESTIONS if problem is not Problem.BESIDE_REFUSER), *_ANSWERS)


@dataclass(frozen=True)
class Said:
    """What each row's own cells say.

    Attributes:
        rows: By problem; those rows are True.
        numbers: Numbers that are refused, and not the people who have them.
    """

    rows: dict[Problem, Mask]
    numbers: Numbers = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def refuses(self) -> Mask:
        """Rows that say no."""
        said: Mask = np.logical_or.reduce([self.rows[problem] for problem in _ANSWERS])
        return said

    def of(self, rows: Mask) -> Said:
        """What some of the rows say."""
        return Said({problem: said[rows] for problem, said in self.rows.items()}, self.numbers)

    @property
    def any(self) -> Mask:
        """Rows that say anything other than yes."""
        said: Mask = np.logical_or.reduce(list(self.rows.values()))
        return said


@dataclass(frozen=True)
class Refusals:
    """The numbers of people who must not be texted, or not before somebody has looked, by problem."""

    numbers: dict[Problem, Numbers]

    @staticmethod
    def joined(parts: Iterable[dict[Problem, Numbers]], listed: Numbers) -> Refusals:
        """The refusals of all parts of a sheet, and of the opt-out list."""
        found: dict[Problem, list[Numbers]] = {problem: [] for problem in _REASONS}
        found[Problem.ON_OPT_OUT_LIST].append(listed)
        for part in parts:
            for problem, numbers in part.items():
                found[problem].append(numbers)
        nothing = np.empty(0, np.int64)
        return Refusals(
            {problem: np.unique(np.concatenate([nothing, *some])) for problem, some in found.items()}
        )

    def hold(self, problem: Problem, numbers: Numbers) -> Mask:
        """Which numbers somebody refused for this reason."""
        return are_in(numbers, self.numbers[problem])


def what_rows_say(
    frame: pd.DataFrame, columns: ColumnMap, below: npt.NDArray[np.int8], country: str | None
) -> Said:
    """What the cells of each row say: answers in the columns meant for them, refusals in all others.

    A row is asked about if its workbook strikes out all of it, one of its phones, or its consent.

    Args:
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
        below: What the headings above each row say; see `refused_below`.
        country: ISO 3166 country of numbers without a country code.
    """
    heard = heard_in(frame, columns, country)
    said = {problem: np.zeros(len(frame), np.bool_) for problem in _SAID}
    for problem, column, tells in said_below(columns):
        said[problem] |= where(frame[column], tells).to_numpy()
    struck = struck_column(frame.columns)
    if struck is not None:
        is_struck = partial(strikes_out, columns=(*columns.phones, *columns.consents))
        said[Problem.STRUCK_OUT] |= where(frame[struck], is_struck).to_numpy()
    said[Problem.REFUSAL_NOTED] |= heard.held | (below == Refusal.HELD)
    said[Problem.OPTED_OUT] |= heard.said | (below == Refusal.SAID)
    return Said(said, heard.numbers)


def refusals_of(
    rows: pd.DataFrame, said: Said, frame: pd.DataFrame, columns: ColumnMap, country: str | None
) -> dict[Problem, Numbers]:
    """All numbers of the rows that refuse, including unused ones, by reason.

    A number that a refusing row lists as somebody else's, "Emergency contact phone", is an open question:
    that person said nothing, but the header may be wrong.

    Args:
        rows: Verdicts so far; `number` holds the phone as a number, 0 where there is none.
        said: What the same rows say.
        frame: Their cells, all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
    """
    found, others = {}, [np.empty(0, np.int64)]
    for problem, stated in said.rows.items():
        if not stated.any():
            found[problem] = np.empty(0, np.int64)
            continue
        _owner, numbers = _all_numbers(rows[stated])
        if problem in _ANSWERS:
            beside = numbers_beside(frame[stated], columns, country)
            numbers = np.concatenate([numbers, beside.own])
            others.append(beside.of_others)
        found[problem] = np.unique(numbers)
    beside_refusers = np.unique(np.concatenate(others))
    return {**found, Problem.BESIDE_REFUSER: beside_refusers, Problem.NUMBER_REFUSED: said.numbers}


def apply_consent(rows: pd.DataFrame, said: Said, refusals: Refusals) -> pd.DataFrame:
    """Set status opted_out wherever the number or its owner refused, in this row or in any other.

    A person's refusal applies to every number in the row, and to every row that has one of these numbers,
    used or not: a "yes" elsewhere does not undo it, and it takes precedence over anything else about a
    number, whether it can be texted or has to be corrected. Open questions, such as a consent cell that says
    neither yes nor no, or a number that a person who refuses lists as somebody else's, are left to a person,
    with all rows of that number.

    Args:
        rows: Verdicts so far; `number` holds the phone as a number, 0 where there is none.
        said: What the same rows say themselves.
        refusals: What all rows of the sheet and the opt-out list say.
    """
    owner, numbers = _all_numbers(rows)
    reason = no_problems(rows.index)
    for problem in _REASONS:
        of_person = said.rows.get(problem, np.zeros(len(rows), np.bool_)).copy()
        if problem is Problem.NUMBER_REFUSED:  # whoever has another number is texted there
            of_person |= refusals.hold(problem, rows["number"].to_numpy())
        else:
            of_person[owner[refusals.hold(problem, numbers)]] = True
        if of_person.any():
            reason = reason.mask(of_person, problem.value)
    is_question = reason.isin([problem.value for problem in QUESTIONS])
    out = reason.notna() & ~is_question & (rows["status"] != Status.EMPTY.value)
    ask = is_question & (rows["status"] == Status.OK.value)
    return rows.assign(
        status=rows["status"].mask(out, Status.OPTED_OUT.value).mask(ask, Status.REVIEW.value),
        problem=rows["problem"].mask(out | ask, reason),
    )


def _all_numbers(rows: pd.DataFrame) -> tuple[npt.NDArray[np.int64], Numbers]:
    """Every valid number of some rows, including unused ones, each with its row's position."""
    number = rows["number"].to_numpy()
    has_one = np.flatnonzero(number)
    others = rows["other_phones"].reset_index(drop=True)
    more = others[(others != "").to_numpy(dtype=bool)].str.split("; ").explode()
    owner = np.concatenate([has_one, more.index.to_numpy(dtype=np.int64)])
    return owner, np.concatenate([number[has_one], numbers_of(more.astype("str"))])
