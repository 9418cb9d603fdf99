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

_WORDS = {"Ledger.campaigns()": CAMPAIGN_STATES}
"""Categories of the column `state`, so that a filter offers all of them."""


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


def _times(values: pd.Series[Any]) -> pd.Series[Any]:
    """Microseconds since 1970 as aware UTC."""
    return pd.to_datetime(values.astype("Int64"), unit="us", utc=True).dt.as_unit("us")
