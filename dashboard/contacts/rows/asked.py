"""What a list asks of a person, each thing once: whether people may be texted of whom something is said.

A million notes have a few words in common: they are asked about by the words that sound like a refusal, with
one note as the example, and one answer holds for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.arrow.distinct import distinct
from dashboard.contacts.categories import among
from dashboard.contacts.columns.questions import DATE, MAY, MUST_NOT, value_of
from dashboard.contacts.problems import QUESTIONS, Problem, Status
from dashboard.contacts.rows.numbers_of_rows import all_numbers, spread
from dashboard.contacts.words.refusal import alarm_in
from dashboard.contacts.words.spelling import normalise
from dashboard.errors import OptionError
from dashboard.words import _

__all__ = ["question_of_each", "questions_in", "with_answers"]

_ASKED = tuple({*QUESTIONS} - {Problem.BESIDE_REFUSER, Problem.COLUMN_UNANSWERED})
"""Who has a refuser's other number differs by row, and columns are asked about as a whole."""
_BETWEEN = " | "

Numbers = npt.NDArray[np.int64]


def questions_in(
    said: pd.DataFrame, rows: pd.DataFrame, number: Numbers, answered: Collection[str]
) -> pd.DataFrame:
    """The questions that rows of a list wait for, or that were answered; see docs/columns.md.

    Those that most rows say come first, so that no answer moves a question.

    Args:
        said: What is said of the list, as `evidence_in` gives it.
        rows: `ContactList.rows`, on their positions.
        number: Their phones as numbers, 0 where there is none.
        answered: Questions to give back although no row waits for them.
    """
    rows = rows.assign(number=number)
    asking = said[among(said["problem"], _ASKED)]
    line = np.where(_are_lines(asking, rows["row"]), asking["source_row"], 0)
    keyed = asking.assign(question=question_of_each(asking, rows["row"]), line=line)
    found = keyed.groupby("question", sort=False, observed=True).agg(
        problem=("problem", "first"),
        column=("column", "first"),
        line=("line", "first"),
        words=("words", "first"),
        of_rows=("place", "nunique"),
    )
    found["rows"] = _waiting(keyed, rows).reindex(found.index).fillna(0).astype("int64")
    found = found.sort_values("of_rows", ascending=False, kind="stable")
    found["rows"] = found["rows"].where(found["rows"] > 0, found.pop("of_rows") * found.index.isin(answered))
    found = found[found["rows"] > 0].reset_index()
    return found.astype({"question": "str", "problem": "str", "column": "str", "words": "str"})


def _waiting(keyed: pd.DataFrame, rows: pd.DataFrame) -> pd.Series:
    """How many rows wait for the answer to each question: those that ask it, and those with their numbers."""
    waits = among(rows["status"], (Status.REVIEW.value,))
    waiting = np.flatnonzero(waits)
    of_rows = keyed[(keyed["place"] >= 0).to_numpy()].sort_values("place", kind="stable")
    telling = np.unique(of_rows["place"])
    owner, numbers = all_numbers(rows.iloc[telling])
    parts = [
        keyed[(keyed["number"] != 0).to_numpy()],
        spread(of_rows, "place", telling[owner], "number", numbers),
    ]
    asked = pd.concat([part[["question", "number"]] for part in parts]).drop_duplicates()
    theirs, their_numbers = all_numbers(rows.iloc[waiting])
    reached = asked.merge(pd.DataFrame({"number": their_numbers, "place": waiting[theirs]}), on="number")
    own = of_rows[waits[of_rows["place"].to_numpy()]]
    both = pd.concat([part[["question", "place"]] for part in (own, reached)])
    counted: pd.Series = both.groupby("question")["place"].nunique()
    return counted


def with_answers(said: pd.DataFrame, row_numbers: pd.Series, answers: Mapping[str, str]) -> pd.DataFrame:
    """The evidence once some questions are answered: what says nothing is gone, the rest refuses.

    Args:
        said: As `evidence_in` gives it.
        row_numbers: Those of the list's rows, by position.
        answers: "may" or "must_not", by question.

    Raises:
        OptionError: An answer is neither.
    """
    if not all(meaning in {MAY, MUST_NOT} for meaning in answers.values()):
        raise OptionError(_("Answer each question with “may” or “must_not”."))
    if not answers:
        return said
    asks = among(said["problem"], _ASKED)
    meaning = np.full(len(said), "", object)
    meaning[asks] = [answers.get(key, "") for key in question_of_each(said[asks], row_numbers)]
    refuses = pd.Series(meaning == MUST_NOT, index=said.index)
    told = said.assign(problem=said["problem"].mask(refuses, Problem.OPTED_OUT.value))
    left: pd.DataFrame = told[meaning != MAY].reset_index(drop=True)
    return left


def _alarm(text: str) -> str:
    return alarm_in(text) or _value(text)


def _value(text: str) -> str:
    """A cell in one spelling; which day a date is makes no difference, and a sign stays what it is."""
    value = value_of(text)
    return value if value == DATE else normalise(value) or value


def _are_lines(asking: pd.DataFrame, row_numbers: pd.Series) -> npt.NDArray[np.bool_]:
    """Which entries a line above their row says."""
    place = asking["place"].to_numpy()
    own = row_numbers.to_numpy()[place] if len(row_numbers) else place
    source: Numbers = asking["source_row"].to_numpy()
    are_lines: npt.NDArray[np.bool_] = (place >= 0) & (source != own) & (source != 0)
    return are_lines


def question_of_each(asking: pd.DataFrame, row_numbers: pd.Series) -> list[str]:
    """What each entry asks: its problem, where it stands, and its words as far as they matter."""
    is_line, row = _are_lines(asking, row_numbers), asking["source_row"].to_numpy()
    where = np.array(asking["column"].astype("str"), object)
    where[is_line] = [f"{column} {line}" for column, line in zip(where[is_line], row[is_line], strict=True)]
    noted = among(asking["problem"], (Problem.REFUSAL_NOTED,)) & ~is_line & (where != "")
    words = np.full(len(asking), "", object)
    for some, folded in ((noted, _alarm), (~noted, _value)):
        place, texts = distinct(asking["words"][some])
        words[some] = np.array([*map(folded, texts), ""], object)[place]
    return [_BETWEEN.join(parts) for parts in zip(asking["problem"].astype("str"), where, words, strict=True)]
