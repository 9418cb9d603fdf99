"""The lists of records in a JSON text, however programs write them, for child.py.

Records are objects (their names are kept), rows of cells, or single values. Read as lists are: lists; columns
side by side; rows beside the names of their columns (pandas' "split", answers of databases); records by key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from heapq import nlargest
from typing import Any

__all__ = ["RecordList", "lists_of"]

_FEWEST_BY_KEY = 2
_MOST_LISTS = 20
_SAMPLE_ROWS = 50
_PLACE = re.compile(r"\d{1,9}")
"""The number of a row or a level; more digits may be a phone."""
_PHONE = re.compile(r"(?!\d{4}-\d\d-\d\d)[+(\d][\d\s().\-/]{6,20}")
_TYPED = frozenset({"$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$oid", "$date", "$uuid"})
"""How MongoDB writes a value with its type: {"$numberLong": "447400123456"}."""
_NAMES = frozenset({"columns", "cols", "fields", "head", "header", "headers", "meta", "names", "schema"})
"""What programs call the names of columns that stand beside rows without names."""
_NAMED_BY = ("name", "label", "title", "field", "key", "id")
RecordList = tuple[str, list[Any]]


def lists_of(text: str) -> list[RecordList]:
    """The longest lists by their paths, each different; the values of its lines, if it has one for each.

    Raises:
        ValueError: It is not JSON.
    """
    try:
        whole = _parsed(text)
    except ValueError:
        return [("", [_parsed(line) if line.strip() else {} for line in text.split("\n")])]
    found = [one for one in _lists_in(whole, "") if _are_records(one[1])]
    if not found and whole and isinstance(whole, dict | list):
        found = [("", whole if isinstance(whole, list) else [whole])]
    longest = nlargest(_MOST_LISTS, found, key=lambda one: len(one[1]))
    return list(
        zip(_apart([path for path, _records in longest]), (one for _path, one in longest), strict=True)
    )


def _are_records(values: list[Any]) -> bool:
    return any(isinstance(value, dict | list) for value in values) or holds_phone(values)


def holds_phone(records: list[Any]) -> bool:
    """Whether the first of these records hold anything like a phone."""
    return any(map(_holds_phone, records[:_SAMPLE_ROWS]))


def _holds_phone(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_holds_phone, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and _PHONE.fullmatch(value.strip()) is not None


def _parsed(text: str) -> Any:
    """A JSON value whose numbers stay as they were typed."""
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str, object_hook=_untyped)


def _untyped(value: dict[str, Any]) -> Any:
    return next(iter(value.values())) if len(value) == 1 and _TYPED.issuperset(value) else value


def _lists_in(value: Any, path: str) -> Iterator[RecordList]:
    if isinstance(value, list):
        yield path, value
        if len(value) == 1:
            yield from _lists_in(value[0], path)
    elif isinstance(value, dict):
        table = _beside_names(value) or _side_by_side(value)
        if table:
            yield path, table
            return
        if _are_by_key(value):
            yield path, _with_key(value)
            yield path, _with_key(_turned(value))
        for name, nested in value.items():
            yield from _lists_in(nested, f"{path}.{name}" if path else name)


def _beside_names(value: dict[str, Any]) -> list[Any]:
    """Rows of cells as records, if the names of their cells stand beside them."""
    for rows in value.values():
        if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
            continue
        beside = [_names(other) for name, other in value.items() if name.lower() in _NAMES]
        names = next((one for one in beside if one and len(one) >= max(map(len, rows))), None)
        if names:
            index = value.get("index")
            levels = index if isinstance(index, list) and len(index) == len(rows) else [""] * len(rows)
            records = [
                dict(zip(_apart(names), row, strict=False)) for row in rows
            ]  # a short row lacks its last
            return _indexed(records, levels, value.get("index_names"))
    return []


def _names(value: Any) -> list[str]:
    """Names of columns: texts, several levels of them, or objects that have one each."""
    if isinstance(value, dict):
        return next((found for found in map(_names, value.values()) if found), [])
    if not isinstance(value, list):
        return []
    names = [
        ".".join(map(str, one)) if isinstance(one, list) else _name(one) if isinstance(one, dict) else one
        for one in value
    ]
    return names if all(isinstance(name, str) for name in names) else []


def _name(column: dict[str, Any]) -> Any:
    return next((column[by] for by in _NAMED_BY if isinstance(column.get(by), str)), None)


def _apart(names: list[str]) -> list[str]:
    """Names with a number where one comes again."""
    counts = [names[:place].count(name) for place, name in enumerate(names)]
    return [f"{name}#{count + 1}" if count else name for name, count in zip(names, counts, strict=True)]


def _indexed(records: list[dict[str, Any]], index: list[Any], names: Any) -> list[Any]:
    """Records with their index, unless that only counts them; its names give way to theirs."""
    levels = [one if isinstance(one, list) else [one] for one in index]
    if all(not level or _PLACE.fullmatch(str(level)) for one in levels for level in one):
        return list(records)
    given = names if isinstance(names, list) else []
    for record, one in zip(records, levels, strict=True):
        for place, level in enumerate(one):
            name = str(given[place] if place < len(given) and given[place] else "index")
            while name in record:
                name += "#2"
            record[name] = level
    return list(records)


def _side_by_side(value: dict[str, Any]) -> list[Any]:
    """Columns as records: lists of single values, or values by row number, as pandas writes them."""
    if len({tuple(column) for column in value.values() if isinstance(column, dict)}) > 1:
        return []  # then each cell belongs to its own number, in whatever order they come
    columns = [
        list(column.values()) if isinstance(column, dict) and all(map(_PLACE.fullmatch, column)) else column
        for column in value.values()
    ]
    if not all(isinstance(column, list) for column in columns) or len({*map(len, columns)}) != 1:
        return []
    if any(isinstance(cell, dict | list) for column in columns for cell in column):
        return []
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def _are_by_key(value: dict[str, Any]) -> bool:
    """Whether these are objects that share a name, like contacts stored by id, or columns by key."""
    if len(value) < _FEWEST_BY_KEY or not all(isinstance(record, dict) for record in value.values()):
        return False
    return bool(set.intersection(*map(set, value.values())))


def _turned(value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Columns by key as records by key."""
    keys = dict.fromkeys(key for column in value.values() for key in column)
    return {key: {name: column[key] for name, column in value.items() if key in column} for key in keys}


def _with_key(value: dict[str, dict[str, Any]]) -> list[Any]:
    name = "key"
    while any(name in record for record in value.values()):
        name += "#2"
    return [{name: key, **record} for key, record in value.items()]
