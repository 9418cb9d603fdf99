"""PostgreSQL's advisory locks: each stands for one thing, and one module knows them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

import dashboard
from dashboard.ledger.database.advisory import Advisory, hold, let_go, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox.slots import AdvisorySlot

OWN_WORDS = re.compile(r"advisory_(xact_)?(un)?lock|advisory_unlock_all", re.IGNORECASE)


@pytest.fixture
def database(postgresql_url: str) -> Iterator[Database]:
    opened = Database(postgresql_url)
    yield opened
    opened.close()


def test_a_slot_whose_session_was_cut_is_taken_again(database: Database) -> None:
    mine = AdvisorySlot(0, database)
    assert mine.acquire()
    cut = text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    with database.engine.connect() as other:
        other.execute(cut)
    assert not mine.is_held()
    assert mine.acquire()
    mine.release()


@pytest.mark.parametrize("number", [0, 1, 63])
def test_no_lock_is_another_one(database: Database, number: int) -> None:
    """Held in every way that there is, each lets all others through, whatever their numbers."""
    for held in Advisory:
        with database.engine.connect() as one, database.engine.connect() as other:
            serialize(one, held)
            assert hold(one, held, number)
            for what in {*Advisory} - {held}:
                other.execute(text("SET LOCAL lock_timeout = '5s'"))
                serialize(other, what)
                assert _can_hold(other, what, number)
                other.rollback()
            let_go(one, held, number)


def test_no_other_module_has_a_lock_of_its_own() -> None:
    package = Path(dashboard.__file__).parent
    others = [path for path in package.rglob("*.py") if path.name != "advisory.py"]
    assert len(others) > 500
    assert [path.name for path in others if OWN_WORDS.search(path.read_text(encoding="utf-8"))] == []


def _can_hold(connection: Connection, what: Advisory, number: int) -> bool:
    held = hold(connection, what, number)
    let_go(connection, what, number)
    return held
