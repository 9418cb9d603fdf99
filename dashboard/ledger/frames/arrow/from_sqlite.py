"""What SQLite writes for Arrow: numbers as one list of lists, each column of texts as one long text.

The texts have nothing between them: how many bytes each takes stands among the numbers, and is missing where
the text is. So nothing is quoted, and Arrow takes the texts as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv
from sqlalchemy import ColumnElement, Connection, LargeBinary, Select, cast, func, literal_column

_LONGEST_PART_BYTES = 1 << 30
_NOTHING: ColumnElement[str] = literal_column("''")  # as a parameter, SQLite would copy it for every row


class Written(NamedTuple):
    """A part as SQLite wrote it: `[[1,2],[3,null]]`, and each column's texts one after another."""

    numbers: bytes
    texts: Sequence[bytes | None]


def written(connection: Connection, query: Select[Any], schema: pa.Schema) -> Written:
    """The rows of a query that selects the columns of the schema."""
    cells = list(zip(query.selected_columns, schema.types, strict=True))
    texts = [cell for cell, type_ in cells if _is_text(type_)]
    numbers = [cell for cell, type_ in cells if not _is_text(type_)]
    row = func.json_array(*numbers, *(func.length(cast(text, LargeBinary)) for text in texts))
    whole = (func.json_group_array(row), *(func.group_concat(text, _NOTHING) for text in texts))
    in_bytes = (cast(part, LargeBinary) for part in whole)
    found = connection.execute(query.with_only_columns(*in_bytes)).one()
    return Written(found[0], found[1:])


def parsed(part: Written, schema: pa.Schema) -> pa.Table:
    """The rows as a table, times and booleans still as numbers.

    Raises:
        pyarrow.ArrowInvalid: Something else is among the numbers, or a text is not UTF-8.
    """
    texts = [field.name for field in schema if _is_text(field.type)]
    numbers = [field.name for field in schema if not _is_text(field.type)]
    table = _numbers(part.numbers, [*numbers, *texts])
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    columns |= {name: _texts(of, columns[name]) for name, of in zip(texts, part.texts, strict=True)}
    return pa.table({name: columns[name] for name in schema.names})


def _numbers(written: bytes, names: Sequence[str]) -> pa.Table:
    types = pa.schema([(name, pa.int64()) for name in names])
    if written == b"[]":
        return types.empty_table()
    return csv.read_csv(
        pa.BufferReader(written[2:-2].replace(b"],[", b"\n")),
        csv.ReadOptions(column_names=names, use_threads=False, block_size=_LONGEST_PART_BYTES),
        csv.ParseOptions(quote_char=False),
        csv.ConvertOptions(column_types=types, null_values=["null"]),
    )


def _texts(written: bytes | None, lengths: pa.Int64Array) -> pa.StringArray:
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths.fill_null(0).to_numpy(), out=offsets[1:])
    buffers = [lengths.buffers()[0], pa.py_buffer(offsets), pa.py_buffer(written or b"")]
    made = pa.Array.from_buffers(pa.string(), len(lengths), buffers)
    made.validate(full=True)
    return made


def _is_text(type_: pa.DataType) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_dictionary(type_))
