"""A verdict on each row of a batch, from its phone and without a second look.

`clean_contacts` repairs what people and spreadsheets do to a cell, which takes 12 to 20 µs a cell. Here a row
is ok only when nothing had to be understood: digits, blanks and - . ( ) with at most one plus sign before
them. A valid number in any other text (an extension, letters, several numbers, a date) is left to a person.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from dashboard.contacts.codes import PROBLEM_DTYPE, STATUS_DTYPE
from dashboard.contacts.made_up import is_in_sequence, is_test_number
from dashboard.contacts.phones import clean_phones
from dashboard.contacts.problems import LINE_TYPE_PROBLEMS, PARSE_PROBLEMS, Problem, Status
from dashboard.contacts.repair import means_no_number, repair

__all__ = ["NO_PROBLEM", "BatchVerdict", "judge_batch", "numbers_of", "problem_code", "status_code"]

Array = npt.NDArray[Any]

NO_PROBLEM = -1
_PLAIN = r"^\+?[0-9 .()-]+$"
_AMBIGUOUS = (  # plain signs, but perhaps two numbers, a decimal or a date
    r"[0-9]  +0|^\+?[0-9]{6,15}\.0+$|^\(?[0-9]+\.[0-9]+$|^\+0\.[0-9]+$|^[^0-9]*\.[0-9]"
    r"|^[0-9]{4}[-.][0-9]{1,2}[-.][0-9]{1,2}$|^[0-9]{1,2}[-.][0-9]{1,2}[-.](?:19|20)[0-9]{2}$"
)
_NO_WORD = r"[0-9].*[0-9]|^.{40}"
_TAILS = 10**6
_SUSPICIOUS_TAILS = np.zeros(_TAILS, np.bool_)  # of fillers and rounded numbers: repeated or counting digits
_SUSPICIOUS_TAILS[[*range(0, _TAILS, 111_111), 456_789, 567_890, 543_210]] = True


def status_code(status: Status) -> int:
    """The status in the arrays of a verdict."""
    return STATUS_DTYPE.categories.tolist().index(status.value)


def problem_code(problem: Problem) -> int:
    """The problem in the arrays of a verdict."""
    return PROBLEM_DTYPE.categories.tolist().index(problem.value)


@dataclass
class BatchVerdict:
    """The verdict on some rows, column by column.

    Attributes:
        phones: What `clean_phones` says of the rows.
        status: Code of each row's status.
        problem: Code of each row's problem, NO_PROBLEM for none.
        number: The phone of each row as a number; 0 unless its status is ok or review.
    """

    phones: pd.DataFrame
    status: Array
    problem: Array
    number: Array

    def set(self, where: Array, status: Status, problem: Problem) -> None:
        """Give rows a status and a problem."""
        self.status[where] = status_code(status)
        self.problem[where] = problem_code(problem)

    def doubt(self, where: Array, problem: Problem) -> None:
        """Leave rows that are ok so far to a person."""
        self.set(where & (self.status == status_code(Status.OK)), Status.REVIEW, problem)

    def doubt_made_up(self, before: Array, after: Array) -> None:
        """Leave test numbers to a person, and runs of made-up ones.

        Args:
            before: The last numbers of the rows before these.
            after: The first numbers of the rows after these.
        """
        rows = np.flatnonzero(self.number)
        numbers = self.number[rows]
        in_sequence = is_in_sequence(np.concatenate([before, numbers, after]))
        for is_so, problem in (
            (is_test_number(numbers), Problem.TEST_NUMBER),
            (in_sequence[len(before) : len(before) + len(rows)], Problem.MADE_UP_SEQUENCE),
        ):
            doubtful = np.zeros(len(self.number), np.bool_)
            doubtful[rows] = is_so
            self.doubt(doubtful, problem)


def judge_batch(
    texts: pa.Array, country: str | pd.Series | None, line_types: Collection[str]
) -> BatchVerdict:
    """Judge phone cells.

    Args:
        texts: The cells, large strings.
        country: Country of numbers without a country code: one for all, one for each, or None.
        line_types: Line types to text, in the contract's words.
    """
    phones = clean_phones(pd.Series(texts, dtype=pd.ArrowDtype(pa.large_string())), country)
    line_type = phones["line_type"].cat
    wanted = np.isin(line_type.categories, list(line_types))[line_type.codes] & phones["valid"].to_numpy()
    verdict = BatchVerdict(
        phones=phones,
        status=np.where(wanted, status_code(Status.OK), status_code(Status.INVALID)).astype(np.int8),
        problem=_problems(phones, wanted),
        number=np.zeros(len(texts), np.int64),
    )
    verdict.number[wanted] = numbers_of(pa.array(phones["phone"].array).filter(pa.array(wanted)))
    verdict.doubt(_is_unusual(texts, phones, wanted), Problem.UNUSUAL_SPELLING)
    _look_closer(verdict, texts, np.flatnonzero(wanted & _SUSPICIOUS_TAILS[verdict.number % _TAILS]))
    verdict.set(_says_none(texts, phones), Status.EMPTY, Problem.NO_NUMBER)
    return verdict


def _says_none(texts: pa.Array, phones: pd.DataFrame) -> Array:
    """Which cells are blank or say that there is no number, as "n/a" does."""
    rows = np.flatnonzero(~phones["valid"].to_numpy())
    invalid = pc.utf8_trim_whitespace(texts.take(pa.array(rows)))
    is_word = pc.invert(pc.match_substring_regex(invalid, _NO_WORD))
    rows = rows[is_word.to_numpy(zero_copy_only=False)]
    words = invalid.filter(is_word).dictionary_encode()
    says_so = np.array([means_no_number(word) for word in words.dictionary.to_pylist()], np.bool_)
    none = np.zeros(len(texts), np.bool_)
    none[rows] = says_so[words.indices.to_numpy()]
    return none


def numbers_of(phones: pa.Array) -> Array:
    """E.164 texts as numbers: +447400123456 is 447400123456."""
    numbers: Array = pc.utf8_slice_codeunits(phones, 1).cast(pa.int64()).to_numpy(zero_copy_only=False)
    return numbers


def _problems(phones: pd.DataFrame, wanted: Array) -> Array:
    """Codes of what is wrong with a phone: what the library says, or that its line is not to be texted."""
    line_type, parse_problem = phones["line_type"].cat, phones["problem"].cat
    of_line_type = np.array(
        [problem_code(LINE_TYPE_PROBLEMS[word]) for word in line_type.categories], np.int8
    )
    of_parse_problem = np.array(
        [problem_code(PARSE_PROBLEMS[word]) for word in parse_problem.categories], np.int8
    )
    problem = np.where(phones["valid"], of_line_type[line_type.codes], of_parse_problem[parse_problem.codes])
    problem[wanted] = NO_PROBLEM
    return problem


def _is_unusual(texts: pa.Array, phones: pd.DataFrame, wanted: Array) -> Array:
    """Which wanted numbers stand in a text that is more than a number; E.164 is none, most of a big file."""
    is_e164 = pc.fill_null(pc.equal(texts, pa.array(phones["phone"].array)), fill_value=False)
    rows = np.flatnonzero(wanted & ~is_e164.to_numpy(zero_copy_only=False))
    some = texts.take(pa.array(rows))
    is_plain = pc.and_not(pc.match_substring_regex(some, _PLAIN), pc.match_substring_regex(some, _AMBIGUOUS))
    unusual = np.zeros(len(texts), np.bool_)
    unusual[rows] = pc.invert(is_plain).to_numpy(zero_copy_only=False)
    return unusual


def _look_closer(verdict: BatchVerdict, texts: pa.Array, rows: Array) -> None:
    """Ask the rules of whole sheets about numbers that look like fillers or rounded: one in 77,000."""
    for row in rows:
        cell = repair(texts[row].as_py())[0]
        if cell.problem is not None:
            verdict.set(row, Status.INVALID, cell.problem)
        elif cell.doubt is not None:
            verdict.set(row, Status.REVIEW, cell.doubt)
    verdict.number[rows[verdict.status[rows] == status_code(Status.INVALID)]] = 0
