"""Rows as the frame that declared.py declares: its columns and dtypes, even without a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from dashboard.campaigns.cost.money import money_column
from dashboard.campaigns.schema import MONEY
from dashboard.contacts.schema import Column
from dashboard.ledger.database.states import CAMPAIGN_STATES
from dashboard.ledger.frames.declared import SCHEMAS
from dashboard.reports import Cause
from dashboard.reports.measures.stages import STAGE_DTYPE, STATE_DTYPE

_WORDS = {"Ledger.campaigns()": CAMPAIGN_STATES}
"""Categories of the column `state`, so that a filter offers all of them."""

_ALL_WORDS = {
    "state": STATE_DTYPE,
    "stage": STAGE_DTYPE,
    "cause": pd.CategoricalDtype([cause.value for cause in Cause]),
}


def frame(name: str, rows: Iterable[Sequence[Any]], columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Rows as the frame that declared.py declares under `name`, or these columns of it, in this order."""
    declared = {column.name: column for column in SCHEMAS[name]}
    chosen = list(declared if columns is None else columns)
    return _typed(name, _objects(rows, chosen), [declared[column] for column in chosen])


def _objects(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Rows as a frame of Python objects, via plain tuples, in which pandas does not look for attributes."""
    return pd.DataFrame(list(map(tuple, rows)), columns=list(columns), dtype=object)


def _typed(name: str, rows: pd.DataFrame, declared: Sequence[Column]) -> pd.DataFrame:
    columns: dict[str, pd.Series[Any]] = {}
    for column in declared:
        values = rows[column.name]
        if column.dtype.startswith("datetime64"):
            columns[column.name] = _times(values)
        elif column.dtype == MONEY:
            columns[column.name] = money_column(values)
        elif column.name == "state" and name in _WORDS:
            columns[column.name] = values.astype(pd.CategoricalDtype(list(_WORDS[name])))
        else:
            columns[column.name] = values.astype(pd.api.types.pandas_dtype(column.dtype))
    return pd.DataFrame(columns, columns=list(rows.columns))


def with_all_words(found: pd.DataFrame) -> pd.DataFrame:
    """The frame with all words that a state, a stage or a cause may be, in their order."""
    return found.astype({name: words for name, words in _ALL_WORDS.items() if name in found})


def _times(values: pd.Series[Any]) -> pd.Series[Any]:
    """Microseconds since 1970 as aware UTC."""
    return pd.to_datetime(values.astype("Int64"), unit="us", utc=True).dt.as_unit("us")
