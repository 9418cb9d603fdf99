"""The best number of every row, over all its phone columns and by its own country."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from dashboard.contacts.columns import ColumnMap
from dashboard.contacts.countries import country_of
from dashboard.contacts.numbers import noted
from dashboard.contacts.problems import Problem, Status
from dashboard.contacts.verdicts import GRADES, judge_cells

__all__ = ["number_of_each_row"]

_STATUS_OF_GRADE = {
    "ok": Status.OK,
    "review": Status.REVIEW,
    "not_wanted": Status.INVALID,
    "invalid": Status.INVALID,
    "empty": Status.EMPTY,
}
_READ_NATIONALLY = "country_added"


def number_of_each_row(
    frame: pd.DataFrame, columns: ColumnMap, country: str | None, line_types: Collection[str]
) -> pd.DataFrame:
    """Judge the phone cells of each row and take the best one; of equals the one whose column comes first.

    Returns:
        A frame with the index of `frame`: raw_phone, phone, country, line_type, status, problem, repairs
        and other_phones.
    """
    own, unclear = _own_country(frame, columns.country)
    home = own.fillna(pd.Series(country, index=own.index, dtype="str"))
    cells = pd.concat([frame[column] for column in columns.phones], ignore_index=True)
    places = np.tile(np.arange(len(frame)), len(columns.phones))
    homes = home.take(places).reset_index(drop=True)
    judged = judge_cells(cells, homes, line_types).assign(raw_phone=cells, place=places)
    judged = judged.sort_values(["place", "grade"], kind="stable")
    best = judged.drop_duplicates("place").set_index("place")
    status = best["grade"].map(lambda grade: _STATUS_OF_GRADE[GRADES[grade]].value).astype("str")
    rows = best.assign(status=status, other_phones=_unused(judged, best["phone"])).set_axis(frame.index)
    rows = rows.drop(columns=["grade", "others"])
    return _weigh_country(rows, own, unclear)


def _own_country(frame: pd.DataFrame, column: str | None) -> tuple[pd.Series, pd.Series]:
    """The country that each row states, missing where it states none, and whether nobody knows it."""
    if column is None:
        return pd.Series(pd.NA, index=frame.index, dtype="str"), pd.Series(data=False, index=frame.index)
    texts = frame[column].str.strip()
    own = texts.map({text: country_of(text) for text in texts.unique()}).astype("str")
    return own, own.isna() & (texts != "")


def _unused(judged: pd.DataFrame, used: pd.Series) -> pd.Series:
    """Valid numbers of each row besides the one that is used, joined by "; "."""
    more = judged[judged["others"] != ""]
    more = more.assign(phone=more["others"].str.split("; ")).explode("phone")
    pool = pd.concat([judged[["place", "phone"]], more[["place", "phone"]]]).dropna().drop_duplicates()
    pool = pool[pool["phone"] != pool["place"].map(used)]
    joined = pool.groupby("place")["phone"].agg("; ".join)
    return joined.reindex(used.index, fill_value="").astype("str")


def _weigh_country(rows: pd.DataFrame, own: pd.Series, unclear: pd.Series) -> pd.DataFrame:
    """A + wins over the row's country, which is noted; an unknown one matters to national numbers only."""
    national = rows["repairs"].str.contains(_READ_NATIONALLY, regex=False)
    abroad = rows["phone"].notna() & own.notna() & ~national & (rows["country"].astype("str") != own)
    doubtful = unclear & national & (rows["status"] == Status.OK)
    return rows.assign(
        repairs=noted(rows["repairs"], abroad, "country_differs"),
        status=rows["status"].mask(doubtful, Status.REVIEW.value),
        problem=rows["problem"].mask(doubtful, Problem.COUNTRY_UNCLEAR.value),
    )
