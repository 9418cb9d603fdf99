"""Why a row has its problems: every entry of the evidence that it has, and the same in sentences.

The sentences name columns, never what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.categories import among, are_in
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.problems import QUESTIONS, Problem, Status, explain
from dashboard.contacts.row_numbers import rows_in_words
from dashboard.contacts.rows.evidence import REASONS
from dashboard.contacts.rows.numbers_of_rows import all_numbers, spread
from dashboard.words import _, quoted

__all__ = ["ASK", "NUMBER", "SAID", "evidence_of", "in_words"]

Numbers = npt.NDArray[np.int64]
SAID, ASK, NUMBER = "said", "ask", "number"
_ENTRY = {"place": "int64", "problem": "str", "column": "str", "source_row": "int64", "words": "str"}
_KINDS = {problem.value: ASK if problem in QUESTIONS else SAID for problem in REASONS}
_WEIGHT = {problem.value: place for place, problem in enumerate(REASONS)}
_CHOICE = (
    *(Problem.NOT_MATCHING, Problem.NOT_COMPARABLE, Problem.ON_LEFT_OUT_LIST, Problem.IN_EARLIER_CAMPAIGN),
    *(Problem.TEXTED_LATELY, Problem.NOT_IN_SAMPLE),
)
"""Nothing is said against these rows: others were chosen."""
_BY_COUNTRY = {Problem.OTHER_COUNTRY, Problem.COUNTRY_UNCLEAR}
_OF_ROW = {Problem.NO_NUMBER, Problem.TOTALS_ROW, Problem.DUPLICATE, *REASONS} - {Problem.NUMBER_REFUSED}
"""Problems of the row, or known from elsewhere, rather than of what is in its phone cell."""


def evidence_of(
    rows: pd.DataFrame, number: Numbers, said: pd.DataFrame, told: pd.DataFrame, opt_outs: Numbers
) -> pd.DataFrame:
    """All that is said against texting some rows, and what is wrong with their numbers.

    Args:
        rows: Some of `ContactList.rows`, on their positions in the list.
        number: Their phones as numbers, 0 where there is none.
        said: What is said of all rows of the list, as `evidence_in` gives it.
        told: The same by number, as `numbers_told` gives it.
        opt_outs: The numbers on the opt-out list.

    Returns:
        place (in the list), row, kind, problem, column, source_row and words; the weightiest first in a row.
    """
    is_open = ~among(rows["status"], (Status.OK.value,))
    rows, number = rows[is_open], number[is_open]
    places = rows.index.to_numpy()
    own = said[(said["number"] == 0).to_numpy() & said["place"].isin(places).to_numpy()]
    owner, numbers = all_numbers(rows.assign(number=number))
    listed = pd.DataFrame({"place": places[np.unique(owner[are_in(numbers, opt_outs)])]})
    listed["problem"] = Problem.ON_OPT_OUT_LIST.value
    parts = [own, _told(told, owner, numbers, rows, number), listed, _about_numbers(rows)]
    found = pd.concat([part.reindex(columns=list(_ENTRY)).astype({"problem": "str"}) for part in parts])
    found = (
        found.astype({"column": "str"}).fillna({"column": "", "source_row": 0, "words": ""}).astype(_ENTRY)
    )
    found = found.drop_duplicates(["place", "problem", "column", "source_row"])
    problems = found["problem"].tolist()
    weights = np.array([-_WEIGHT.get(problem, -1) for problem in problems], np.int64)
    order = np.lexsort((weights, found["place"].to_numpy()))
    found.insert(1, "row", rows["row"].to_numpy()[np.searchsorted(places, found["place"])])
    found.insert(2, "kind", pd.Series([_KINDS.get(one, NUMBER) for one in problems], found.index, "str"))
    return found.iloc[order].reset_index(drop=True)


def _told(
    told: pd.DataFrame, owner: npt.NDArray[np.intp], numbers: Numbers, rows: pd.DataFrame, used: Numbers
) -> pd.DataFrame:
    """What other rows say of these rows' numbers; what is said of a number counts if it is the one used."""
    found = spread(told.sort_values("number", kind="stable"), "number", numbers, "place", owner)
    place = found["place"].to_numpy()
    of_number = among(found["problem"], (Problem.NUMBER_REFUSED,))
    counts = np.where(
        of_number,
        found["number"].to_numpy() == used[place],
        found["source_row"].to_numpy() != rows["row"].to_numpy()[place],
    )
    entries: pd.DataFrame = found[counts].assign(place=rows.index.to_numpy()[place[counts]])
    return entries


def _about_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """What is wrong with the phone that was used, or that another row has it."""
    codes = rows["problems"].astype("str").str.split("; ").explode()
    codes = codes[(codes != "") & ~codes.isin([*_KINDS, *_CHOICE])]
    here = rows.loc[codes.index]
    kept = here["duplicate_of"].where((codes == Problem.DUPLICATE).to_numpy()).fillna(0)
    return pd.DataFrame(
        {"place": codes.index, "problem": codes, "source_row": kept, "words": here["raw_phone"].astype("str")}
    )


def in_words(
    rows: pd.DataFrame, evidence: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap
) -> pd.Series:
    """Why each row is not ok, in sentences; missing where it is.

    Of a row to look at it is every reason, of one that is opted out every refusal, of any other its problem.

    Args:
        rows: As `ContactList.rows` has them, on their positions.
        evidence: As `evidence_of` gives it for rows in review and opted out, at least.
        frame: The same rows' cells, all columns.
        columns: Which columns hold what.
    """
    meaning = {code.value: explain(code) for code in Problem}
    reasons = rows["problem"].astype("str").map(meaning).astype("object")
    told = _of_status(evidence, rows["status"])
    found: dict[int, dict[str, list[str]]] = {}
    for place, problem, column in zip(told["place"], told["problem"], _columns_named(told), strict=True):
        found.setdefault(place, {}).setdefault(problem, []).append(column)
    sentences = [
        " ".join(meaning[problem] + _look_in(names) for problem, names in said.items())
        for said in found.values()
    ]
    reasons.loc[list(found)] = sentences
    return reasons.astype("str") + _of_cell(rows, frame, columns)


def _of_status(evidence: pd.DataFrame, status: pd.Series) -> pd.DataFrame:
    """The refusals of rows that are opted out, and everything else about rows in review."""
    of_row = status.reindex(evidence["place"])
    is_said = (evidence["kind"] == SAID).to_numpy()
    out, review = (among(of_row, (one.value,)) for one in (Status.OPTED_OUT, Status.REVIEW))
    return evidence[(out & is_said) | (review & ~is_said)]


def _columns_named(told: pd.DataFrame) -> Iterator[str]:
    """The column of each entry, with its row if that is another one; "" for none."""
    names = rows_in_words(told["source_row"])
    for column, source, row, name in zip(told["column"], told["source_row"], told["row"], names, strict=True):
        if not column or source == row:
            yield quoted(column) if column else ""
        else:
            yield _("“{column}” of row {row}").format(column=column, row=name)


def _look_in(names: list[str]) -> str:
    some = ", ".join(name for name in names if name)
    return " " + _("Look in {columns}.").format(columns=some) if some else ""


def _of_cell(rows: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap) -> pd.Series:
    """Where the phone is, if there are several columns, and the country that it is not a number of."""
    added, problems = np.full(len(rows), "", object), rows["problem"].astype("str")
    if len(columns.phones) > 1:
        here = (problems.notna() & ~problems.isin([*_OF_ROW])).to_numpy()
        added[here] = list(map(_number_in, _columns_of(frame[here], rows["raw_phone"][here], columns)))
    if columns.country is not None:
        stated = problems.isin([*_BY_COUNTRY]) & (frame[columns.country].str.strip() != "")
        added[stated.to_numpy()] += " " + _("The country is from the column {column}.").format(
            column=quoted(columns.country)
        )
    return pd.Series(added, index=rows.index, dtype="str")


def _columns_of(cells: pd.DataFrame, used: pd.Series, columns: ColumnMap) -> list[str]:
    """The first phone column that holds the cell which was used; "" where it was corrected since."""
    listed = [(name, (cells[name] == used).tolist()) for name in columns.phones]
    return [next((name for name, same in listed if same[place]), "") for place in range(len(cells))]


def _number_in(name: str) -> str:
    return " " + _("The number is in the column {column}.").format(column=quoted(name)) if name else ""
