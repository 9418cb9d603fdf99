"""Bring a ledger to this program's version of the tables, all steps in one transaction.

A new ledger gets the tables as schema.py has them. A crash, or a step that fails, leaves an older one as it
was. A SQLite ledger is copied before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from sqlalchemy import Connection, select

from dashboard.errors import LedgerError
from dashboard.ledger.audit.chain import append
from dashboard.ledger.copies.before_upgrade import copy_before_upgrade
from dashboard.ledger.copies.copying import copy_to
from dashboard.ledger.database import schema
from dashboard.ledger.database.advisory import Advisory, serialize
from dashboard.ledger.database.connections import Database, no_ledger
from dashboard.ledger.database.creating import create_tables
from dashboard.ledger.database.schema import forbid_changes
from dashboard.ledger.database.version import FACT, VERSION, version_of
from dashboard.ledger.database.writing import upsert
from dashboard.ledger.outbox.gate import create_gate
from dashboard.ledger.outbox.slots import upgrading
from dashboard.ledger.tallies import recount
from dashboard.ledger.tallies.tables import course, tally

Step = Callable[[Connection], None]

_COUNTED_BEFORE = ("waiting", "pool", "reason", "tally", "course")
_SUMS_BEFORE = (
    *("sent", "delivered", "failed", "pooled"),
    *("credits_billed", "credits_counted", "credits_own"),
)


def _to_first_release(connection: Connection) -> None:
    """The last test version's ledger becomes one of the first release."""
    connection.exec_driver_sql("DROP TABLE ledger_version")


def _count_by_batch(connection: Connection) -> None:
    """All figures are counted anew, batch by batch; none of them changes."""
    for name in _COUNTED_BEFORE:
        connection.exec_driver_sql(f"DROP TABLE {name}")
    for table in (tally, course):
        table.create(connection)
    for campaign_id in connection.execute(select(schema.campaign.c.id)).scalars().all():
        recount.mend(connection, campaign_id)
    _drop(connection, "batch", *_SUMS_BEFORE)


def _without_the_unread(connection: Connection) -> None:
    """What was written and never read is gone."""
    connection.exec_driver_sql("DROP INDEX campaign_by_fingerprint")
    _drop(connection, "campaign", "batch_size")
    _drop(connection, "account", "bound_at")


def _without_estimates(connection: Connection) -> None:
    """A campaign's estimate is added up from its messages alone; what nobody read about senders is gone."""
    _drop(connection, "campaign", "credits_low", "credits_high", "cost_low", "cost_high")
    _drop(connection, "owner", "host", "pid", "started_at")


def _drop(connection: Connection, table: str, *columns: str) -> None:
    for column in columns:
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")


_STEPS = (_to_first_release, _count_by_batch, _without_the_unread, _without_estimates)
STEPS: Mapping[int, Step] = dict(enumerate(_STEPS, 1))
"""How to get to a version from the previous one. A step's docstring is what operators are told it brings."""


def migrate(database: Database, *, steps: Mapping[int, Step] = STEPS, keep_copy: bool = True) -> None:
    """Bring a ledger to the newest version; a new one is made.

    With `keep_copy`, a SQLite ledger is copied before its first step; see before_upgrade.py.

    Raises:
        LedgerVersionError, LedgerDamagedError: As for `version_in`.
        LedgerError: A process of the older version is sending, or no copy can be made. The ledger stays as
            it is, as it does if a step fails.
    """
    newest = max(steps)
    with database.write() as connection:
        serialize(connection, Advisory.MIGRATION)
        found, now = version_of(connection, newest), datetime.now(UTC)
        if found is None:
            _create(connection)
        elif found < newest:
            with upgrading(connection, database):
                if keep_copy:
                    copy_before_upgrade(database, found, now)
                for number in range(found + 1, newest + 1):
                    steps[number](connection)
                _record(connection, newest)
                append(connection, "upgrade", "ledger", now, details={"version": newest})


def steps_ahead(database: Database) -> dict[int, str]:
    """The steps that the next opening takes, with what each brings.

    Raises:
        LedgerError: There is no ledger, or as for `version_in`.
    """
    with database.read() as connection:
        found = version_of(connection)
    if found is None:
        raise no_ledger(database.place)
    return {number: str(STEPS[number].__doc__).splitlines()[0] for number in range(found + 1, VERSION + 1)}


def rehearse(database: Database) -> float:
    """Bring a copy of a SQLite ledger up to date, in a folder next to it that is gone afterwards.

    Returns:
        How many seconds it took.

    Raises:
        LedgerError: The copy cannot be made, or a step failed; the ledger itself was not touched.
    """
    ledger = Path(str(database.url.database))
    try:
        with TemporaryDirectory(prefix=".upgrade-", dir=ledger.parent, ignore_cleanup_errors=True) as folder:
            copy = Path(folder, ledger.name)
            copy_to(copy, database, datetime.now(UTC))
            began = monotonic()
            with closing(Database(copy)) as tried:
                migrate(tried, keep_copy=False)
            return monotonic() - began
    except (LedgerError, OSError) as error:
        raise LedgerError(
            f"It does not work on a copy; the ledger is as it was. Keep the program that you have. {error}"
        ) from error


def check_version(database: Database) -> None:
    """For a ledger open for reading: refuse one whose version is not this program's."""
    if steps_ahead(database):
        raise LedgerError(
            "This ledger is of an older version. To bring it up to date, run `python -m dashboard upgrade`, "
            "or open it once for writing."
        )


def _create(connection: Connection) -> None:
    create_tables(connection)
    forbid_changes(connection)
    create_gate(connection)
    _record(connection, VERSION)


def _record(connection: Connection, version: int) -> None:
    upsert(connection, schema.fact, {"name": FACT, "value": str(version)})
