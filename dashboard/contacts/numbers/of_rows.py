"""The best number of every row, over all its phone columns and by its own country."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

from dashboard.contacts.arrow.distinct import distinct, where
from dashboard.contacts.arrow.texts import joined_by_place
from dashboard.contacts.categories import STATUS_DTYPE, noted, repairs_with
from dashboard.contacts.columns.guess import ColumnMap
from dashboard.contacts.columns.labels import labels_of, leaves_own
from dashboard.contacts.numbers.cells import GRADES, judge_cells
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.words.countries import country_of

__all__ = ["number_of_each_row", "phone_cells"]

_STATUS_OF_GRADE = {
    "ok": Status.OK,
    "review": Status.REVIEW,
    "not_wanted": Status.INVALID,
    "invalid": Status.INVALID,
    "empty": Status.EMPTY,
}
_STATUS_CODES = np.array(
    [STATUS_DTYPE.categories.get_loc(_STATUS_OF_GRADE[grade].value) for grade in GRADES], np.int8
)
_READ_NATIONALLY = "country_added"


def number_of_each_row(
    frame: pd.DataFrame,
    columns: ColumnMap,
    country: str | None,
    line_types: Collection[str],
    likely: Sequence[str],
) -> pd.DataFrame:
    """Judge the phone cells of each row and take the best one; among equals, the first column's.

    Returns:
        A frame with the index of `frame`: raw_phone, phone, country, line_type, status, problem, repairs
        and other_phones.
    """
    own, unclear = _own_country(frame, columns.country)
    cells, homes = _stacked(frame, columns, _with_default(own, country))
    judged = _labelled(judge_cells(cells, homes, line_types, likely), frame, columns)
    best = _best_column(judged["grade"].to_numpy(), len(frame), len(columns.phones))
    rows = judged.take(best).assign(raw_phone=cells.take(best))
    rows["other_phones"] = rows["others"] if len(columns.phones) == 1 else _unused(judged, rows, len(frame))
    status = pd.Categorical.from_codes(_STATUS_CODES[rows["grade"].to_numpy()], dtype=STATUS_DTYPE)
    rows = rows.assign(status=status).drop(columns=["grade", "others"]).set_axis(frame.index)
    return _weigh_country(rows, own, unclear)


def _labelled(judged: pd.DataFrame, frame: pd.DataFrame, columns: ColumnMap) -> pd.DataFrame:
    """Leave to a person the numbers that another column calls a fax, or somebody else's."""
    labels = labels_of(tuple(map(str, frame.columns)), columns.phones)
    if not any(labels.values()):
        return judged
    others = [np.zeros(len(frame), np.bool_) for _ in columns.phones]
    for place, phone in enumerate(columns.phones):
        for label in labels[phone]:
            others[place] |= ~where(frame[label], partial(leaves_own, column=label)).to_numpy()
    doubtful = np.concatenate(others) & (judged["grade"] == GRADES.index("ok")).to_numpy()
    return judged.assign(
        grade=judged["grade"].mask(doubtful, GRADES.index("review")),
        problem=judged["problem"].mask(doubtful, Problem.LABELLED_OTHERWISE.value),
    )


def phone_cells(frame: pd.DataFrame, columns: ColumnMap, country: str | None) -> tuple[pd.Series, pd.Series]:
    """All phone cells, one column below the other, and the country each is dialled from."""
    own, _unclear = _own_country(frame, columns.country)
    return _stacked(frame, columns, _with_default(own, country))


def _stacked(frame: pd.DataFrame, columns: ColumnMap, home: pd.Series) -> tuple[pd.Series, pd.Series]:
    cells = pd.concat([frame[column] for column in columns.phones], ignore_index=True)
    homes = home.take(np.tile(np.arange(len(frame)), len(columns.phones))).reset_index(drop=True)
    return cells, homes


def _own_country(frame: pd.DataFrame, column: str | None) -> tuple[pd.Series, pd.Series]:
    """The country each row states, missing where it states none, and whether it is an unknown one."""
    if column is None:
        missing = np.full(len(frame), -1, np.int8)
        nothing = pd.Series(pd.Categorical.from_codes(missing, pd.Index([], dtype="str")), index=frame.index)
        return nothing, pd.Series(data=False, index=frame.index)
    place, words = distinct(frame[column])
    stated = [country_of(word) for word in words]
    own = pd.Series(pd.Categorical(stated).take(place), index=frame.index)
    unclear = [bool(word.strip()) and code is None for word, code in zip(words, stated, strict=True)]
    return own, pd.Series(np.array(unclear, np.bool_)[place], index=frame.index)


def _with_default(own: pd.Series, country: str | None) -> pd.Series:
    if country is None:
        return own
    known = own.cat.categories.union([country])
    return own.cat.set_categories(known).fillna(country)


def _best_column(grades: npt.NDArray[np.int64], rows: int, columns: int) -> npt.NDArray[np.int64]:
    """For each row the position of its best cell; among equals, the first column's."""
    best: npt.NDArray[np.int64] = grades.reshape(columns, rows).argmin(axis=0) * rows + np.arange(rows)
    return best


def _unused(judged: pd.DataFrame, used: pd.DataFrame, rows: int) -> pd.Series:
    """Valid numbers of each row other than the one that is used, joined by "; "."""
    found = judged.assign(place=np.arange(len(judged)) % rows)[["place", "phone", "others"]]
    more = found[found["others"] != ""]
    more = more.assign(phone=more["others"].str.split("; ")).explode("phone")
    pool = pd.concat([found[["place", "phone"]], more[["place", "phone"]]]).dropna()
    pool = pool[
        pool["phone"] != used["phone"].reset_index(drop=True).reindex(pool["place"]).set_axis(pool.index)
    ]
    pool = pool.drop_duplicates()
    return joined_by_place(pool["phone"], pool["place"].to_numpy(), rows).set_axis(used.index)


def _weigh_country(rows: pd.DataFrame, own: pd.Series, unclear: pd.Series) -> pd.DataFrame:
    """A + wins over the row's country, which is noted; an unknown one matters only for national numbers."""
    if own.isna().all() and not unclear.any():
        return rows
    national = repairs_with(rows["repairs"], _READ_NATIONALLY)
    elsewhere = rows["country"].cat.set_categories(own.cat.categories).cat.codes != own.cat.codes
    abroad = rows["phone"].notna() & own.notna() & ~national & elsewhere
    doubtful = unclear & national & (rows["status"] == Status.OK.value)
    return rows.assign(
        repairs=noted(rows["repairs"], abroad, "country_differs"),
        status=rows["status"].mask(doubtful, Status.REVIEW.value),
        problem=rows["problem"].mask(doubtful, Problem.COUNTRY_UNCLEAR.value),
    )
