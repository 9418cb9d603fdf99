"""Write rows into tables: many at once, leaving out or changing those that already exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, insert
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.ledger.database.failures import said_by_driver

NAMED_AT_ONCE = 10_000
"""SQLite accepts 32,766 values per statement, PostgreSQL 65,535."""

_Value = TypeVar("_Value")


def chunks(values: Iterable[_Value]) -> Iterator[list[_Value]]:
    """The values, as many at a time as any statement can hold."""
    left = iter(values)
    while chunk := list(islice(left, NAMED_AT_ONCE)):
        yield chunk


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, leaving out those whose key already exists."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    connection.execute(dialect.insert(table).on_conflict_do_nothing(), list(rows))


def insert_columns(connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert many rows given column by column; columns that are all None are left out.

    On SQLite they bypass SQLAlchemy, which takes longer over a row's values than SQLite over the row.
    """
    names = tuple(name for name, values in columns.items() if any(value is not None for value in values))
    if connection.dialect.name != "sqlite":
        rows = zip(*(columns[name] for name in names), strict=True)
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
        return
    statement, ordered = _plan(table, names)
    stored = [
        columns[name] if stores is None else [stores(value) for value in columns[name]]
        for name, stores in ordered
    ]
    connection.exec_driver_sql(statement, list(zip(*stored, strict=True)))


def insert_stored(connection: Connection, table: Table, columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert very many rows, given column by column as the database stores them: numbers, texts and None.

    PostgreSQL takes them with COPY, ten times as fast as with INSERT.
    """
    names = [name for name, values in columns.items() if any(value is not None for value in values)]
    listed = ", ".join(f'"{name}"' for name in names)
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        statement = f"INSERT INTO {table.name} ({listed}) VALUES ({marks})"  # noqa: S608 - names of ours
        connection.exec_driver_sql(statement, list(zip(*(columns[name] for name in names), strict=True)))
        return
    lines = zip(*(_copied(columns[name]) for name in names), strict=True)
    content = "".join("\t".join(line) + "\n" for line in lines)
    driver: Any = connection.connection.driver_connection
    statement = f"COPY {table.name} ({listed}) FROM STDIN"
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


def _copied(values: Sequence[Any]) -> list[str]:
    """Values in the text format of COPY."""
    return [
        "\\N" if value is None else value.translate(_COPIED) if isinstance(value, str) else str(value)
        for value in values
    ]


@cache
def _plan(table: Table, names: tuple[str, ...]) -> tuple[str, list[tuple[str, Any]]]:
    """SQLite's statement that inserts these columns and, in its order, what makes their values storable."""
    dialect = sqlite.dialect()
    compiled: Any = insert(table).compile(dialect=dialect, column_keys=names)
    return str(compiled), [
        (name, table.c[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in compiled.positiontup
    ]


def insert_or_nothing(connection: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row; False if there already is one with its key."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    added = dialect.insert(table).values(row).on_conflict_do_nothing().returning(*table.primary_key)
    return connection.execute(added).first() is not None


def upsert(connection: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Insert a row, or give the one with its key these values."""
    dialect: Any = sqlite if connection.dialect.name == "sqlite" else postgresql
    key = [column.name for column in table.primary_key]
    values = {name: value for name, value in row.items() if name not in key}
    connection.execute(
        dialect.insert(table).values(row).on_conflict_do_update(index_elements=key, set_=values)
    )
