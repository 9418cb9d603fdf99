"""Write rows into tables: many at once, leaving out or changing those that already exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import chain, islice, repeat
from operator import is_not
from typing import Any, TypeVar

import orjson
from sqlalchemy import ColumnElement, Connection, Dialect, Row, Select, Table
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.ledger.database.failures import said_by_driver

NAMED_AT_ONCE = 10_000
"""SQLite accepts 32,766 values per statement, PostgreSQL 65,535."""

_VALUES_AT_ONCE = 8_192
"""Enough that each of them costs nothing, and few enough for what a statement of that length needs itself."""

_Value = TypeVar("_Value")


def chunks(values: Iterable[_Value]) -> Iterator[list[_Value]]:
    """The values, as many at a time as any statement can hold."""
    left = iter(values)
    while chunk := list(islice(left, NAMED_AT_ONCE)):
        yield chunk


def rows_with(
    connection: Connection, query: Select[Any], column: ColumnElement[Any], values: Iterable[Any]
) -> Iterator[Row[*tuple[Any, ...]]]:
    """The query's rows in which the column has one of these values, however many these are."""
    for chunk in chunks(values):
        yield from connection.execute(query.where(column.in_(chunk)))


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, leaving out those whose key already exists."""
    if rows:  # without any, SQLAlchemy would insert one of defaults
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), list(rows))


def insert_columns(
    connection: Connection,
    table: Table,
    columns: Mapping[str, Sequence[Any]],
    *,
    only_new: bool = False,
    conflict: str = "",
) -> None:
    """Insert many rows given column by column; columns that are all None are left out.

    They bypass SQLAlchemy, which takes longer over a row's values than the database over the row. Each
    statement has many rows: with one row each, SQLite would give the interpreter's lock away for every row,
    and PostgreSQL would answer every row.

    Args:
        connection: A write transaction.
        table: Where to.
        columns: Equally many values for each column.
        only_new: Leave out rows whose key already exists.
        conflict: Or what happens to these instead, as SQL.
    """
    names, then = _given(columns), " ON CONFLICT DO NOTHING" if only_new else conflict
    stored = [
        list(columns[name]) if stores is None else _each(stores, columns[name])
        for name, stores in zip(names, _stores(table, names, connection.dialect.name), strict=True)
    ]
    if connection.dialect.name == "sqlite":
        rows = list(zip(*stored, strict=True))
        most = _VALUES_AT_ONCE // len(names)
        for start in range(0, len(rows), most):
            part = rows[start : start + most]
            statement = _with_values(table, names, len(part)) + then
            connection.exec_driver_sql(statement, tuple(chain.from_iterable(part)))
    else:
        plain = [str(name) for name in names]  # SQLAlchemy's are of a kind of their own
        given = orjson.dumps([dict(zip(plain, row, strict=True)) for row in zip(*stored, strict=True)])
        connection.exec_driver_sql(_from_json(table, names) + then, (given.decode(),))


def add_to(connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]]) -> None:
    """Add to a table's numbers, making rows that are missing; those of which nothing is left go.

    Args:
        connection: A write transaction.
        table: All its columns that are not in its key are numbers.
        columns: What to add, column by column, a key only once; of the numbers, the first tells which rows
            get less.
    """
    keys, (first, *_rest) = _keys_and_numbers(table)
    insert_columns(connection, table, columns, conflict=adding_to(table))
    rows = zip(columns[first], *(columns[key] for key in keys), strict=True)
    less = [key for more, *key in rows if more < 0]
    mark, most = "?" if connection.dialect.name == "sqlite" else "%s", _VALUES_AT_ONCE // len(keys)
    for start in range(0, len(less), most):
        part = less[start : start + most]
        connection.exec_driver_sql(_emptying(table, len(part), mark), tuple(chain.from_iterable(part)))


def insert_stored(connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert very many rows, given column by column as the database stores them: numbers, texts and None.

    PostgreSQL takes them with COPY, ten times as fast as with INSERT.
    """
    names = _given(columns)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        statement = f"{_into(table, names)} VALUES ({marks})"
        connection.exec_driver_sql(statement, list(zip(*(columns[name] for name in names), strict=True)))
        return
    lines = zip(*(_copied(columns[name]) for name in names), strict=True)
    content = "".join("\t".join(line) + "\n" for line in lines)
    driver: Any = connection.connection.driver_connection
    statement = f"COPY {table.name} ({_listed(names)}) FROM STDIN"
    with said_by_driver(connection), driver.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(content)


@contextmanager
def much_to_write(connection: Connection) -> Iterator[None]:
    """Let SQLite keep more of the file in memory: a million random keys are then written twice as fast."""
    if connection.dialect.name != "sqlite":
        yield
        return
    usual = connection.exec_driver_sql("PRAGMA cache_size").scalar_one()
    connection.exec_driver_sql(f"PRAGMA cache_size=-{_CACHE_KIB}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size={usual}")


_CACHE_KIB = 131_072
_COPIED = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _given(columns: Mapping[str, Sequence[Any]]) -> tuple[str, ...]:
    """The columns that are not all None."""
    return tuple(name for name, values in columns.items() if any(map(is_not, values, repeat(None))))


def _copied(values: Sequence[Any]) -> list[str]:
    """Values in the text format of COPY."""
    return [
        "\\N" if value is None else value.translate(_COPIED) if isinstance(value, str) else str(value)
        for value in values
    ]


def _each(stores: Callable[[Any], Any], values: Sequence[Any]) -> list[Any]:
    """What is stored of each value; most are one and the same object, which is converted once."""
    keys = [*map(id, values)]
    made = {key: stores(value) for key, value in dict(zip(keys, values, strict=True)).items()}
    return [*map(made.__getitem__, keys)]


_DIALECTS: Mapping[str, Callable[[], Dialect]] = {"sqlite": sqlite.dialect, "postgresql": postgresql.dialect}


@cache
def _stores(table: Table, names: tuple[str, ...], database: str) -> list[Callable[[Any], Any] | None]:
    """What makes the values of these columns storable, None for those that are stored as they are."""
    dialect = _DIALECTS[database]()
    return [table.c[name].type.dialect_impl(dialect).bind_processor(dialect) for name in names]


@lru_cache(maxsize=256)
def _with_values(table: Table, names: tuple[str, ...], rows: int) -> str:
    marks = f"({', '.join('?' * len(names))})"
    return f"{_into(table, names)} VALUES {', '.join([marks] * rows)}"


@cache
def _from_json(table: Table, names: tuple[str, ...]) -> str:
    """One value for all rows: psycopg takes longer over a list than PostgreSQL over its JSON."""
    dialect = _DIALECTS["postgresql"]()
    kinds = (f'"{name}" {table.c[name].type.dialect_impl(dialect).compile(dialect)}' for name in names)
    rows = f"json_to_recordset(%s) AS given ({', '.join(kinds)})"
    return f"{_into(table, names)} SELECT * FROM {rows}"  # noqa: S608 - names of ours


def _into(table: Table, names: Iterable[str]) -> str:
    return f"INSERT INTO {table.name} ({_listed(names)})"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _keys_and_numbers(table: Table) -> tuple[list[str], list[str]]:
    keys = [column.name for column in table.primary_key]
    return keys, [name for name in table.columns.keys() if name not in keys]  # noqa: SIM118 - as in schema.py


@cache
def adding_to(table: Table) -> str:
    """What an INSERT does with rows that exist: it adds to their numbers, which are all but the key."""
    keys, numbers = _keys_and_numbers(table)
    sums = ", ".join(f"{name} = {table.name}.{name} + excluded.{name}" for name in numbers)
    return f" ON CONFLICT ({_listed(keys)}) DO UPDATE SET {sums}"


@lru_cache(maxsize=256)
def _emptying(table: Table, rows: int, mark: str) -> str:
    keys, numbers = _keys_and_numbers(table)
    marks = f"({', '.join([mark] * len(keys))})"
    these = f"({_listed(keys)}) IN (VALUES {', '.join([marks] * rows)})"
    return f"DELETE FROM {table.name} WHERE {these} AND {' AND '.join(f'{one} = 0' for one in numbers)}"  # noqa: S608 - names of ours


def insert_or_nothing(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row; False if there already is one with its key."""
    added = _insert(connection, table).values(row).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(added).first() is not None


def upsert(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Insert a row, or give the one with its key these values."""
    key = [column.name for column in table.primary_key]
    values = {name: value for name, value in row.items() if name not in key}
    added = _insert(connection, table).values(row)
    connection.execute(added.on_conflict_do_update(index_elements=key, set_=values))


def _insert(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An INSERT in the words of the database, which say what happens to rows whose key exists."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)
