"""Who must not be texted, or not before somebody has looked: what a list says, as one long table.

cells, lines, marks ──evidence_in──▶ EVIDENCE ──numbers_told──▶ the same by number ──weigh──▶ status, problems

A row's status, all of its problems and the columns to look in are questions to this table (see `declared.py`
for its columns).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.arrow.distinct import distinct, where
from dashboard.contacts.categories import PROBLEM_DTYPE, among, no_problems
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import QUESTIONS, Problem
from dashboard.contacts.read.marks import strikes_out, struck_column
from dashboard.contacts.refusals.heard import heard_in
from dashboard.contacts.refusals.numbers_beside import numbers_beside
from dashboard.contacts.refusals.said_below import said_below
from dashboard.contacts.refusals.telling import NO_CELL, Telling
from dashboard.contacts.rows.asked import question_of_each
from dashboard.contacts.rows.numbers_of_rows import all_numbers, spread

__all__ = ["ANSWERS", "REASONS", "evidence_in", "evidence_of", "numbers_named", "numbers_told"]

Numbers = npt.NDArray[np.int64]
ANSWERS = (Problem.NO_CONSENT, Problem.OPTED_OUT)
"""What a row says when it refuses."""
REASONS = (*QUESTIONS, Problem.NUMBER_REFUSED, *ANSWERS, Problem.ON_OPT_OUT_LIST)
"""What may be said against texting a row; if there are several, the last is its problem."""


def evidence_in(
    frame: pd.DataFrame,
    row_numbers: pd.Series,
    columns: ColumnMap,
    country: str | None,
    lines: Iterable[Telling] = (),
) -> pd.DataFrame:
    """What the cells of each row say: answers in the columns meant for them, refusals in all others.

    A row is asked about if its workbook strikes out all of it, one of its phones, or its consent.

    Args:
        frame: The rows' cells, all columns.
        row_numbers: The numbers that the spreadsheet program shows, in the same order.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
        lines: What lines among and above the rows say of them; see `refused_below`.

    Returns:
        The columns of `declared.EVIDENCE`.
    """
    told = [*_answers(frame, columns), *heard_in(frame, columns, country), *lines]
    return evidence_of([one for one in told if len(one.rows)], frame, row_numbers)


def _answers(frame: pd.DataFrame, columns: ColumnMap) -> Iterator[Telling]:
    for column, meant in said_below(columns):
        place, texts = distinct(frame[column])
        meanings = list(map(meant, texts))
        for problem in dict.fromkeys(filter(None, meanings)):
            said = np.array([meaning is problem for meaning in meanings], np.bool_)
            yield Telling.by(problem, column, np.flatnonzero(said[place]))
    struck = struck_column(frame.columns)
    if struck is not None:
        is_struck = partial(strikes_out, columns=(*columns.phones, *columns.consents))
        yield Telling.by(Problem.STRUCK_OUT, struck, np.flatnonzero(where(frame[struck], is_struck)))


def evidence_of(told: Sequence[Telling], frame: pd.DataFrame, row_numbers: pd.Series) -> pd.DataFrame:
    """The table of what cells of some rows tell."""
    names = list(dict.fromkeys(one.column or "" for one in told))
    lengths = [len(one.rows) for one in told]
    told_in = np.concatenate([np.empty(0, np.intp), *(one.told_in for one in told)])
    known = PROBLEM_DTYPE.categories
    codes = np.repeat(np.array([known.get_loc(one.problem.value) for one in told], np.int8), lengths)
    column = np.repeat(np.array([names.index(one.column or "") for one in told], np.int16), lengths)
    numbers = [np.zeros(len(one.rows), np.int64) if one.numbers is None else one.numbers for one in told]
    return pd.DataFrame(
        {
            "place": np.concatenate([np.empty(0, np.int64), *(one.rows for one in told)]),
            "number": np.concatenate([np.empty(0, np.int64), *numbers]),
            "problem": pd.Categorical.from_codes(codes, dtype=PROBLEM_DTYPE),
            "source_row": np.where(told_in == NO_CELL, 0, np.append(row_numbers.to_numpy(), 0)[told_in]),
            "column": pd.Categorical.from_codes(column, pd.Index(names, dtype="str")),
            "words": pd.concat([_NO_WORDS, *(_words(one, frame) for one in told)]).array,
        }
    )


_NO_WORDS = pd.Series([], dtype="str")


def _words(told: Telling, frame: pd.DataFrame) -> pd.Series:
    if told.column is None:
        return pd.Series(told.words, index=range(len(told.rows)), dtype="str")
    return frame[told.column].iloc[told.told_in].astype("str")


def numbers_named(
    evidence: pd.DataFrame, rows: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap, country: str | None
) -> pd.DataFrame:
    """What rows without a phone say of numbers among their words: "Do not text 07400 123456".

    Arguments as in `numbers_told`.

    Returns:
        The columns of `declared.EVIDENCE`, one for each of these numbers.
    """
    place = evidence["place"].to_numpy()
    without_phone = (rows["number"].to_numpy() == 0) & (rows["other_phones"] == "").to_numpy(dtype=bool)
    said = evidence[among(evidence["problem"], (*ANSWERS, Problem.REFUSAL_NOTED)) & without_phone[place]]
    said = said[(said["number"] == 0).to_numpy()].sort_values("place", kind="stable")
    refusing = np.unique(said["place"])
    named = numbers_beside(frame.iloc[refusing], columns, country, among_words=True)
    return spread(said, "place", refusing[named.rows], "number", named.own)


def numbers_told(
    evidence: pd.DataFrame,
    rows: pd.DataFrame,
    frame: pd.DataFrame,
    columns: ColumnMap,
    country: str | None,
    *,
    by_question: bool = True,
) -> pd.DataFrame:
    """The same evidence by number: all numbers of the rows that it is about, each number and problem once.

    A number that a refusing row lists as somebody else's, "Emergency contact phone", is an open question:
    that person said nothing, but the header may be wrong.

    Args:
        evidence: As `evidence_in` gives it; entries that are of no row stay as they are.
        rows: Verdicts so far; `number` holds the phone as a number, 0 where there is none.
        frame: The rows' cells, all columns.
        columns: Which columns hold what.
        country: ISO 3166 country of numbers without a country code.
        by_question: Whether to keep an entry for each question that is asked about a number, not only one.

    Returns:
        The columns of `declared.EVIDENCE`, of which `place` is `NO_CELL`.
    """
    asks = among(evidence["problem"], QUESTIONS) & by_question
    evidence = evidence.assign(question="")
    evidence.loc[asks, "question"] = question_of_each(evidence[asks], rows["row"])
    is_known = (evidence["number"] != 0).to_numpy()
    of_rows = evidence[~is_known].sort_values("place", kind="stable", ignore_index=True)
    places = of_rows["place"].to_numpy()
    telling = np.unique(places)
    owner, numbers = all_numbers(rows.iloc[telling])
    found = [evidence[is_known], spread(of_rows, "place", telling[owner], "number", numbers)]
    answers = among(of_rows["problem"], ANSWERS)
    refusing = np.unique(places[answers])
    beside = numbers_beside(frame.iloc[refusing], columns, country)
    found.append(spread(of_rows[answers], "place", refusing[beside.rows], "number", beside.own))
    others = spread(of_rows[answers], "place", refusing[beside.rows_of_others], "number", beside.of_others)
    own = pd.DataFrame({"place": telling[owner], "number": numbers})
    others = others[others.merge(own, "left", indicator="is")["is"].eq("left_only").to_numpy()]
    question = no_problems(others.index).fillna(Problem.BESIDE_REFUSER.value)
    found.append(others.assign(problem=question))
    told = pd.concat(found, ignore_index=True).drop_duplicates(["number", "problem", "question"])
    return told.drop(columns="question").assign(place=NO_CELL).reset_index(drop=True)
