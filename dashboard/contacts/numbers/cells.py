"""The verdict on phone cells: repair, parse, choose.

cells ──repair──▶ candidates ──parse──▶ numbers ──rank──▶ the best of each cell

Most cells of a big list are already E.164, and most others are digits and blanks. Neither needs repair, so
they go through as whole columns; only what is left is read cell by cell, each distinct text once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from dashboard.contacts.arrow.distinct import distinct
from dashboard.contacts.arrow.texts import arrow_of, joined_by_place, text_series
from dashboard.contacts.categories import (
    PROBLEM_DTYPE,
    among,
    concatenated,
    no_problems,
    noted,
    numbers_of,
    problems_by,
)
from dashboard.contacts.numbers.elsewhere import valid_elsewhere
from dashboard.contacts.numbers.made_up import is_filler, is_for_fiction, is_test_number
from dashboard.contacts.numbers.missing_digit import lacks_a_digit
from dashboard.contacts.numbers.plus_one import from_north_america
from dashboard.contacts.numbers.renumbered import looks_old
from dashboard.contacts.numbers.repair import repair
from dashboard.contacts.numbers.respell import parse, trace
from dashboard.contacts.numbers.written_plainly import (
    looks_made_up,
    needs_no_repair,
    plain_digits,
    plain_spaces,
)
from dashboard.contacts.problems import LINE_TYPE_PROBLEMS, PARSE_PROBLEMS, Problem
from dashboard.phones import clean_phones

__all__ = ["GRADES", "judge_cells", "numbers_in"]

GRADES = ("ok", "review", "not_wanted", "invalid", "empty")
"""How good a cell is, best first: textable, textable after a look, real but not textable, wrong, empty."""

_FEWEST_DIGITS = 7
_ROWS_AT_ONCE = 1 << 18
"""Enough that pandas' cost per call does not matter, few enough that memory along the way stays small."""
_OF_CELL = ["phone", "country", "line_type", "grade", "problem", "repairs", "others"]
_NO_REPAIRS = pd.Index([""], dtype="str")
Places = npt.NDArray[np.int64]


def judge_cells(
    cells: pd.Series, country: pd.Series, line_types: Collection[str], likely: Sequence[str]
) -> pd.DataFrame:
    """Judge phone cells.

    Args:
        cells: Texts as typed, on an index of 0, 1, 2 ...
        country: Country of each cell's national numbers as a category, missing where unknown; same index.
        line_types: The line types to text, in the contract's words.
        likely: Countries in which to look for numbers that are not valid at home.

    Returns:
        The columns of `declared.CELLS`, with the index of `cells`.
    """
    judged = clean_phones(cells, country)
    starts = range(0, max(len(cells), 1), _ROWS_AT_ONCE)
    pieces = [slice(start, start + _ROWS_AT_ONCE) for start in starts]
    return concatenated(
        [_judge(cells[piece], country[piece], judged[piece], line_types, likely) for piece in pieces]
    )


def numbers_in(cells: pd.Series, country: pd.Series) -> pd.DataFrame:
    """Every number that phone cells may hold, good or bad: all that a refusal must cover.

    Args:
        cells: Texts as typed, on an index of 0, 1, 2 ...
        country: Country of each cell's national numbers as a category, missing where unknown; same index.

    Returns:
        A row for each: cell (the position), text (as it was read), phone, valid, problem (why it cannot be a
        number; missing where only the library can tell).
    """
    candidates = _candidates(cells, country, np.arange(len(cells)))
    return parse(candidates)[["cell", "text", "digits", "phone", "valid", "problem"]]


def _judge(
    cells: pd.Series,
    country: pd.Series,
    judged: pd.DataFrame,
    line_types: Collection[str],
    likely: Sequence[str],
) -> pd.DataFrame:
    sure = judged["valid"].to_numpy() & ~from_north_america(judged["country"], country) & ~looks_old(judged)
    is_e164 = sure & (cells == judged["phone"]).to_numpy(dtype=bool)
    is_e164[is_e164] = ~looks_made_up(arrow_of(cells[is_e164]))
    if is_e164.all():
        return _as_typed(judged, line_types)
    plain, digits = _plain(cells, np.flatnonzero(sure & ~is_e164))
    is_left = ~is_e164
    is_left[plain] = False
    typed, left = np.flatnonzero(is_e164), np.flatnonzero(is_left)
    traced = trace(_untouched(cells.take(plain), digits, country.take(plain), judged.take(plain)))
    places, parts = [typed, plain], [_as_typed(judged.take(typed), line_types), _valid(traced, line_types)]
    if len(left):
        numbers = _explain(parse(_candidates(cells, country, left)), line_types, likely)
        best = _best_of_each(_grade(numbers))
        places.append(best["cell"].to_numpy())
        parts.append(best.drop(columns="cell"))
    order = np.empty(len(cells), np.int64)
    order[np.concatenate(places)] = np.arange(len(cells))
    return concatenated(parts).take(order).set_axis(cells.index)


def _plain(cells: pd.Series, places: Places) -> tuple[Places, pa.ChunkedArray]:
    """Which of some cells are plainly written, and the digits of each."""
    digits = plain_digits(arrow_of(cells.take(places)))
    return places[digits.is_valid().to_numpy()], digits.drop_null()


def _untouched(
    cells: pd.Series, digits: pa.ChunkedArray, home: pd.Series, judged: pd.DataFrame
) -> pd.DataFrame:
    """Plainly written numbers before it is said how they were read; as `parse` has them."""
    return judged[["phone", "valid", "country", "line_type"]].assign(
        read=judged["phone"],
        text=cells,
        digits=text_series(digits).set_axis(cells.index),
        home=home,
        doubt=no_problems(cells.index),
        repairs=pd.Categorical.from_codes(np.zeros(len(cells), np.int32), _NO_REPAIRS),
    )


def _as_typed(judged: pd.DataFrame, line_types: Collection[str]) -> pd.DataFrame:
    """The verdict on numbers that are in their cell exactly as they are sent."""
    repairs = pd.Categorical.from_codes(np.zeros(len(judged), np.int32), _NO_REPAIRS)
    doubt = no_problems(judged.index)
    return _valid(judged.assign(valid=True, doubt=doubt, repairs=repairs), line_types)


def _valid(numbers: pd.DataFrame, line_types: Collection[str]) -> pd.DataFrame:
    """The verdict on valid numbers, each the only one in its cell."""
    wanted = among(numbers["line_type"], line_types)
    problem = problems_by(numbers["line_type"], LINE_TYPE_PROBLEMS).mask(wanted)
    others = pd.Series("", index=numbers.index, dtype="str")
    return _grade(numbers.assign(wanted=wanted, problem=problem, others=others))[_OF_CELL]


def _candidates(cells: pd.Series, country: pd.Series, wanted: Places) -> pd.DataFrame:
    """A row per number that the wanted cells may hold; `cell` is the position of the cell."""
    spaced = plain_spaces(arrow_of(cells.iloc[wanted]))
    is_simple = needs_no_repair(spaced)
    simple, other = wanted[is_simple], wanted[~is_simple]
    place, words = distinct(cells.iloc[other])
    repaired = [repair(word) for word in words]
    numbers = [number for several in repaired for number in several]
    counts = np.array([len(several) for several in repaired], np.int64)
    first = np.cumsum(counts) - counts
    many = counts[place]  # candidates of each cell
    nth = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    which = np.repeat(first[place], many) + nth
    cell = np.concatenate([simple, np.repeat(other, many)])
    combined = pd.DataFrame(
        {
            "text": pd.Series([number.text for number in numbers], dtype="str"),
            "repairs": pd.Series(["; ".join(number.repairs) for number in numbers], dtype="str"),
            "problem": pd.Series([number.problem for number in numbers], dtype=PROBLEM_DTYPE),
            "doubt": pd.Series([number.doubt for number in numbers], dtype=PROBLEM_DTYPE),
        }
    )
    combined["repairs"] = pd.Categorical(combined["repairs"], list(dict.fromkeys(["", *combined["repairs"]])))
    untouched = pd.DataFrame({"text": text_series(spaced.filter(pa.array(is_simple)))})
    untouched["repairs"] = pd.Categorical.from_codes(
        np.zeros(len(simple), np.int32), combined["repairs"].cat.categories
    )
    untouched["problem"] = untouched["doubt"] = no_problems(untouched.index)
    both = pd.concat([untouched, combined.take(which)], ignore_index=True)
    return both.assign(cell=cell, home=country.take(cell).reset_index(drop=True))


def _explain(numbers: pd.DataFrame, line_types: Collection[str], likely: Sequence[str]) -> pd.DataFrame:
    """Set `problem` where a number must not be texted, and hint at the country where it would be valid."""
    refused = numbers["problem"].notna()
    valid = numbers["valid"] & ~refused
    wanted = valid & among(numbers["line_type"], line_types)
    problem = numbers["problem"].mask(valid & ~wanted, problems_by(numbers["line_type"], LINE_TYPE_PROBLEMS))
    numbers, invalid = numbers.assign(valid=valid, wanted=wanted, problem=problem), ~valid & ~refused
    return _explain_invalid(numbers, invalid, likely) if invalid.any() else numbers


def _explain_invalid(numbers: pd.DataFrame, invalid: pd.Series, likely: Sequence[str]) -> pd.DataFrame:
    problem = numbers["problem"].mask(invalid, _invalid_problem(numbers))
    problem = problem.mask(invalid & _is_nobodys(numbers, problem), Problem.FILLER.value)
    lost = invalid & numbers["home"].notna() & ~numbers["text"].str.startswith("+")
    lost &= ~problem.isin([Problem.FOR_FICTION.value, Problem.FILLER.value])
    lost &= numbers["digits"].str.len() >= _FEWEST_DIGITS
    elsewhere = valid_elsewhere(numbers["text"][lost], likely).dropna()
    found = pd.Series(numbers.index.isin(elsewhere.index), index=numbers.index)
    repairs = numbers["repairs"]
    for country in elsewhere.unique():  # noted for short ones too, for whoever looks at the list
        there = elsewhere.index[elsewhere == country]
        repairs = noted(repairs, pd.Series(numbers.index.isin(there)), f"valid_in_{country}")
    found &= problem != Problem.TOO_SHORT.value
    problem = problem.mask(found, Problem.OTHER_COUNTRY.value)
    return numbers.assign(problem=problem, repairs=repairs)


def _invalid_problem(numbers: pd.DataFrame) -> pd.Series:
    problem = problems_by(numbers["parse_problem"], PARSE_PROBLEMS)
    national = numbers["home"].isna() & ~numbers["text"].str.startswith("+")
    problem = problem.mask(national & (problem != Problem.NOT_A_NUMBER.value), Problem.COUNTRY_MISSING.value)
    unknown = (problem == Problem.NO_SUCH_NUMBER.value) & ~numbers["valid"]
    short = unknown & (numbers["digits"].str.len() < _FEWEST_DIGITS)
    short |= lacks_a_digit(numbers[unknown]).reindex(numbers.index, fill_value=False)
    fiction = is_for_fiction(numbers_of(numbers["phone"]))
    return problem.mask(short, Problem.TOO_SHORT.value).mask(fiction, Problem.FOR_FICTION.value)


def _is_nobodys(numbers: pd.DataFrame, problem: pd.Series) -> pd.Series:
    """Which invalid numbers only fill their cell; without a country, 8765 4321 may be somebody's."""
    filling = pd.Series(is_filler(numbers["digits"]), index=numbers.index)
    return filling & ((problem != Problem.COUNTRY_MISSING.value) | numbers["digits"].str.startswith("0000"))


def _grade(numbers: pd.DataFrame) -> pd.DataFrame:
    valid, wanted, doubt = numbers["valid"], numbers["wanted"], _doubt(numbers["doubt"], numbers["phone"])
    grade = np.full(len(numbers), GRADES.index("invalid"))
    grade[numbers["problem"] == Problem.NO_NUMBER.value] = GRADES.index("empty")
    grade[valid] = GRADES.index("not_wanted")
    grade[wanted] = GRADES.index("ok")
    grade[wanted & doubt.notna()] = GRADES.index("review")
    return numbers.assign(
        grade=grade, problem=numbers["problem"].mask(grade == GRADES.index("review"), doubt)
    )


def _doubt(known: pd.Series, phones: pd.Series) -> pd.Series:
    """The doubts about numbers, adding those the number itself raises where there is none yet."""
    return known.mask(known.isna() & is_test_number(numbers_of(phones)), Problem.TEST_NUMBER.value)


def _best_of_each(numbers: pd.DataFrame) -> pd.DataFrame:
    """The best number of every cell, the first among equals, and the valid ones that are not used."""
    ranked = numbers.take(np.lexsort((numbers["grade"], numbers["cell"])))
    best = ranked[~ranked["cell"].duplicated()]
    best = best.assign(phone=best["phone"].where(best["valid"]), others=_others(ranked, best))
    return best[["cell", *_OF_CELL]]


def _others(ranked: pd.DataFrame, best: pd.DataFrame) -> pd.Series:
    several = ranked[ranked["cell"].duplicated(keep=False) & ranked["valid"]]
    if several.empty:
        return pd.Series("", index=best.index, dtype="str")
    several = several[["cell", "phone"]].sort_index()  # in the order written
    used = best.set_index("cell")["phone"]
    unused = several[several["phone"] != several["cell"].map(used)].drop_duplicates()
    places = np.searchsorted(best["cell"], unused["cell"])
    return joined_by_place(unused["phone"], places, len(best)).set_axis(best.index)
