"""Read a stranger's file in a separate process: file on stdin, Arrow stream of texts on stdout.

Readers can abort or take all memory on a hostile file; here that ends only this process. It is
started by its path, not as a module, so that neither pandas nor the rest of the package loads.

    python child.py '{"kind": "workbook", "memory_bytes": …, "cpu_s": …, "rows": …, "columns": …, …}'

Exit codes: 0 read · 3 unreadable · 4 no such worksheet · 5 no visible worksheet · 6 takes too much memory ·
7 too many rows or columns, given on stderr · 8 protected by a password · 9 no list of contacts in it ·
10 more than the reader knows how to read · 11 no such list.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import runpy
import struct
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import fastexcel
    import pyarrow as pa
    import pyarrow.parquet as pq

_UNREADABLE, _NO_SUCH_SHEET, _NO_VISIBLE_SHEET, _TOO_MUCH, _TOO_MANY, _PROTECTED, _NO_LIST = range(3, 10)
_BEYOND_READER, _NO_SUCH_LIST = 10, 11
_PANIC = "PanicException"  # of fastexcel's Rust; the class cannot be imported
_INDEX_COLUMN = "__index_level_"
_MOST_ROWS = 10**8  # as of frames (read/column_names.py)
_SAMPLE_ROWS = 50
_EXACT = 2**53  # whole numbers beyond it are not exact as floats
_EXACT_IN_4_BYTES = 2**24
_OF_MONEY = 2  # decimals


class Refused(Exception):  # noqa: N818  not an error of this program
    """The file cannot be read; the code is the process's exit code."""

    def __init__(self, code: int, rows: int = 0, columns: int = 0) -> None:
        super().__init__(code)
        self.code, self.found = code, {"rows": rows, "columns": columns}


def limit_resources(memory_bytes: int, cpu_s: int) -> None:
    """Limit this process where the system can (Linux, macOS in part; Windows has only the time limit)."""
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


def _beside(name: str) -> dict[str, Any]:
    """What a file in this folder defines."""
    return runpy.run_path(str(Path(__file__).with_name(name)))


def read_workbook(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """A worksheet as texts."""
    import fastexcel  # noqa: PLC0415  after the limits, so that they hold for it too
    import pyarrow as pa  # noqa: PLC0415

    wanted = asked["worksheet"]
    try:
        workbook = opened(content)
        names = workbook.sheet_names
        if wanted is not None and wanted not in names:
            raise Refused(_NO_SUCH_SHEET)
        sheet = chosen_sheet(workbook, wanted)
        check_shape(sheet.total_height, sheet.width, asked)
        about: dict[str, Any] = {"worksheet": sheet.name, "worksheets": names}
        about |= {"error_cells": 0, "first_column": 1}
        if not sheet.width:
            return pa.table({}), about
        about["first_column"] += sheet.available_columns()[0].absolute_index
        batch, about["error_cells"] = cells_of(sheet, content)
    except fastexcel.FastExcelError as error:
        raise Refused(_PROTECTED if "password" in str(error).lower() else _UNREADABLE) from None
    return pa.Table.from_batches([batch]), about  # not pa.table(), which would load pandas


def opened(content: bytes) -> fastexcel.ExcelReader:
    """The workbook; of an OpenDocument spreadsheet that readers would misread, a tidy copy."""
    import fastexcel  # noqa: PLC0415  after the limits, so that they hold for it too

    if content.startswith(b"PK") and b"content.xml" in content:
        content = _beside("tidy_ods.py")["tidied"](content)
    return fastexcel.read_excel(content)


def cells_of(sheet: fastexcel.ExcelSheet, content: bytes) -> tuple[pa.RecordBatch, int]:
    """The cells, and in the binary formats how many hold an error; in XML that is seen beforehand."""
    if content.startswith(b"PK") and b"xl/workbook.bin" not in content:
        return sheet.to_arrow(), 0
    batch, errors = sheet.to_arrow_with_errors()
    return batch, 0 if errors is None else len(errors.errors)


def chosen_sheet(workbook: fastexcel.ExcelReader, wanted: str | None) -> fastexcel.ExcelSheet:
    """The requested worksheet, else the first visible one with anything in it, else the first visible one."""
    visible = []
    for name in workbook.sheet_names if wanted is None else [wanted]:
        sheet = workbook.load_sheet(name, header_row=None, skip_rows=0, dtypes="string")
        if sheet.visible == "visible" and not sheet.width:
            visible.append(sheet)
        elif sheet.visible == "visible" or wanted is not None:
            return sheet
    if not visible:
        raise Refused(_NO_VISIBLE_SHEET)
    return visible[0]


@contextlib.contextmanager
def parquet_file(source: Path | pa.BufferReader) -> Iterator[pq.ParquetFile]:
    """A Parquet file that can be read, or Refused.

    Of Spark's times, which are in nanoseconds otherwise, those of the year 9999 would be of 1816.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        with pq.ParquetFile(source, coerce_int96_timestamp_unit="us") as file:
            yield file
    except MemoryError:  # one of Arrow's as well
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        if isinstance(error, OSError) and error.errno:  # the disk's, not the file's
            raise
        raise Refused(_UNREADABLE) from None


def read_parquet(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """All columns as text, those of a frame's index too unless it only counts rows; nested values by path."""
    import pyarrow as pa  # noqa: PLC0415

    with parquet_file(pa.BufferReader(content)) as file:
        check_shape(file.metadata.num_rows, file.metadata.num_columns, asked)
        table = file.read()
        kept = titles_of(table)
        unique = _beside("json_lists.py")["apart"](kept.values())
        titles = [title and name for title, name in zip(kept.values(), unique, strict=True)]
        columns = [table.column(place) for place in kept]
        columns = [one if pa.types.is_nested(one.type) else texts_of_column(one) for one in columns]
        if any(pa.types.is_nested(one.type) for one in columns):
            rows = zip(*map(values_of, columns), strict=True)
            return as_table([dict(zip(unique, row, strict=True)) for row in rows], asked)
    return pa.table(columns, names=list(map(str, range(len(kept))))), {"titles": titles, "names": titles}


def texts_of_column(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """A column's values as texts; a missing one is none."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    try:
        column.validate(full=True)
        if pa.types.is_integer(column.type) or pa.types.is_string(column.type):
            return pc.fill_null(column.cast(pa.large_string()), "")
        return pa.array(map(as_text, values_of(column)), pa.large_string())
    except (ValueError, OverflowError):
        return pa.array(map(text_of, column), pa.large_string())


def text_of(cell: pa.Scalar) -> str:
    """Its text, as far as its letters are UTF-8; U+FFFD for a time beyond the calendar."""
    import pyarrow as pa  # noqa: PLC0415

    try:
        return as_text(cell.as_py())
    except (ValueError, OverflowError):
        return "\ufffd" if pa.types.is_temporal(cell.type) else as_text(cell.cast(pa.binary()).as_py())


def values_of(column: pa.Array | pa.ChunkedArray) -> list[Any]:
    """A column's values, with floats of 4 bytes in them as `exact` has them."""
    values: list[Any] = column.to_pylist()
    return [exact(value, column.type) for value in values] if "float" in str(column.type) else values


def exact(value: Any, kind: pa.DataType) -> Any:
    """A value with the shortest float for each of 4 bytes; a text where one has lost its last digits."""
    import pyarrow as pa  # noqa: PLC0415

    if value is None or pa.types.is_map(kind):
        return value
    if pa.types.is_struct(kind):
        return {field.name: exact(value[field.name], field.type) for field in kind}
    if pa.types.is_nested(kind):
        return [exact(one, kind.value_type) for one in value]
    if not pa.types.is_float32(kind) or not math.isfinite(value):
        return value
    if abs(value) > _EXACT_IN_4_BYTES:
        return f"{value:.6e}"
    shorter = (float(f"{value:.{digits}g}") for digits in range(6, 10))
    return next(one for one in shorter if struct.pack("f", one) == struct.pack("f", value))


def titles_of(table: pa.Table) -> dict[int, str]:
    """What columns are called, by place; a frame's index as pandas notes it, unless that counts rows."""
    try:
        about = json.loads(table.schema.metadata[b"pandas"])
        called = {one["field_name"]: one["name"] for one in about["columns"]}
        is_alone = len(about["index_columns"]) == 1
    except (KeyError, TypeError, ValueError, RecursionError):
        called, is_alone = {}, True
    titles = dict(enumerate(table.column_names))
    for place, name in enumerate(table.column_names):
        if name.startswith(_INDEX_COLUMN):
            titles[place] = printable(str(called.get(name) or ""))
            if is_alone and called.get(name) is None and counts_rows(table.column(place)):
                del titles[place]
    return titles


def counts_rows(column: pa.ChunkedArray) -> bool:
    """Whether these are numbers, none of them so large that it may be a phone."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415

    is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    return is_number and not (pc.max(column).as_py() or 0) >= _MOST_ROWS


def read_json(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """The requested list in it, or the only one; of several, what there is to tell them apart by."""
    import pyarrow as pa  # noqa: PLC0415

    reader = _beside("json_lists.py")
    text = content.decode(json.detect_encoding(content), "replace").removeprefix("\ufeff")
    try:
        lists = dict(reader["lists_of"](text))
        told = {
            path: {"names": names_of(records, asked["columns"]), "phones": reader["holds_phone"](records)}
            for path, records in lists.items()
        }
    except (ValueError, RecursionError):
        raise Refused(_UNREADABLE) from None
    wanted = asked["worksheet"]
    if not lists or wanted not in {None, *lists}:
        raise Refused(_NO_SUCH_LIST if lists else _NO_LIST)
    if len(lists) > 1 and wanted is None:
        return pa.table({}), {"titles": None, "lists": told}
    table, about = as_table(lists.get(wanted, next(iter(lists.values()))), asked)
    return table, {**about, "lists": told}


def names_of(records: list[Any], most: int) -> list[str]:
    """The first names in the first records."""
    found = (texts_of(record) for record in records[:_SAMPLE_ROWS] if isinstance(record, dict))
    return list(map(printable, dict.fromkeys(itertools.chain.from_iterable(found))))[:most]


def as_table(records: list[Any], asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """Records as texts, with a column for every name in any; rows that are not objects have no names."""
    import pyarrow as pa  # noqa: PLC0415

    are_objects = any(isinstance(record, dict) and record for record in records)
    flat = [texts_of(record if isinstance(record, dict | list) else [record]) for record in records]
    names = list(dict.fromkeys(itertools.chain.from_iterable(flat)))
    nested = {name[:end] for name in names for end, letter in enumerate(name) if letter == "."}
    told = {name for name in nested if any(row.get(name) for row in flat)}
    names = [name for name in names if name not in nested or name in told]  # null where others have an object
    check_shape(len(flat), len(names), asked)
    columns = [pa.array([row.get(name, "") for row in flat], pa.large_string()) for name in names]
    table = pa.table(columns, names=list(map(str, range(len(names)))))
    names = list(map(printable, names))
    return table, {"titles": names if are_objects else None, "names": names}


def texts_of(record: dict[str, Any] | list[Any]) -> dict[str, str]:
    """Texts by name; a path gets a number where a name is spelled like it: {"a.b": 1, "a": {"b": 2}}."""
    cells: dict[str, str] = {}
    for name, text in flatten(record):
        cells[f"{name}#2" if name in cells else name] = text
    return cells


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Names and texts of an object's values; names of nested values are joined by dots."""
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
    if isinstance(value, float | Decimal):
        return number_text(value)
    if isinstance(value, list):
        return "; ".join(map(as_text, value))
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else printable(str(value))


def number_text(value: float | Decimal) -> str:
    """A number without the zeros with which databases fill up decimals; NaN is none."""
    if isinstance(value, Decimal):
        whole, _, decimals = (text := f"{value:f}").partition(".")
        if len(decimals) <= _OF_MONEY:
            return text
        return f"{whole}.{left:0<{_OF_MONEY}}" if (left := decimals.rstrip("0")) else whole
    is_whole = value.is_integer() and abs(value) < _EXACT
    return str(int(value)) if is_whole else "" if math.isnan(value) else repr(value)


def printable(text: str) -> str:
    """The text without half characters, which JSON can contain and UTF-8 cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def check_shape(rows: int, columns: int, asked: dict[str, Any]) -> None:
    """Refuse more rows or columns than are allowed, before memory is spent on them."""
    if rows > asked["rows"] or columns > asked["columns"]:
        raise Refused(_TOO_MANY, rows, columns)


def read_cards(content: bytes, asked: dict[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    """The lines of business cards that matter for texting: card, group, name, types and text."""
    import pyarrow as pa  # noqa: PLC0415

    reader = _beside("card_lines.py")["read_cards"]
    text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    columns, about = reader(text, asked["rows"], asked["until"])
    texts = [pa.array(map(printable, map(str, values)), pa.large_string()) for values in columns.values()]
    return pa.table(texts, names=list(columns)), about


READERS = {"workbook": read_workbook, "parquet": read_parquet, "json": read_json, "vcard": read_cards}


def main(asked: dict[str, Any]) -> int:
    """Read stdin as requested; returns the exit code."""
    limit_resources(asked["memory_bytes"], asked["cpu_s"])
    if asked["kind"] != "parquet":  # its times may need pandas; the others save 0.25 s, as pyarrow does
        sys.modules["numpy"] = None  # type: ignore[assignment]  # without when an import of it fails
    import pyarrow as pa  # noqa: PLC0415  after the limits, so that they hold for it too

    try:
        table, about = READERS[asked["kind"]](sys.stdin.buffer.read(), asked)
    except Refused as refused:
        json.dump(refused.found, sys.stderr)
        return refused.code
    except MemoryError:
        return _TOO_MUCH
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        return _BEYOND_READER
    if table.nbytes > asked["result_bytes"]:
        return _TOO_MUCH
    table = table.replace_schema_metadata({"about": json.dumps(about)})
    with pa.ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
        stream.write_table(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
