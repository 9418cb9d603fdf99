"""Reads a stranger's file in a process of its own: file on stdin, Arrow stream of texts on stdout.

Readers can abort or take all memory on a hostile file; here that ends this process and nothing else. It is
started by its path, not as a module, so that neither pandas nor the rest of the package loads.

    python child.py '{"kind": "workbook", "memory_bytes": …, "cpu_s": …, "rows": …, "columns": …, …}'

Exit codes: 0 read · 3 unreadable · 4 no such worksheet · 5 no visible worksheet · 6 takes too much memory ·
7 too many rows or columns, which stand on stderr · 8 protected by a password · 9 no list of contacts in it.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_UNREADABLE, _NO_SUCH_SHEET, _NO_VISIBLE_SHEET, _TOO_MUCH, _TOO_MANY, _PROTECTED, _NO_LIST = range(3, 10)
_INDEX_COLUMN = "__index_level_"
_EXACT = 2**53  # whole numbers beyond it are not exact as floats


class Refused(Exception):  # noqa: N818  not an error of this program
    """The file cannot be read; the code is the process's exit code."""

    def __init__(self, code: int, rows: int = 0, columns: int = 0) -> None:
        super().__init__(code)
        self.code, self.found = code, {"rows": rows, "columns": columns}


def limit_resources(memory_bytes: int, cpu_s: int) -> None:
    """Bound this process where the system can (Linux, macOS in part; Windows has the time limit only)."""
    try:
        import resource  # noqa: PLC0415  absent on Windows
    except ImportError:
        return
    for what, amount in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (amount, amount))


def read_workbook(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """The wanted worksheet, or the first visible one."""
    import fastexcel  # noqa: PLC0415  after the limits, so that they hold for it too
    import pyarrow as pa  # noqa: PLC0415

    wanted = asked["worksheet"]
    try:
        workbook = fastexcel.read_excel(content)
        names = workbook.sheet_names
        if wanted is not None and wanted not in names:
            raise Refused(_NO_SUCH_SHEET)
        for name in [wanted] if wanted is not None else names:
            sheet = workbook.load_sheet(name, header_row=None, skip_rows=0, dtypes="string")
            if wanted is not None or sheet.visible == "visible":
                break
        else:
            raise Refused(_NO_VISIBLE_SHEET)
        check_shape(sheet.total_height, sheet.width, asked)
        table = pa.table(sheet.to_arrow()) if sheet.width else pa.table({})
    except fastexcel.FastExcelError as error:
        raise Refused(_PROTECTED if "password" in str(error).lower() else _UNREADABLE) from None
    return table, {"worksheet": name, "worksheets": names}


def read_parquet(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """All columns but a frame's index, as text."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        file = pq.ParquetFile(pa.BufferReader(content))
        check_shape(file.metadata.num_rows, file.metadata.num_columns, asked)
        table = file.read()
    except (pa.ArrowException, OSError):
        raise Refused(_UNREADABLE) from None
    names = [name for name in table.column_names if not name.startswith(_INDEX_COLUMN)]
    columns = [pa.array(map(as_text, table[name].to_pylist()), pa.large_string()) for name in names]
    return pa.table(columns, names=list(map(str, range(len(names))))), {"titles": names}


def read_json(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """The longest list in it: of objects, of rows or of single values; or one value a line (JSON Lines)."""
    import pyarrow as pa  # noqa: PLC0415

    text = content.decode(json.detect_encoding(content), "replace").removeprefix("\ufeff")
    try:
        records = records_in(text)
    except (ValueError, RecursionError):
        raise Refused(_UNREADABLE) from None
    are_objects = any(isinstance(record, dict) for record in records)
    flat = [dict(flatten(record if isinstance(record, dict | list) else [record])) for record in records]
    names = list(dict.fromkeys(itertools.chain.from_iterable(flat)))
    check_shape(len(flat), len(names), asked)
    columns = [pa.array([row.get(name, "") for row in flat], pa.large_string()) for name in names]
    table = pa.table(columns, names=list(map(str, range(len(names)))))
    return table, {"titles": names if are_objects else None}


def records_in(text: str) -> list[Any]:
    """The list of contacts in a JSON text, or the values of its lines."""
    try:
        whole = parse(text)
    except ValueError:
        return [parse(line) if line.strip() else {} for line in text.split("\n")]
    lists = sorted(lists_in(whole), key=len)
    if not lists:
        raise Refused(_NO_LIST)
    return lists[-1]


def parse(text: str) -> Any:
    """A JSON value whose numbers stay as they were typed."""
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)


def lists_in(value: Any) -> Iterator[list[Any]]:
    """Lists of contacts in a JSON value: lists as they stand, columns side by side, or one contact."""
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict) and value:
        columns = [list(column.values()) if isinstance(column, dict) else column for column in value.values()]
        if are_columns(columns):
            yield [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]
            return
        inner = [found for nested in value.values() for found in lists_in(nested)]
        of_contacts = [found for found in inner if any(isinstance(record, dict | list) for record in found)]
        yield from of_contacts or [[value]]


def are_columns(values: list[Any]) -> bool:
    """Whether these are lists of single values, all of one length."""
    if not all(isinstance(column, list) for column in values) or len(set(map(len, values))) != 1:
        return False
    return not any(isinstance(cell, dict | list) for column in values for cell in column)


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Names and texts of what an object holds; names of nested values are joined by dots."""
    if isinstance(value, dict):
        for name, nested in value.items():
            yield from flatten(nested, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and (not path or any(isinstance(part, dict | list) for part in value)):
        for place, nested in enumerate(value, start=1):
            yield from flatten(nested, f"{path}.{place}" if path else str(place))
    else:
        yield path, as_text(value)


def as_text(value: Any) -> str:
    """A value as a person would type it: no decimal point in whole numbers, semicolons between many."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
    if isinstance(value, list):
        return "; ".join(map(as_text, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def check_shape(rows: int, columns: int, asked: dict[str, Any]) -> None:
    """Refuse more rows or columns than are allowed, before memory is spent on them."""
    if rows > asked["rows"] or columns > asked["columns"]:
        raise Refused(_TOO_MANY, rows, columns)


READERS = {"workbook": read_workbook, "parquet": read_parquet, "json": read_json}


def main(asked: dict[str, Any]) -> int:
    """Read stdin as asked; the exit code."""
    limit_resources(asked["memory_bytes"], asked["cpu_s"])
    import pyarrow as pa  # noqa: PLC0415  after the limits, so that they hold for it too

    try:
        table, about = READERS[asked["kind"]](sys.stdin.buffer.read(), asked)
    except Refused as refused:
        json.dump(refused.found, sys.stderr)
        return refused.code
    if table.nbytes > asked["result_bytes"]:
        return _TOO_MUCH
    table = table.replace_schema_metadata({"about": json.dumps(about)})
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
        stream.write_table(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
