"""Slots: one live process each, found out without asking the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from fixtures_ledger import ON_BOTH_DATABASES
from sqlalchemy import create_engine, text

from dashboard.errors import LedgerUnavailableError, SendingError
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox import slots
from dashboard.ledger.outbox.slots import slot, take_slot


@pytest.fixture
def database(ledger_url: str) -> Iterator[Database]:
    opened = Database(ledger_url)
    yield opened
    opened.close()


@ON_BOTH_DATABASES
def test_a_slot_is_held_once_and_free_again_when_released(database: Database) -> None:
    first, second = slot(0, database), slot(0, database)
    assert first.acquire()
    assert first.is_held()
    assert not second.acquire()
    assert not second.is_held()
    first.release()
    assert not first.is_held()
    assert second.acquire()
    second.release()


@ON_BOTH_DATABASES
def test_processes_take_the_first_free_slot(database: Database) -> None:
    taken = [take_slot(database) for _ in range(3)]
    assert [one.number for one in taken] == [0, 1, 2]
    taken[1].release()
    again = take_slot(database)
    assert again.number == 1
    for one in (taken[0], again, taken[2]):
        one.release()


def test_when_all_slots_are_taken_it_says_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "SLOTS", 1)
    only = take_slot(database)
    with pytest.raises(SendingError, match="Stop one of them"):
        take_slot(database)
    only.release()


def test_where_the_database_is_away_it_says_so(postgresql_url: str) -> None:
    with closing(Database(postgresql_url)) as database:
        ours = slot(0, database)
        assert ours.acquire()
        name = database.url.database
        server = create_engine(database.url.set(database="postgres"), isolation_level="AUTOCOMMIT")
        with server.connect() as connection:
            connection.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"
            connection.execute(text(cut), {"name": name})
        server.dispose()
        with pytest.raises(LedgerUnavailableError, match="Check that it is running"):
            ours.acquire()
        assert not ours.is_held()
