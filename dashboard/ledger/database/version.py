"""Which version a ledger's tables are of: a row of `fact`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import Connection, inspect

from dashboard.errors import LedgerVersionError

VERSION = 2
"""The version of the tables in schema.py."""

FACT = "version"
READ_VERSION = f"SELECT max(CAST(value AS INTEGER)) FROM fact WHERE name = '{FACT}'"  # noqa: S608 - our own word

_TABLE_BEFORE, _LAST_BEFORE = "ledger_version", 19
"""Where versions were counted before the first release, and how far."""

_READ_BEFORE = "SELECT max(version) FROM ledger_version"
_READ_UNFINISHED = "SELECT count(*) FROM fact WHERE name = 'filled_to'"


def version_of(connection: Connection, newest: int = VERSION) -> int | None:
    """The version of a database's tables; see `version_in`."""
    tables = inspect(connection).get_table_names()
    return version_in(tables, lambda query: connection.exec_driver_sql(query).scalar(), newest)


def version_in(tables: Collection[str], ask: Callable[[str], Any], newest: int = VERSION) -> int | None:
    """The version of a ledger's tables.

    Args:
        tables: The names of the tables that there are.
        ask: Gives the single value that a query finds.
        newest: The newest version that is known.

    Returns:
        0 for the last version before the first release; None where there is no ledger.

    Raises:
        LedgerVersionError: A newer program wrote it, or one from longer before the first release.
    """
    if _TABLE_BEFORE in tables:
        if ask(_READ_BEFORE) == _LAST_BEFORE and not ask(_READ_UNFINISHED):
            return 0
        raise LedgerVersionError(
            "This ledger is of a test version from before the first release and cannot be opened. It stays "
            "where it is, unchanged. To start a new one, name another place in DASHBOARD_DATA or "
            "DASHBOARD_DATABASE_URL."
        )
    if "fact" not in tables:
        return None
    found: int | None = ask(READ_VERSION)
    if found is not None and found > newest:
        raise LedgerVersionError(
            f"This ledger is of version {found}, this program knows version {newest}. "
            "Install the newer program."
        )
    return found
