"""The last verdicts on a list, once it is known what all of its rows say; or on several lists as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.contact_list import Cleaning, Keep
from dashboard.contacts.schema import SCHEMAS
from dashboard.contacts.verdicts.categories import concatenated, written_out
from dashboard.contacts.verdicts.consent.evidence import numbers_told
from dashboard.contacts.verdicts.consent.telling import NO_CELL
from dashboard.contacts.verdicts.consent.unreached import count_unreached
from dashboard.contacts.verdicts.consent.weighing import Refused, weigh
from dashboard.contacts.verdicts.duplicates import with_duplicates
from dashboard.contacts.verdicts.row.judgement import doubt_sequences

__all__ = ["Heard", "all_opt_outs", "conclude"]

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Heard:
    """A list and what it says.

    Attributes:
        judged: Verdicts on its rows, each by itself, as `judge_rows` gives them.
        evidence: What is said of them.
        frame: The rows' cells, all columns.
        how: How the list is cleaned.
    """

    judged: pd.DataFrame
    evidence: pd.DataFrame
    frame: pd.DataFrame
    how: Cleaning

    def told(self) -> pd.DataFrame:
        """The evidence by number."""
        return self._by_number(self.evidence)

    def unreached(self) -> int:
        """How many rows refuse and have no readable number."""
        columns, country = self.how.columns, self.how.country
        return count_unreached(self.judged, self.evidence, self.frame, columns, country)

    def only(self, shown: npt.NDArray[np.bool_]) -> Heard:
        """Some of the rows; what the others say still holds for their numbers."""
        if shown.all():
            return self
        place = self.evidence["place"].to_numpy()
        stays = (place == NO_CELL) | shown[place]
        moved = np.where(place == NO_CELL, NO_CELL, (np.cumsum(shown) - 1)[place])
        evidence = [self.evidence.assign(place=moved)[stays], self._by_number(self.evidence[~stays])]
        return Heard(
            self.judged[shown].reset_index(drop=True),
            concatenated(evidence).reset_index(drop=True),
            self.frame[shown].reset_index(drop=True),
            self.how,
        )

    def _by_number(self, evidence: pd.DataFrame) -> pd.DataFrame:
        return numbers_told(evidence, self.judged, self.frame, self.how.columns, self.how.country)


def conclude(
    lists: Sequence[Heard], opt_outs: Numbers, keep: Keep
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The verdicts on the rows of all lists, each list below the one before.

    Args:
        lists: The lists; their rows have different row numbers. A refusal in one counts in all.
        opt_outs: Numbers that must not be texted.
        keep: Which of several rows with the same number is kept.

    Returns:
        The rows as `ContactList.rows` has them, counted from 0; their status and problems apart from
        duplicates; and all evidence by number.
    """
    told = concatenated([one.told() for one in lists])
    refused = Refused.joined([told], opt_outs)
    rows = concatenated([weigh(doubt_sequences(one.judged), one.evidence, refused) for one in lists])
    rows = rows.reset_index(drop=True)
    finished = with_duplicates(rows, keep).assign(repairs=written_out(rows["repairs"]))
    names = [column.name for column in SCHEMAS["ContactList.rows"]]
    return finished[names], rows[["status", "problem", "problems"]], told


def all_opt_outs(lists: Sequence[Cleaning]) -> Numbers:
    """The numbers on the opt-out lists of several lists."""
    return reduce(np.union1d, (how.opt_outs for how in lists))
