"""Millions of rows from the database into Arrow, without a Python object for every cell.

The database writes a part as text (from_sqlite.py, from_postgresql.py), and Arrow reads it while the database
writes the next. (Arrow's own driver for SQLite is not used: two SQLite libraries in one process can lose each
other's locks, see 2.2.1 of https://sqlite.org/howtocorrupt.html.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pandas as pd
import pyarrow as pa
from sqlalchemy import Connection, Select

from dashboard.campaigns.cost.money import MONEY, MONEY_DTYPE
from dashboard.campaigns.schema import MONEY as MONEY_COLUMN
from dashboard.contacts.schema import Column
from dashboard.errors import LedgerError
from dashboard.ledger.frames.arrow import from_postgresql, from_sqlite
from dashboard.words import _

ROWS_AT_ONCE = 50_000

_WORD = pa.dictionary(pa.int32(), pa.string())
_TYPES: Mapping[str, pa.DataType] = {
    "str": pa.string(),
    "category": _WORD,
    "Int64": pa.int64(),
    "boolean": pa.bool_(),
    "datetime64[us, UTC]": pa.timestamp("us", "UTC"),
    MONEY_COLUMN: MONEY,
}
_PANDAS = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype(), MONEY: MONEY_DTYPE}


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """The Arrow types of columns as declared.py declares them."""
    return pa.schema([(column.name, _TYPES[column.dtype]) for column in columns])


def read_parts(
    connection: Connection, queries: Iterable[Select[Any]], schema: pa.Schema
) -> Iterator[pa.Table]:
    """The rows of each query, ideally about `ROWS_AT_ONCE` rows each, in the order of the queries.

    Each selects the columns of the schema, in its order; times and booleans as integers.
    """
    database = from_sqlite if connection.dialect.name == "sqlite" else from_postgresql
    with ThreadPoolExecutor(1) as reader:
        ahead: Future[pa.Table] | None = None
        for query in queries:
            written = database.written(connection, query, schema)
            if ahead is not None:
                yield ahead.result()
            ahead = reader.submit(_read, database.parsed, written, schema)
        if ahead is not None:
            yield ahead.result()


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """The table in the dtypes that declared.py declares, with the words of a category in their order."""
    frame: pd.DataFrame = table.unify_dictionaries().to_pandas(types_mapper=_PANDAS.get)
    for name in frame.columns[frame.dtypes == "category"]:
        words = frame[name].cat
        ordered = sorted(words.categories)
        frame[name] = words.rename_categories(list(words.categories.astype("str"))).cat.reorder_categories(
            ordered
        )
    return frame


def _read(parse: Callable[[Any, pa.Schema], pa.Table], written: Any, schema: pa.Schema) -> pa.Table:
    try:
        return parse(written, schema).cast(schema)
    except pa.ArrowInvalid:  # which quotes the row
        raise LedgerError(
            _("Rows of the ledger cannot be read. They may be damaged; an earlier copy can be restored.")
        ) from None
