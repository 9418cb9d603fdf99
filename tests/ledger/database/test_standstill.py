"""A program that stood still in a transaction lost it, and is told so in a way that lets it try again."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from fixtures_ledger import AS_RELEASED

from dashboard.errors import LedgerUnavailableError
from dashboard.ledger.database import connections
from dashboard.ledger.database.connections import LONGEST_S, STANDSTILL_S, Database


def test_a_transaction_that_stood_still_is_ended_by_postgresql_and_can_be_tried_again(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL calls it an internal error; sending that took it for one lost the batch it was settling."""
    monkeypatch.setattr(connections, "SESSION", AS_RELEASED)
    database = Database(postgresql_url)
    with pytest.raises(LedgerUnavailableError):
        stand_still(database)
    with database.write() as connection:
        names = ("idle_in_transaction_session_timeout", "transaction_timeout")
        shown = [connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in names]
    assert shown == [f"{STANDSTILL_S}s", f"{LONGEST_S // 60}min"]
    database.close()


def test_between_many_statements_a_session_is_idle_so_that_it_can_be_ended(postgresql_url: str) -> None:
    """Sent as a pipeline it was not: PostgreSQL waited for ever for the rest, and everybody for its locks."""
    database = Database(postgresql_url)
    states: list[str] = []

    def rows() -> Iterator[list[int]]:
        for number in range(3):
            with database.read() as other:
                query = "SELECT state FROM pg_stat_activity WHERE query = 'SELECT $1::int'"
                states.extend(other.exec_driver_sql(query).scalars())
            yield [number]

    with database.write() as connection:
        connection.connection.cursor().executemany("SELECT %s::int", rows())
    assert states == ["idle in transaction"] * 2
    database.close()


def stand_still(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = '50ms'")
        time.sleep(0.3)
        connection.exec_driver_sql("SELECT 1")
