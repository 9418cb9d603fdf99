"""The one way from cells to verdicts, in two passes: a sheet is one batch of rows, a big file many.

cells ──hear──▶ Heard: verdicts on rows by themselves, and evidence ──conclude──▶ the verdicts

The first pass looks at no more rows than it is given. The second needs no cells: what a row says holds for
its numbers wherever they stand, and of rows with the same number one is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import concatenated, noted, written_out
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.contact_list import Cleaning, Keep
from dashboard.contacts.read.entities import ENTITIES_DECODED
from dashboard.contacts.refusals.sections import Below, refused_below
from dashboard.contacts.refusals.telling import NO_CELL
from dashboard.contacts.rows.duplicates import with_duplicates
from dashboard.contacts.rows.evidence import evidence_in, numbers_named, numbers_told
from dashboard.contacts.rows.judgement import doubt_sequences, judge_rows
from dashboard.contacts.rows.unreached import count_unreached
from dashboard.contacts.rows.weighing import Refused, weigh
from dashboard.contacts.schema import SCHEMAS

__all__ = ["Heard", "all_opt_outs", "conclude", "hear", "weighed"]

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

    def told(self, *, by_question: bool = True) -> pd.DataFrame:
        """The evidence by number, see `numbers_told`."""
        return self._by_number(self.evidence, by_question=by_question)

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

    def _by_number(self, evidence: pd.DataFrame, *, by_question: bool = True) -> pd.DataFrame:
        columns, country = self.how.columns, self.how.country
        return numbers_told(evidence, self.judged, self.frame, columns, country, by_question=by_question)


def hear(
    frame: pd.DataFrame,
    row_numbers: pd.Series,
    had_codes: npt.NDArray[np.bool_],
    how: Cleaning,
    likely: Sequence[str],
    before: Below,
) -> tuple[Heard, Below]:
    """Judge each of some rows by itself, and listen to it.

    Args:
        frame: The rows' cells, all columns.
        row_numbers: The numbers that the spreadsheet program shows, in the same order.
        had_codes: In which rows HTML codes were read as their characters.
        how: How the list is cleaned.
        likely: Countries in which to look for a number that is not valid at home.
        before: What the lines above these rows say of them.

    Returns:
        Also what the lines say of the rows below these.
    """
    columns, country = how.columns, how.country
    judged = judge_rows(frame, row_numbers, columns, country, how.line_types, likely)
    judged = judged.assign(repairs=noted(judged["repairs"], pd.Series(had_codes), ENTITIES_DECODED))
    lines, after = refused_below(frame, columns, before)
    said = evidence_in(frame, row_numbers, columns, country, lines)
    named = numbers_named(said, judged, frame, columns, country)
    evidence = concatenated([said, named, _above_header(before.above, country)]).reset_index(drop=True)
    return Heard(judged, evidence, frame, how), after


def _above_header(lines: Sequence[str], country: str | None) -> pd.DataFrame:
    """What lines above a header say of the numbers that they name."""
    frame, rows = pd.DataFrame({"": lines}, dtype="str"), pd.Series(0, index=range(len(lines)))
    said = evidence_in(frame, rows, ColumnMap(), country)
    judged = pd.DataFrame({"number": rows, "other_phones": ""})
    return numbers_named(said, judged, frame, ColumnMap(), country).assign(place=NO_CELL)


def weighed(judged: pd.DataFrame, evidence: pd.DataFrame, refused: Refused) -> pd.DataFrame:
    """Verdicts on all rows of a list with what is said against texting them, apart from duplicates."""
    return weigh(doubt_sequences(judged), evidence, refused)


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
    rows = concatenated([weighed(one.judged, one.evidence, refused) for one in lists])
    rows = rows.reset_index(drop=True)
    finished = with_duplicates(rows, keep).assign(repairs=written_out(rows["repairs"]))
    names = [column.name for column in SCHEMAS["ContactList.rows"]]
    return finished[names], rows[["status", "problem", "problems"]], told


def all_opt_outs(lists: Sequence[Cleaning]) -> Numbers:
    """The numbers on the opt-out lists of several lists."""
    return reduce(np.union1d, (how.opt_outs for how in lists))
