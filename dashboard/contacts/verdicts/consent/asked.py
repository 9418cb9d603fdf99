"""What a list asks of a person, each thing once: whether people may be texted of whom something is said.

A million notes have a few words in common: they are asked about by the words that sound like a refusal, with
one note as the example, and one answer holds for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dashboard.contacts.arrow.distinct import distinct
from dashboard.contacts.problems import QUESTIONS, Problem
from dashboard.contacts.verdicts.categories import among
from dashboard.contacts.vocabulary.consent.refusal import alarm_in
from dashboard.contacts.vocabulary.known_words.spelling import normalise
from dashboard.errors import OptionError
from dashboard.words import _

__all__ = ["MAY", "MUST_NOT", "questions_in", "with_answers"]

MAY, MUST_NOT = "may", "must_not"
_ASKED = tuple({*QUESTIONS} - {Problem.BESIDE_REFUSER, Problem.COLUMN_UNANSWERED})
"""Who has a refuser's other number differs by row, and columns are asked about as a whole."""
_BETWEEN = " | "


def questions_in(said: pd.DataFrame, row_numbers: pd.Series) -> pd.DataFrame:
    """The questions that some evidence asks; see docs/columns.md.

    Args:
        said: As `evidence_in` gives it.
        row_numbers: Those of the list's rows, by position.
    """
    asking = said[among(said["problem"], _ASKED)]
    keyed = asking.assign(question=_keys(asking, row_numbers))
    found = keyed.groupby("question", sort=False, observed=True).agg(
        problem=("problem", "first"),
        column=("column", "first"),
        words=("words", "first"),
        rows=("place", "nunique"),
    )
    found = found.astype({"problem": "str", "column": "str", "words": "str", "rows": "int64"})
    return found.sort_values("rows", ascending=False, kind="stable").reset_index().astype({"question": "str"})


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
    meaning[asks] = [answers.get(key, "") for key in _keys(said[asks], row_numbers)]
    refuses = pd.Series(meaning == MUST_NOT, index=said.index)
    told = said.assign(problem=said["problem"].mask(refuses, Problem.OPTED_OUT.value))
    left: pd.DataFrame = told[meaning != MAY].reset_index(drop=True)
    return left


def _keys(asking: pd.DataFrame, row_numbers: pd.Series) -> list[str]:
    """What each entry asks: its problem, where it stands, and its words as far as they matter."""
    place = asking["place"].to_numpy()
    source = asking["source_row"].to_numpy()
    is_line = (place >= 0) & (source != row_numbers.to_numpy()[place])
    where = np.array(asking["column"].astype("str"), object)
    where[is_line] = [f"{column} {row}" for column, row in zip(where[is_line], source[is_line], strict=True)]
    of_text, texts = distinct(asking["words"])
    alarms = np.array([alarm_in(text) for text in texts], object)
    values = np.array([normalise(text) for text in texts], object)
    noted = among(asking["problem"], (Problem.REFUSAL_NOTED,)) & ~is_line
    words = np.where(noted, alarms[of_text], values[of_text]) if len(texts) else of_text
    return [_BETWEEN.join(parts) for parts in zip(asking["problem"].astype("str"), where, words, strict=True)]
