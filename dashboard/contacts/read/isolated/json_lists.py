"""The lists of records in a JSON text, however programs write them, for child.py.

Records are objects (their names are kept), rows of cells, or single values. Read as lists are: lists; columns
side by side; rows whose names stand elsewhere (pandas' "split", answers of databases); records by key.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest
from itertools import chain, islice, takewhile
from operator import eq
from typing import Any

__all__ = ["RecordList", "apart", "lists_of"]

_MOST_LISTS = 200
_SAMPLE_ROWS = 50
_PLACE = re.compile(r"\d{1,8}")
"""The number of a row or a level; more digits may be a phone."""
_PHONE = re.compile(r"(?i:tel:)?(?!\d{4}-\d\d-\d\d)[+(\d][\d\s().\-/]{6,20}")
_BETWEEN = re.compile(r"[,;\n]")
_TYPED = frozenset({"$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$oid", "$date", "$uuid"})
"""How MongoDB writes a value with its type: {"$numberLong": "447400123456"}."""
_OF_NAMES = re.compile(r"(?!.*index).*(?:col|field|head|meta|name|schema)", re.IGNORECASE)
"""Paths at which names of columns stand: "columns", "table.cols", "resultSetMetaData.rowType"."""
_NAMED_BY = ("name", "label", "title", "header", "field", "data", "key", "id")
_WRAPPING = frozenset({"v", "f", "p"})
RecordList = tuple[str, list[Any]]


def lists_of(text: str) -> list[RecordList]:
    """The longest lists by their paths, each different; the values of its lines, if it has one for each.

    Beside a list, a phone outside it is a list of one: somebody who refuses may stand alone.

    Raises:
        ValueError: It is not JSON.
    """
    try:
        whole = _parsed(text)
    except ValueError:
        return [("", [_parsed(line) if line.strip() else {} for line in text.split("\n")])]
    every = _by_name(_values_in(whole, ""))
    lists = {path: value for path, value in every.items() if isinstance(value, list)}
    if not any(map(_are_records, lists.values())) and whole and isinstance(whole, dict | list):
        return [("", whole if isinstance(whole, list) else [whole])]
    found = _longest((path, value) for path, value in lists.items() if value)
    named = {path: _named(path, value, lists) for path, value in found}
    about = {path for _records, beside in named.values() for path in beside}
    inside = tuple(f"{path}." if path else "" for path in named)
    alone = (
        (path, [value])
        for path, value in every.items()
        if not isinstance(value, list) and not path.startswith(inside)
    )
    return _longest(chain(((path, named[path][0]) for path in named if path not in about), alone))


def _longest(lists: Iterable[RecordList]) -> list[RecordList]:
    """The longest; what is no list of people comes last, and may still say who refuses."""
    return nlargest(_MOST_LISTS, lists, key=lambda one: (_are_records(one[1]), len(one[1])))


def _are_records(values: list[Any]) -> bool:
    return _is_nested(values) or holds_phone(values)


def _is_nested(values: Iterable[Any]) -> bool:
    return any(isinstance(value, dict | list) for value in values)


def holds_phone(records: Iterable[Any]) -> bool:
    """Whether the first of these records hold anything like a phone."""
    return any(map(_holds_phone, islice(records, _SAMPLE_ROWS)))


def _holds_phone(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_holds_phone, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and any(_PHONE.fullmatch(one.strip()) for one in _BETWEEN.split(value))


def _parsed(text: str) -> Any:
    """A JSON value whose numbers stay as they were typed; NaN is none."""
    return json.loads(
        text,
        parse_int=str,
        parse_float=str,
        parse_constant=lambda said: None if said == "NaN" else said,
        object_pairs_hook=_object,
    )


def _object(pairs: list[tuple[str, Any]]) -> Any:
    value = dict(pairs)
    if len(value) < len(pairs):
        value = _by_name(pairs)
    return next(iter(value.values())) if len(value) == 1 and _TYPED.issuperset(value) else value


def _by_name(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    pairs = list(pairs)
    return dict(zip(apart([name for name, _value in pairs]), (value for _name, value in pairs), strict=True))


def apart(names: Iterable[str]) -> list[str]:
    """Names with a number where one comes again."""
    counts: Counter[str] = Counter()
    unique: dict[str, None] = {}
    for name in names:
        counts[name] += 1
        told = f"{name}#{counts[name]}" if counts[name] > 1 else name
        while told in unique:
            told += "#2"
        unique[told] = None
    return list(unique)


def _values_in(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """All lists by their paths, and the phones that stand outside them."""
    if isinstance(value, list):
        only = value[0] if len(value) == 1 else None
        is_list = isinstance(only, dict) or (isinstance(only, list) and _is_nested(only))
        inner = list(_values_in(only, path)) if is_list else []
        if all(where != path for where, _value in inner):
            yield path, value
        yield from inner
    elif isinstance(value, dict):
        yield from _values_of(value, path)
    elif path and _holds_phone(value):
        yield path, value


def _values_of(value: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    table = [] if _are_phones(value) else _side_by_side(value)
    keyed = {} if table else _by_key(value)
    if table:
        yield path, table
    places = (path, f"{path}.transposed".removeprefix("."))
    yield from zip(places, map(_with_key, _readings(keyed)), strict=False)
    if holds_phone(table):
        return
    for name, nested in value.items():
        place = f"{path}.{name}" if path else name
        if _PHONE.fullmatch(name):  # which is in no path: paths are shown
            place = f"{path}.keys".removeprefix(".")
            yield place, name
        if not keyed or _is_nested(keyed[name].values()):
            yield from _values_in(nested, place)


def _named(path: str, values: list[Any], lists: Mapping[str, list[Any]]) -> tuple[list[Any], set[str]]:
    """Rows of cells as records, and the paths of their names and index; as rows if no names are certain."""
    rows = [row for row in map(_cells, values) if row is not None]
    if len(rows) < len(values):
        return values, set()
    cells = [list(map(_unwrapped, row)) for row in rows]
    width = max(map(len, rows), default=0)
    at = _names_for(path, width, lists)
    if not at:
        return values if cells == rows else cells, set()
    at_index, at_called = (
        f"{path.rpartition('.')[0]}.{name}".removeprefix(".") for name in ("index", "index_names")
    )
    index = lists.get(at_index, [])
    if len(index) != len(rows) or at_index == path:
        index, at_index = [[]] * len(rows), at
    levels = _levels(index)
    called = [name or "index" for name in lists.get(at_called, [])] + ["index"] * len(levels[0])
    names = apart(map(str, [*_names(lists[at]), *called]))
    full = ([*row, *[None] * (width - len(row)), *more] for row, more in zip(cells, levels, strict=True))
    return [dict(zip(names, row, strict=False)) for row in full], {at, at_index}


def _cells(row: Any) -> list[Any] | None:
    """The cells of a row: of a list, or of an object that has one list and nothing else."""
    if isinstance(row, dict) and len(row) == 1:
        (row,) = row.values()
    return row if isinstance(row, list) else None


def _unwrapped(cell: Any) -> Any:
    """The value of {"v": 5, "f": "5.00"}, as charts and databases write it with how it looks."""
    return cell["v"] if isinstance(cell, dict) and "v" in cell and _WRAPPING.issuperset(cell) else cell


def _names_for(path: str, width: int, lists: Mapping[str, list[Any]]) -> str:
    """Where the names of so many cells stand: at the nearest place, unless other names are as near."""
    names = {
        where: tuple(_names(values))
        for where, values in lists.items()
        if len(values) == width and where != path and _OF_NAMES.match(where)
    }
    near = {
        where: sum(takewhile(bool, map(eq, where.split("."), path.split("."))))
        for where in names
        if names[where]
    }
    nearest = {names[where]: where for where in near if near[where] == max(near.values())}
    return next(iter(nearest.values())) if len(nearest) == 1 else ""


def _names(values: list[Any]) -> list[str]:
    """Names of columns: texts, several levels of them, or objects that have one each."""
    names = [
        ".".join(map(str, one)) if isinstance(one, list) else _name(one) if isinstance(one, dict) else one
        for one in values
    ]
    texts = [name for name in names if isinstance(name, str)]
    return texts if len(texts) == len(names) and not holds_phone(values) else []


def _name(column: dict[str, Any]) -> str | None:
    """What a column is called, if not by its letter alone, as in a spreadsheet."""
    called = {by.lower(): name for by, name in column.items() if isinstance(name, str)}
    return next((called[by] for by in _NAMED_BY if len(called.get(by, "")) > (by == "id")), None)


def _levels(index: list[Any]) -> list[list[Any]]:
    """What an index says of each row: nothing if it only counts them."""
    levels = [one if isinstance(one, list) else [one] for one in index]
    is_count = all(not level or _PLACE.fullmatch(str(level)) for one in levels for level in one)
    return [[]] * len(levels) if is_count else levels


def _side_by_side(value: dict[str, Any]) -> list[Any]:
    """Columns as records: lists of single values, or values by row number, as pandas writes them.

    Lists that all hold phones are of different people: those who agree beside those who refuse.
    """
    if len({tuple(column) for column in value.values() if isinstance(column, dict)}) > 1:
        return []  # then each cell belongs to its own number, in whatever order they come
    columns = [
        list(column.values()) if isinstance(column, dict) and all(map(_PLACE.fullmatch, column)) else column
        for column in value.values()
    ]
    if not all(isinstance(column, list) for column in columns) or len({*map(len, columns)}) != 1:
        return []
    are_people = all(isinstance(column, list) and holds_phone(column) for column in value.values())
    if are_people or any(map(_is_nested, columns)):
        return []
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def _are_phones(keys: Iterable[str]) -> bool:
    found = [_PHONE.fullmatch(key) is not None for key in keys]
    return sum(found) * 2 > len(found)


def _by_key(value: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Records by key: what stands behind phones, or objects most of which share a name."""
    if _are_phones(value):
        return {key: one if isinstance(one, dict) else {"value": one} for key, one in value.items()}
    records = {key: {} if one is None else one for key, one in value.items()}
    if not all(isinstance(record, dict) for record in records.values()):
        return {}
    shared = Counter(chain.from_iterable(records.values()))
    most = max(shared.values(), default=0)
    return records if most > 1 and most * 2 > len(records) else {}


def _readings(keyed: dict[str, dict[str, Any]]) -> list[dict[str, dict[str, Any]]]:
    """Records by key, or columns by key as records: of both, what has its phones under fewer names."""
    keys = dict.fromkeys(key for record in keyed.values() for key in record)
    columns = {key: {name: one[key] for name, one in keyed.items() if key in one} for key in keys}
    found = [
        {
            name
            for one in islice(records.values(), _SAMPLE_ROWS)
            for name, cell in one.items()
            if _holds_phone(cell)
        }
        for records in (keyed, columns)
    ]
    fewest = min(map(len, found))
    return [one for one, names in zip((keyed, columns), found, strict=True) if keyed and len(names) == fewest]


def _with_key(value: dict[str, dict[str, Any]]) -> list[Any]:
    name = "key"
    while any(name in record for record in value.values()):
        name += "#2"
    return [{name: key, **record} for key, record in value.items()]
