"""Bring a database to this program's version, all steps in one transaction.

A new database gets the tables as schema.py has them. An older one goes through the steps after its version: a
crash, or a step that fails, leaves it as it was. What takes long is done last, part by part; see filling.py.
A SQLite ledger is copied before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from sqlalchemy import Column, Connection, Integer, MetaData, Table, func, inspect, select

from dashboard.errors import LedgerError
from dashboard.ledger.audit.chain import append
from dashboard.ledger.copies.before_upgrade import copy_before_upgrade
from dashboard.ledger.copies.tidemark import identify
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.column_types import Instant
from dashboard.ledger.database.connections import Database
from dashboard.ledger.database.creating import create_tables
from dashboard.ledger.database.schema import forbid_changes
from dashboard.ledger.database.version import VERSION, refuse_newer
from dashboard.ledger.outbox.gate import create_gate
from dashboard.ledger.outbox.slots import upgrading
from dashboard.ledger.tallies.tables import cell, course, pool, reason, tally, waiting
from dashboard.ledger.versions import (
    filling,
    version_2,
    version_3,
    version_4,
    version_5,
    version_6,
    version_7,
    version_8,
    version_9,
    version_10,
    version_11,
    version_12,
    version_13,
    version_14,
    version_15,
    version_16,
    version_17,
    version_18,
    version_19,
)

__all__ = ["STEPS", "VERSION", "check_version", "ledger_version", "migrate", "steps_ahead", "version_of"]

Step = Callable[[Connection], None]

TALLIES = (cell, pool, waiting, reason, tally, course)
"""Tables that schema.py does not name."""

STEPS: Mapping[int, Step] = {
    2: version_2.step,
    3: version_3.step,
    4: version_4.step,
    5: version_5.step,
    6: version_6.step,
    7: version_7.step,
    8: version_8.step,
    9: version_9.step,
    10: version_10.step,
    11: version_11.step,
    12: version_12.step,
    13: version_13.step,
    14: version_14.step,
    15: version_15.step,
    16: version_16.step,
    17: version_17.step,
    18: version_18.step,
    19: version_19.step,
}
"""How to get to a version from the previous one; version 1 is where ledgers began."""

ledger_version = Table(
    "ledger_version",
    MetaData(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("applied_at", Instant, nullable=False),
)


def migrate(
    database: Database, *, version: int = VERSION, steps: Mapping[int, Step] = STEPS, keep_copy: bool = True
) -> None:
    """Bring the database to `version`.

    Args:
        database: The ledger's database.
        version: Where to.
        steps: How to get to each version from the one before it.
        keep_copy: Whether a SQLite ledger is copied before its first step; see before_upgrade.py.

    Raises:
        LedgerVersionError: The database was written by a newer program.
        LedgerError: A process of the older version is sending, or no copy can be made. The database stays as
            it is, as it does if a step fails.
    """
    with database.write() as connection:
        serialize(connection, Advisory.MIGRATION)
        found, now = version_of(connection), datetime.now(UTC)
        refuse_newer(found, version)
        if found == 0:
            _create(connection, version)
        elif found < version:
            with upgrading(connection, database):
                if keep_copy:
                    copy_before_upgrade(database, found, now)
                for reached in range(found + 1, version + 1):
                    steps[reached](connection)
                    _record(connection, reached)
                append(connection, "upgrade", "ledger", now, details={"version": version})
    filling.finish(database)


def steps_ahead(database: Database) -> dict[int, str]:
    """The steps that the next opening takes, with what each brings; none where there are no tables yet."""
    with database.read() as connection:
        found = version_of(connection)
    refuse_newer(found)
    return {number: _brings(STEPS[number]) for number in range(found + 1, VERSION + 1)} if found else {}


def _brings(step: Step) -> str:
    """What a step brings, as the first line of its module says it."""
    first, *_ = (sys.modules[step.__module__].__doc__ or "").splitlines()
    return first.partition(": ")[2].rstrip(".")


def check_version(database: Database) -> None:
    """For a ledger open for reading: refuse one whose version is not this program's."""
    with database.read() as connection:
        found = version_of(connection)
        behind = found < VERSION or (found == VERSION and filling.is_unfinished(connection))
    if behind:
        raise LedgerError(
            "This ledger is of an older version. Open it once without read_only=True to bring it up to date."
        )
    refuse_newer(found)


def _create(connection: Connection, version: int) -> None:
    ledger_version.create(connection, checkfirst=True)
    create_tables(connection)
    forbid_changes(connection)
    create_gate(connection)
    identify(connection)
    _record(connection, version)


def _record(connection: Connection, version: int) -> None:
    connection.execute(ledger_version.insert().values(version=version, applied_at=datetime.now(UTC)))


def version_of(connection: Connection) -> int:
    """The version of a database's tables; 0 while there are none."""
    if not inspect(connection).has_table(ledger_version.name):
        return 0
    newest = select(func.coalesce(func.max(ledger_version.c.version), 0))
    version: int = connection.execute(newest).scalar_one()
    return version
