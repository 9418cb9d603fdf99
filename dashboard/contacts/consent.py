"""Who must not be texted: what the sheet's consent and opt-out columns say, and the opt-out list."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.answers import opted_out, says_yes
from dashboard.contacts.codes import no_problems, numbers_of
from dashboard.contacts.columns import ColumnMap
from dashboard.contacts.distinct import where
from dashboard.contacts.problems import Problem, Status

__all__ = ["apply_consent"]

_TEXTABLE = [Status.OK.value, Status.REVIEW.value]


def apply_consent(
    rows: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap, opt_outs: npt.NDArray[np.int64]
) -> pd.DataFrame:
    """Set status opted_out wherever the number or its owner refused, in this row or in any other.

    A person's refusal holds for every number in the row, and in every row that has one of these numbers:
    a "yes" elsewhere does not undo it. A consent cell that says neither yes nor no is left to a person.

    Args:
        rows: Verdicts so far; `number` holds the phone as a number, 0 where there is none.
        frame: The sheet's cells, on the same index.
        columns: Which of them hold consent and opt-outs.
        opt_outs: Numbers on the opt-out list.
    """
    said_no, opted, unclear = _said_in_sheet(frame, columns)
    reason = no_problems(rows.index)
    for stated, problem in ((said_no, Problem.NO_CONSENT), (opted, Problem.OPTED_OUT)):
        of_person = stated | rows["number"].isin(_numbers_of(rows[stated]))
        reason = reason.mask(of_person, problem.value)
    reason = reason.mask(rows["number"].isin(opt_outs), Problem.ON_OPT_OUT_LIST.value)
    out = rows["status"].isin(_TEXTABLE) & reason.notna()
    ask = unclear & ~out & (rows["status"] == Status.OK.value)
    return rows.assign(
        status=rows["status"].mask(out, Status.OPTED_OUT.value).mask(ask, Status.REVIEW.value),
        problem=rows["problem"].mask(out, reason).mask(ask, Problem.CONSENT_UNCLEAR.value),
    )


def _said_in_sheet(frame: pd.DataFrame, columns: ColumnMap) -> tuple[pd.Series, pd.Series, pd.Series]:
    """Whether each row says no to consent, says that the person opted out, or says neither yes nor no."""
    nobody = pd.Series(data=False, index=frame.index)
    said_no, unclear, opted = nobody, nobody, nobody
    for column in columns.consents:
        said_no = said_no | where(frame[column], lambda cell: says_yes(cell) is False)
        unclear = unclear | where(frame[column], lambda cell: says_yes(cell) is None)
    for column in columns.opt_outs:
        opted = opted | where(frame[column], opted_out)
    return said_no, opted, unclear


def _numbers_of(rows: pd.DataFrame) -> npt.NDArray[np.int64]:
    """All numbers of some rows, those that are not used as well."""
    others = rows["other_phones"][rows["other_phones"] != ""].str.split("; ").explode().astype("str")
    numbers: npt.NDArray[np.int64] = np.union1d(rows["number"].to_numpy(), numbers_of(others))
    known: npt.NDArray[np.int64] = numbers[numbers != 0]
    return known
