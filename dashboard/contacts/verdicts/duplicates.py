"""Rows that share a number: one is kept, the others point to it."""

from __future__ import annotations

from typing import Literal

import pandas as pd

from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.verdicts.categories import among, noted

__all__ = ["marked", "with_duplicates"]


def with_duplicates(rows: pd.DataFrame, keep: Literal["first", "last", "warn"]) -> pd.DataFrame:
    """Verdicts in their final form, see `marked`, with every row that repeats a number marked.

    Args:
        rows: Verdicts so far, with row, number (the phone as one) and status.
        keep: Which of several equal rows to keep; with "warn" all of them, those after the first in review.
    """
    kept = _duplicate_of(rows, "last" if keep == "last" else "first")
    return marked(rows, kept, Status.REVIEW if keep == "warn" else Status.DUPLICATE)


def _duplicate_of(rows: pd.DataFrame, keep: Literal["first", "last"]) -> pd.Series:
    """The row number that is kept instead, for rows that repeat a number; missing for all others.

    Only rows with status ok or review count. A row that is ok is kept before one in review.

    Args:
        rows: Columns row, number (the phone as one), status.
        keep: Which of several equal rows to keep.
    """
    counted = rows[["row", "number", "status"]][among(rows["status"], ("ok", "review"))]
    counted = counted[counted["number"].duplicated(keep=False)]
    if counted.empty:
        return pd.Series(pd.NA, index=rows.index, dtype="Int64")
    ordered = counted if keep == "first" else counted[::-1]
    ordered = pd.concat([ordered[ordered["status"] == "ok"], ordered[ordered["status"] != "ok"]])
    kept = ordered.drop_duplicates("number").set_index("number")["row"]
    kept_row = kept.reindex(counted["number"]).set_axis(counted.index)
    return kept_row[kept_row != counted["row"]].reindex(rows.index).astype("Int64")


def marked(rows: pd.DataFrame, kept: pd.Series, verdict: Status = Status.DUPLICATE) -> pd.DataFrame:
    """Verdicts in their final form: duplicates marked, and details of a number only where there is one.

    Args:
        rows: Verdicts so far.
        kept: The row that is kept instead of each; missing for rows that are not duplicates.
        verdict: The status they get; for review, only rows that are ok so far get it.
    """
    repeated = kept.notna()
    if verdict is Status.REVIEW:  # a row already in review for another reason keeps that reason
        repeated &= rows["status"] == Status.OK.value
    has_one = rows["phone"].notna()
    return rows.assign(
        status=rows["status"].mask(repeated, verdict.value),
        problem=rows["problem"].mask(repeated, Problem.DUPLICATE.value),
        problems=noted(rows["problems"], kept.notna(), Problem.DUPLICATE.value),
        line_type=rows["line_type"].where(has_one),
        country=rows["country"].where(has_one),
        duplicate_of=kept,
    )
