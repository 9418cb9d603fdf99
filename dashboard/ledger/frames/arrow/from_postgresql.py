"""What PostgreSQL writes for Arrow: CSV, by COPY.

Texts are in single quotes and NULL is bare, so an empty text is not a missing one.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyarrow import csv
from sqlalchemy import Connection, Select

_LONGEST_ROW_BYTES = 1 << 26


def written(connection: Connection, query: Select[Any], _schema: pa.Schema) -> bytes:
    """The rows of a query that selects the columns of the schema."""
    text = query.compile(connection, compile_kwargs={"literal_binds": True})
    copy = f"COPY ({text}) TO STDOUT (FORMAT csv, QUOTE '''', NULL 'NULL', FORCE_QUOTE *)"
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor, cursor.copy(copy.replace("%%", "%")) as parts:
        return b"".join(parts)


def parsed(written: bytes, schema: pa.Schema) -> pa.Table:
    """The rows as a table, times and booleans still as numbers.

    Raises:
        pyarrow.ArrowInvalid: They are not as the schema says.
    """
    if not written:
        return schema.empty_table()
    read_as = {field.name: _READ_AS.get(field.type, field.type) for field in schema}
    return csv.read_csv(
        pa.BufferReader(written),
        csv.ReadOptions(column_names=schema.names, use_threads=False, block_size=_LONGEST_ROW_BYTES),
        csv.ParseOptions(quote_char="'", double_quote=True, newlines_in_values=True),
        csv.ConvertOptions(
            column_types=read_as,
            null_values=["NULL"],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


_READ_AS = {pa.timestamp("us", "UTC"): pa.int64(), pa.bool_(): pa.int8()}
"""Times are stored as microseconds since 1970; booleans are 0 and 1."""
