"""Rows as the frame that declared.py declares: its columns and dtypes, even without a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from dashboard.campaigns.cost.money import money_column
from dashboard.campaigns.schema import MONEY
from dashboard.ledger.frames.declared import SCHEMAS, UTC_TIME
from dashboard.reports.measures.causes import CAUSE_DTYPE
from dashboard.reports.measures.stages import STAGE_DTYPE, STATE_DTYPE, in_order

_ALL_WORDS = {
    "state": STATE_DTYPE,
    "stage": STAGE_DTYPE,
    "cause": CAUSE_DTYPE,
}


def frame(name: str, rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """Rows as the frame that declared.py declares under `name`; times in microseconds since 1970."""
    dtypes = {column.name: column.dtype for column in SCHEMAS[name]}
    # Via plain tuples, in which pandas does not look for attributes
    objects = pd.DataFrame(list(map(tuple, rows)), columns=list(dtypes), dtype=object)
    return pd.DataFrame({column: _typed(objects[column], dtype) for column, dtype in dtypes.items()})


def _typed(values: pd.Series[Any], dtype: str) -> pd.Series[Any]:
    if dtype == UTC_TIME:
        return pd.to_datetime(values.astype("Int64"), unit="us", utc=True).dt.as_unit("us")
    return money_column(values) if dtype == MONEY else values.astype(pd.api.types.pandas_dtype(dtype))


def with_all_words(found: pd.DataFrame) -> pd.DataFrame:
    """The frame with all words that a state, a stage or a cause may be, in their order."""
    right = {name: in_order(found[name], words) for name, words in _ALL_WORDS.items() if name in found}
    return found.assign(**right)
