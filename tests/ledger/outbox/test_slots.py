"""Slots: one live process each, found out without asking the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, away

from dashboard.errors import LedgerError, LedgerUnavailableError, SendingError
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox import slots
from dashboard.ledger.outbox.slots import slot, take_slot


@pytest.fixture
def database(ledger_url: str) -> Iterator[Database]:
    opened = Database(ledger_url)
    yield opened
    opened.close()


@ON_BOTH_DATABASES
def test_a_slot_is_held_once_and_the_first_free_one_is_taken(database: Database) -> None:
    held = [take_slot(database) for _ in range(3)]
    assert [one.number for one in held] == [0, 1, 2]
    assert held[1].is_held()
    second = slot(1, database)
    assert not second.acquire()
    assert not second.is_held()
    held[1].release()
    assert not held[1].is_held()
    again = take_slot(database)
    assert (again.number, again.is_held()) == (1, True)
    for one in (held[0], again, held[2]):
        one.release()


def test_when_all_slots_are_taken_it_says_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "SLOTS", 1)
    only = take_slot(database)
    with pytest.raises(SendingError, match="Stop one of them"):
        take_slot(database)
    only.release()


def test_a_lock_file_that_cannot_be_opened_is_named(sqlite_url: str) -> None:
    with closing(Database(sqlite_url)) as database:
        Path(f"{database.url.database}.slot-0.lock").mkdir()
        with pytest.raises(LedgerError, match=r"slot-0\.lock cannot be opened \(Is a directory\)"):
            take_slot(database)


def test_a_file_that_is_no_lock_of_ours_is_no_slot(sqlite_url: str) -> None:
    with closing(Database(sqlite_url)) as database:
        Path(f"{database.url.database}.slot-old.lock").touch()
        ours = take_slot(database)
        assert slots.slots_on_file(database) == {ours.number}
        ours.release()


def test_where_the_database_is_away_it_says_so(postgresql_url: str) -> None:
    with closing(Database(postgresql_url)) as database:
        ours = slot(0, database)
        assert ours.acquire()
        with away(postgresql_url), pytest.raises(LedgerUnavailableError, match="Check that it is running"):
            ours.acquire()
        assert not ours.is_held()
