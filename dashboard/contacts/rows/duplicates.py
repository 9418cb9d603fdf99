"""Rows that share a number: one is kept, the others point to it."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import among, noted
from dashboard.contacts.problems import Problem, Status

__all__ = ["are_counted", "kept_instead", "marked", "with_duplicates"]

Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


def with_duplicates(rows: pd.DataFrame, keep: Literal["first", "last", "warn"]) -> pd.DataFrame:
    """Verdicts with every row that repeats a number marked, see `marked`.

    Args:
        rows: Verdicts so far, with row, number (the phone as one), status, problem and problems.
        keep: Which of several equal rows to keep; with "warn" all of them, those after the first in review.
    """
    places = np.flatnonzero(are_counted(rows))
    places = places[::-1] if keep == "last" else places
    counted = rows.iloc[places]
    kept = kept_instead(counted["number"].to_numpy(), among(counted["status"], (Status.OK.value,)))
    repeats, number = kept >= 0, rows["row"].to_numpy()
    status = Status.REVIEW if keep == "warn" else Status.DUPLICATE
    return marked(rows, places[repeats], number[places[kept[repeats]]], status)


def are_counted(rows: pd.DataFrame) -> Mask:
    """Which rows may repeat a number: those that have one, and are ok or in review."""
    may_be_texted = among(rows["status"], (Status.OK.value, Status.REVIEW.value))
    counted: Mask = may_be_texted & (rows["number"] != 0).to_numpy()
    return counted


def kept_instead(numbers: Numbers, are_ok: Mask) -> Numbers:
    """For each row the place of the one that is kept instead, or -1: the first that is ok, else the first.

    Args:
        numbers: The phones as numbers, in the order in which rows are kept.
        are_ok: Which rows have the status ok; the others are in review.
    """
    order = np.concatenate([np.flatnonzero(are_ok), np.flatnonzero(~are_ok)])
    same, distinct = pd.factorize(numbers[order])
    first = np.empty(len(distinct), np.int64)
    first[same[::-1]] = order[::-1]  # of several places the last that is written stays
    kept = np.empty(len(numbers), np.int64)
    kept[order] = first[same]
    return np.where(kept == np.arange(len(numbers)), -1, kept)


def marked(
    rows: pd.DataFrame, places: Numbers, kept: Numbers, verdict: Status = Status.DUPLICATE
) -> pd.DataFrame:
    """Verdicts with duplicates marked.

    Args:
        rows: Verdicts so far.
        places: The places of the rows that repeat a number.
        kept: The row that is kept instead of each.
        verdict: The status they get; for review, only rows that are ok so far get it.
    """
    repeats = np.zeros(len(rows), np.bool_)
    repeats[places] = True
    changed = repeats
    if verdict is Status.REVIEW:  # a row already in review for another reason keeps that reason
        changed = repeats & among(rows["status"], (Status.OK.value,))
    instead = np.zeros(len(rows), np.int64)
    instead[places] = kept
    return rows.assign(
        status=rows["status"].mask(changed, verdict.value),
        problem=rows["problem"].mask(changed, Problem.DUPLICATE.value),
        problems=noted(rows["problems"], pd.Series(repeats), Problem.DUPLICATE.value),
        duplicate_of=pd.arrays.IntegerArray(instead, ~repeats),
    )
