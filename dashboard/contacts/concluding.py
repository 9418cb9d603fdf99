"""The last verdicts on a list, once it is known what all of its rows say; or on several lists as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pandas as pd

from dashboard.contacts.contact_list import Cleaning, Keep
from dashboard.contacts.problems import Problem
from dashboard.contacts.schema import SCHEMAS
from dashboard.contacts.verdicts.categories import concatenated, written_out
from dashboard.contacts.verdicts.consent.consent import (
    Numbers,
    Refusals,
    Said,
    apply_consent,
    refusals_of,
    what_rows_say,
)
from dashboard.contacts.verdicts.consent.unreached import count_unreached
from dashboard.contacts.verdicts.duplicates import with_duplicates
from dashboard.contacts.verdicts.row.judgement import doubt_sequences

__all__ = ["Heard", "conclude", "hear"]


@dataclass(frozen=True)
class Heard:
    """What one list says.

    Attributes:
        rows: Verdicts on its rows, each by itself.
        said: What the rows say.
        refusals: Numbers that they refuse, by reason.
        unreached: How many rows refuse and have no readable number.
    """

    rows: pd.DataFrame
    said: Said
    refusals: dict[Problem, Numbers]
    unreached: int


def hear(judged: pd.DataFrame, frame: pd.DataFrame, how: Cleaning) -> Heard:
    """Listen to the rows of one list.

    Args:
        judged: Verdicts as `judge_rows` gives them, with `below`.
        frame: The rows' cells, all columns.
        how: How the list is cleaned.
    """
    rows, below = doubt_sequences(judged), judged["below"].to_numpy()
    said = what_rows_say(frame, how.columns, below, how.country)
    refusals = refusals_of(rows, said, frame, how.columns, how.country)
    unreached = count_unreached(rows, said, frame, how.columns, how.country, below)
    return Heard(rows, said, refusals, unreached)


def conclude(lists: Sequence[Heard], opt_outs: Numbers, keep: Keep) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The verdicts on the rows of all lists, each list below the one before.

    Args:
        lists: What each list says; their rows have different row numbers. A refusal in one counts in all.
        opt_outs: Numbers that must not be texted.
        keep: Which of several rows with the same number is kept.

    Returns:
        The rows as `ContactList.rows` has them, counted from 0; and the status and problem that each has
        apart from duplicates.
    """
    refusals = Refusals.joined([one.refusals for one in lists], opt_outs)
    rows = concatenated([apply_consent(one.rows, one.said, refusals) for one in lists])
    rows = rows.reset_index(drop=True)
    finished = with_duplicates(rows, keep).assign(repairs=written_out(rows["repairs"]))
    names = [column.name for column in SCHEMAS["ContactList.rows"]]
    return finished[names], rows[["status", "problem"]]


def all_opt_outs(lists: Sequence[Cleaning]) -> Numbers:
    """The numbers on the opt-out lists of several lists."""
    return reduce(np.union1d, (how.opt_outs for how in lists))
