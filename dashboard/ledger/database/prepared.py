"""Statements that every batch needs: compiled once for each database, and run without SQLAlchemy.

Around a statement that takes SQLite 5 µs, SQLAlchemy spends 30, and 130 around one of PostgreSQL's 40. A
batch needs thirty of them, most while others wait for its locks.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import psycopg
from sqlalchemy import Connection, Dialect, Executable, Float, Insert, Select, UpdateBase
from sqlalchemy.sql.type_api import TypeEngine

from dashboard.ledger.database.failures import as_sqlalchemy_says

_Process = Callable[[Any], Any] | None


class Prepared:
    """A statement of SQLAlchemy's, to be run very often.

    Args:
        statement: Without lists that expand.
        names: The columns given, if it inserts.

    Example:
        >>> NAME = Prepared(select(campaign.c.name).where(campaign.c.id == bindparam("id_")))
        >>> NAME.one(connection, id_="5d0c6a5c").name
        'Spring'
    """

    def __init__(self, statement: Select[Any] | UpdateBase, names: Sequence[str] = ()) -> None:
        self._statement: Executable = statement.inline() if isinstance(statement, Insert) else statement
        self._names = names
        self._of_dialect: dict[str, _Compiled] = {}

    def __call__(self, connection: Connection, **values: Any) -> Sequence[Any]:
        """Run it; returns its rows, with their columns as attributes."""
        seen = connection.dispatch
        if seen.before_cursor_execute or seen.after_cursor_execute:  # who listens hears of this one as well
            result = connection.execute(self._statement, values)
            return result.all() if result.returns_rows else ()
        if not connection.in_transaction():
            connection.begin()
        compiled = self._compiled(connection.dialect)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(compiled.text, compiled.bound(values))
            return compiled.rows(cursor.fetchall()) if compiled.row else ()
        except (sqlite3.Error, psycopg.Error) as error:
            raise as_sqlalchemy_says(error, connection) from error
        finally:
            cursor.close()

    def one(self, connection: Connection, **values: Any) -> Any:
        """Run it; returns its only row.

        Raises:
            ValueError: It has another number of them.
        """
        (row,) = self(connection, **values)
        return row

    def first(self, connection: Connection, **values: Any) -> Any | None:
        """Run it; returns its first row, None without one."""
        return next(iter(self(connection, **values)), None)

    def _compiled(self, dialect: Dialect) -> _Compiled:
        if dialect.name not in self._of_dialect:
            self._of_dialect[dialect.name] = _Compiled(self._statement, self._names, dialect)
        return self._of_dialect[dialect.name]


class _Compiled:
    """A statement in the words of one database, and what its values pass through on the way there and back.

    Attributes:
        text: What the driver is given.
        row: Makes a row, None if there are none.
    """

    def __init__(self, statement: Any, names: Sequence[str], dialect: Any) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(names) or None)
        self.text = str(compiled)
        self._fixed = {
            name: compiled.params[name] for bind, name in compiled.bind_names.items() if not bind.required
        }
        self._order: Sequence[str] | None = compiled.positiontup
        self._stores = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for bind, name in compiled.bind_names.items()
        }
        columns = list(statement.exported_columns)
        self.row: Any = namedtuple("Row", [column.key for column in columns]) if columns else None
        reads = [_reading(column.type, dialect) for column in columns]
        self._reads = [(place, read) for place, read in enumerate(reads) if read is not None]

    def bound(self, values: Mapping[str, Any]) -> Any:
        """The values as the driver takes them; those that the statement does not use are left out."""
        given = {**self._fixed, **values}
        stored = {
            name: given[name] if stores is None else stores(given[name])
            for name, stores in self._stores.items()
        }
        return stored if self._order is None else [stored[name] for name in self._order]

    def rows(self, found: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """What the driver found, as rows."""
        if not self._reads:
            return [self.row._make(cells) for cells in found]
        made = []
        for cells in map(list, found):
            for place, read in self._reads:
                cells[place] = read(cells[place])
            made.append(self.row._make(cells))
        return made


def _reading(type_: TypeEngine[Any], dialect: Any) -> _Process:
    if isinstance(type_, Float):  # PostgreSQL's would have to know how long it is
        return None
    return type_.dialect_impl(dialect).result_processor(dialect, None)
