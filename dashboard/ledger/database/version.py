"""Which version a ledger's tables are of: a row of `fact`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import Connection, inspect

from dashboard.errors import LedgerDamagedError, LedgerVersionError
from dashboard.ledger.database import schema
from dashboard.ledger.database.ledger_file import OF_MESSAGE, TABLES

VERSION = 4
"""The version of the tables in schema.py."""

FACT = "version"
_VERSION = re.compile("[1-9][0-9]{0,8}")
READ_VERSION = f"SELECT max(value) FROM fact WHERE name = '{FACT}'"  # noqa: S608 - our own word

_TABLE_BEFORE, _LAST_BEFORE = "ledger_version", 19
"""Where versions were counted before the first release, and how far."""

_COLUMNS = {"message": OF_MESSAGE, "fact": {"name", "value"}, _TABLE_BEFORE: {"version"}}
"""By which tables of these names are known for a ledger's."""

_READ_BEFORE = "SELECT max(version) FROM ledger_version"
_READ_UNFINISHED = "SELECT count(*) FROM fact WHERE name = 'filled_to'"


def version_of(connection: Connection, newest: int = VERSION) -> int | None:
    """The version of a database's tables; see `version_in`."""
    found = inspect(connection)
    tables = found.get_table_names()
    for name in _COLUMNS.keys() & tables:
        if not _COLUMNS[name] <= {column["name"] for column in found.get_columns(name)}:
            raise _odd()
    return version_in(tables, lambda query: connection.exec_driver_sql(query).scalar(), newest)


def version_in(tables: Collection[str], ask: Callable[[str], Any], newest: int = VERSION) -> int | None:
    """The version of a ledger's tables.

    `ask` gives the single value that a query finds.

    Returns:
        0 for the last version before the first release; None where there is no ledger.

    Raises:
        LedgerVersionError: A newer program wrote it, or one from longer before the first release.
        LedgerDamagedError: Tables are named like a ledger's, without a version that any program wrote.
    """
    if _TABLE_BEFORE in tables:
        if ask(_READ_BEFORE) == _LAST_BEFORE and not ask(_READ_UNFINISHED):
            return 0
        raise LedgerVersionError(
            "This ledger is of a test version from before the first release and cannot be opened. Nothing "
            "was changed. To start a new one, name another place in DASHBOARD_DATA or DASHBOARD_DATABASE_URL."
        )
    if schema.tables.tables.keys().isdisjoint(tables):
        return None
    said = str(ask(READ_VERSION)) if {*TABLES, "fact"}.issubset(tables) else ""
    if not _VERSION.fullmatch(said):
        raise _odd()
    found = int(said)
    if found > newest:
        raise LedgerVersionError(
            f"This ledger is of version {found}, this program knows version {newest}. "
            "Install the newer program."
        )
    return found


def _odd() -> LedgerDamagedError:
    return LedgerDamagedError(
        "This database has tables named like a ledger's, but no ledger's version: they are another "
        "program's, or damaged. Nothing was changed. Restore a backup, or name another place in "
        "DASHBOARD_DATA or DASHBOARD_DATABASE_URL."
    )
