"""The verdict on phone cells: repair, parse, choose. Each distinct cell and country is judged once.

cells ──repair──▶ candidates ──parse──▶ numbers ──rank──▶ the best of each cell
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.hints import valid_elsewhere
from dashboard.contacts.numbers import noted, parse
from dashboard.contacts.problems import LINE_TYPE_PROBLEMS, Problem
from dashboard.contacts.repair import repair

__all__ = ["GRADES", "PARSE_PROBLEMS", "judge_cells"]

GRADES = ("ok", "review", "not_wanted", "invalid", "empty")
"""How good a cell is, best first: to text, to text after a look, real but not to text, wrong, nothing."""

_FEWEST_DIGITS = 7
PARSE_PROBLEMS = {
    "INVALID_COUNTRY_CODE": Problem.UNKNOWN_COUNTRY_CODE,
    "NOT_A_NUMBER": Problem.NOT_A_NUMBER,
    "TOO_SHORT_AFTER_IDD": Problem.TOO_SHORT,
    "TOO_SHORT_NSN": Problem.TOO_SHORT,
    "TOO_LONG": Problem.TOO_LONG,
    "INVALID": Problem.NO_SUCH_NUMBER,
}
"""Our problem for each of the phone library's."""


def judge_cells(cells: pd.Series, country: pd.Series, line_types: Collection[str]) -> pd.DataFrame:
    """Judge phone cells.

    Args:
        cells: Texts as typed.
        country: Country of each cell's national numbers, missing where unknown; same index.
        line_types: The line types to text, in the contract's words.

    Returns:
        A frame with the index of `cells`: phone, country, line_type, grade (0 is best, see GRADES),
        problem, repairs (codes joined by "; ") and others (unused valid numbers, joined by "; ").
    """
    asked = pd.DataFrame({"cell": cells.astype("str"), "home": country.astype("str")})
    place, distinct = _distinct(asked)
    candidates = _candidates(distinct)
    judged = _grade(_explain(parse(candidates), line_types))
    return _best_of_each(judged).take(place).set_axis(cells.index)


def _distinct(asked: pd.DataFrame) -> tuple[npt.NDArray[np.int64], pd.DataFrame]:
    """For each row the position of its distinct pair of cell and country, and these pairs."""
    pairs = asked["cell"] + "\x00" + asked["home"].fillna("")
    place = pd.factorize(pairs)[0].astype(np.int64)
    return place, asked[~pairs.duplicated()].reset_index(drop=True)


def _candidates(distinct: pd.DataFrame) -> pd.DataFrame:
    """A row per number that a cell may hold; `cell` is the position of the distinct cell."""
    repaired = [repair(cell) for cell in distinct["cell"]]
    counts = [len(numbers) for numbers in repaired]
    numbers = [number for several in repaired for number in several]
    return pd.DataFrame(
        {
            "cell": pd.Series(range(len(distinct)), dtype="int64").repeat(counts).to_numpy(),
            "home": distinct["home"].repeat(counts).to_numpy(),
            "text": pd.Series([number.text for number in numbers], dtype="str"),
            "repairs": pd.Series(["; ".join(number.repairs) for number in numbers], dtype="str"),
            "problem": pd.Series([number.problem for number in numbers], dtype="str"),
            "doubt": pd.Series([number.doubt for number in numbers], dtype="str"),
        }
    )


def _explain(numbers: pd.DataFrame, line_types: Collection[str]) -> pd.DataFrame:
    """Set `problem` where a number is not to be texted, and hint at the country where it would be valid."""
    refused = numbers["problem"].notna()
    valid = numbers["valid"] & ~refused
    wanted = valid & numbers["line_type"].isin(list(line_types))
    invalid = ~valid & ~refused
    problem = numbers["problem"]
    problem = problem.mask(valid & ~wanted, numbers["line_type"].astype("str").map(LINE_TYPE_PROBLEMS))
    problem = problem.mask(invalid, _invalid_problem(numbers))
    lost = invalid & numbers["home"].notna() & ~numbers["text"].str.startswith("+")
    lost &= numbers["digits"].str.len() >= _FEWEST_DIGITS
    elsewhere = valid_elsewhere(numbers["text"][lost], numbers["country"][valid]).dropna()
    found = pd.Series(numbers.index.isin(elsewhere.index), index=numbers.index)
    hint = ("valid_in_" + elsewhere).reindex(numbers.index, fill_value="")
    return numbers.assign(
        valid=valid,
        wanted=wanted,
        problem=problem.mask(found, Problem.OTHER_COUNTRY.value),
        repairs=noted(numbers["repairs"], found, hint),
    )


def _invalid_problem(numbers: pd.DataFrame) -> pd.Series:
    problem = numbers["parse_problem"].astype("str").map(PARSE_PROBLEMS)
    national = numbers["home"].isna() & ~numbers["text"].str.startswith("+")
    problem = problem.mask(national & (problem != Problem.NOT_A_NUMBER), Problem.COUNTRY_MISSING)
    short = (problem == Problem.NO_SUCH_NUMBER) & (numbers["digits"].str.len() < _FEWEST_DIGITS)
    return problem.mask(short, Problem.TOO_SHORT)


def _grade(numbers: pd.DataFrame) -> pd.DataFrame:
    grade = pd.Series(GRADES.index("invalid"), index=numbers.index)
    grade = grade.mask(numbers["problem"] == Problem.NO_NUMBER, GRADES.index("empty"))
    grade = grade.mask(numbers["valid"], GRADES.index("not_wanted"))
    grade = grade.mask(numbers["wanted"], GRADES.index("review"))
    grade = grade.mask(numbers["wanted"] & numbers["doubt"].isna(), GRADES.index("ok"))
    doubted = grade == GRADES.index("review")
    return numbers.assign(grade=grade, problem=numbers["problem"].mask(doubted, numbers["doubt"]))


def _best_of_each(numbers: pd.DataFrame) -> pd.DataFrame:
    """The best number of every cell, the first of equals, and the valid ones that are not used."""
    best = numbers.sort_values(["cell", "grade"], kind="stable").drop_duplicates("cell").set_index("cell")
    best = best.assign(phone=best["phone"].where(best["valid"]))
    valid = numbers[numbers["valid"]]
    unused = valid[valid["phone"] != valid["cell"].map(best["phone"])]
    others = unused.drop_duplicates(["cell", "phone"]).groupby("cell")["phone"].agg("; ".join)
    best = best.assign(others=others.reindex(best.index, fill_value="").astype("str"))
    return best[["phone", "country", "line_type", "grade", "problem", "repairs", "others"]]
