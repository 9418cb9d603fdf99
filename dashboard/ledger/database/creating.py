"""A new ledger's tables in the words of its database, written once per process.

SQLAlchemy takes longer to write them than SQLite to create them, and PostgreSQL a journey for each of 150.
"""

from __future__ import annotations

from functools import cache

from sqlalchemy import Connection, create_mock_engine
from sqlalchemy.schema import ExecutableDDLElement

from dashboard.ledger.database.schema import tables


def create_tables(connection: Connection) -> None:
    """Create every table and index of `schema.tables`, none of which exists."""
    for statement in _statements(connection.engine.url.drivername):
        connection.exec_driver_sql(statement)


@cache
def _statements(driver: str) -> list[str]:
    """What creates them; in a single text for PostgreSQL, while SQLite runs one statement at a time."""
    written: list[str] = []

    def write(part: ExecutableDDLElement, *_arguments: object, **_options: object) -> None:
        written.append(str(part.compile(dialect=database.dialect)))

    database = create_mock_engine(f"{driver}://", write)
    tables.create_all(database, checkfirst=False)
    return written if driver.startswith("sqlite") else [";\n".join(written)]
