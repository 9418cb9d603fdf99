"""PostgreSQL's advisory locks: each stands for one thing, and one module knows them all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

import dashboard
from dashboard.ledger.database.advisory import Advisory, first_free, hold, let_go, serialize
from dashboard.ledger.database.connections import Database
from dashboard.ledger.outbox.slots import AdvisorySlot, take_slot
from dashboard.ledger.tallies.shards import SHARDS, free_shard

OWN_WORDS = re.compile(r"advisory_(xact_)?(un)?lock|advisory_unlock_all", re.IGNORECASE)


@pytest.fixture
def database(postgresql_url: str) -> Iterator[Database]:
    opened = Database(postgresql_url)
    yield opened
    opened.close()


def test_who_writes_tallies_takes_no_slot_and_who_sends_no_part_of_the_tallies(database: Database) -> None:
    with ExitStack() as writers:
        parts = [free_shard(writers.enter_context(database.write())) for _ in range(4)]
        slots = [take_slot(database) for _ in range(3)]
        more = [free_shard(writers.enter_context(database.write())) for _ in range(2)]
    for one in slots:
        one.release()
    assert (parts, [one.number for one in slots], more) == ([0, 1, 2, 3], [0, 1, 2], [4, 5])


def test_a_slot_whose_session_was_cut_is_taken_again_while_others_write_tallies(database: Database) -> None:
    mine = AdvisorySlot(0, database)
    assert mine.acquire()
    cut = text("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted")
    with database.engine.connect() as other:
        other.execute(cut)
    with database.write() as writer:
        assert free_shard(writer) == 0
        assert not mine.is_held()
        assert mine.acquire()
    mine.release()


@pytest.mark.parametrize("number", [0, 1, SHARDS - 1])
def test_no_lock_is_another_one(database: Database, number: int) -> None:
    """Held in every way that there is, each lets all others through, whatever their numbers."""
    for held in Advisory:
        with database.engine.connect() as one, database.engine.connect() as other:
            serialize(one, held)
            serialize(one, held, of=str(number))
            assert hold(one, held, number)
            for what in {*Advisory} - {held}:
                other.execute(text("SET LOCAL lock_timeout = '5s'"))
                serialize(other, what)
                serialize(other, what, of=str(number))
                assert first_free(other, what, number + 1) == 0
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
