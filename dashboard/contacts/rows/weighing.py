"""From evidence to verdicts: what is said against each row, in it or in any other with its numbers.

All that is said of a row is one number, with a bit for each of `REASONS`: a million rows are weighed at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import PROBLEM_DTYPE, among
from dashboard.contacts.problems import QUESTIONS, Problem, Status
from dashboard.contacts.rows.evidence import REASONS
from dashboard.contacts.rows.numbers_of_rows import all_numbers

__all__ = ["Refused", "weigh"]

Bits = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]
_CODES = np.array([PROBLEM_DTYPE.categories.get_loc(problem.value) for problem in REASONS], np.int8)
_BIT_OF = np.zeros(len(PROBLEM_DTYPE.categories), np.int32)
_BIT_OF[_CODES] = 1 << np.arange(len(REASONS), dtype=np.int32)
_LISTED, _OF_NUMBER = (
    np.int32(1 << REASONS.index(one)) for one in (Problem.ON_OPT_OUT_LIST, Problem.NUMBER_REFUSED)
)
_REFUSES = np.int32(1 << len(QUESTIONS))
"""The first bit of a refusal; those below it are questions."""


@dataclass(frozen=True, repr=False)
class Refused:
    """Numbers against which something is said, sorted, and what: a bit for each of `REASONS`."""

    numbers: Numbers
    bits: Bits

    @staticmethod
    def joined(parts: Iterable[pd.DataFrame], listed: Numbers) -> Refused:
        """What all parts of a list say, as `numbers_told` gives it, and the opt-out list."""
        numbers, bits = [listed], [np.full(len(listed), _LISTED, np.int32)]
        for part in parts:
            numbers.append(part["number"].to_numpy())
            bits.append(_BIT_OF[part["problem"].cat.codes.to_numpy()])
        unique, place = np.unique(np.concatenate(numbers), return_inverse=True)
        joined = np.zeros(len(unique), np.int32)
        np.bitwise_or.at(joined, place, np.concatenate(bits))
        return Refused(unique, joined)

    def said_of(self, numbers: Numbers) -> Bits:
        """What is said against each of some numbers."""
        if not len(self.numbers):
            return np.zeros(len(numbers), np.int32)
        place = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[place] == numbers, self.bits[place], np.int32(0))


def weigh(rows: pd.DataFrame, evidence: pd.DataFrame, refused: Refused) -> pd.DataFrame:
    """The verdicts with all that is said against texting each row, in it or in any other with its numbers.

    A person's refusal applies to every number in the row, and to every row that has one of these numbers,
    used or not: a "yes" elsewhere does not undo it, and it takes precedence over anything else about a
    number, whether it can be texted or has to be corrected. Open questions, such as a consent cell that says
    neither yes nor no, are left to a person, with all rows of that number; so they are where the number is
    doubted too.

    Args:
        rows: Verdicts so far; `number` holds the phone as a number, 0 where there is none.
        evidence: What the same rows say themselves.
        refused: What all rows of the list and the opt-out list say.

    Returns:
        The rows with their status, `problem`, the weightiest, and `problems`, all of them.
    """
    bits = _said_of(rows, evidence, refused)
    some = np.flatnonzero(bits)
    reason = np.full(len(rows), -1, np.int8)
    reason[some] = _CODES[np.log2(bits[some]).astype(np.intp)]
    out = (bits >= _REFUSES) & ~among(rows["status"], (Status.EMPTY.value,))
    ask = (bits > 0) & (bits < _REFUSES) & among(rows["status"], (Status.OK.value, Status.REVIEW.value))
    changed = pd.Series(pd.Categorical.from_codes(reason, dtype=PROBLEM_DTYPE), index=rows.index)
    return rows.assign(
        status=rows["status"].mask(out, Status.OPTED_OUT.value).mask(ask, Status.REVIEW.value),
        problem=rows["problem"].mask(out | ask, changed),
        problems=_all_problems(bits, rows["problem"]),
    )


def _said_of(rows: pd.DataFrame, evidence: pd.DataFrame, refused: Refused) -> Bits:
    bits = np.zeros(len(rows), np.int32)
    owner, numbers = all_numbers(rows)
    said = refused.said_of(numbers)
    used = np.count_nonzero(rows["number"].to_numpy())
    said[used:] &= ~_OF_NUMBER  # of a number that is not used: the row is texted at another
    some = np.flatnonzero(said)
    np.bitwise_or.at(bits, owner[some], said[some])
    own = evidence[(evidence["number"] == 0).to_numpy()]
    np.bitwise_or.at(bits, own["place"].to_numpy(), _BIT_OF[own["problem"].cat.codes.to_numpy()])
    return bits


def _all_problems(bits: Bits, doubts: pd.Series) -> pd.Series:
    """What is said of each row, the weightiest first, and then what is wrong with its number, as codes."""
    doubt = doubts.cat.codes.to_numpy()
    told = (bits.astype(np.int64) << 8) | (doubt + 1)
    some = np.flatnonzero(told)
    known, place = np.unique(told[some], return_inverse=True)
    names = [_named(int(one) >> 8, int(one) & 0xFF) for one in known]
    codes = np.zeros(len(bits), np.int32)
    codes[some] = place + 1
    return pd.Series(
        pd.Categorical.from_codes(codes, pd.Index(["", *names], dtype="str")), index=doubts.index
    )


def _named(bits: int, doubt: int) -> str:
    said = [problem.value for place, problem in enumerate(REASONS) if bits >> place & 1]
    return "; ".join([*reversed(said), *([PROBLEM_DTYPE.categories[doubt - 1]] if doubt else [])])
