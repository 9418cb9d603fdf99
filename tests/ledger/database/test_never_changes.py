"""Rows that never change: the database itself refuses every change of them, whoever asks for it."""

from __future__ import annotations

import pytest
from fixtures_ledger import ON_BOTH_DATABASES, claim, running, taken
from sqlalchemy import select, update
from sqlalchemy.exc import DatabaseError

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.outbox.settle import Settlement
from dashboard.settings import load_settings

NEVER_CHANGE = ("message", "event", "attempt", "decision", "setting", "person", "audit")


@ON_BOTH_DATABASES
def test_the_database_refuses_to_change_or_delete_them(ledger: Ledger) -> None:
    campaign = running(ledger, 4, batch_size=2)
    taken(ledger, campaign)
    ledger.outbox.settle(lost := claim(ledger, campaign), Settlement("unknown", "unknown"))
    ledger.decide(lost.batch_id, "abandoned", "Ann", "why")
    ledger.settings.change({"country": "GB"}, who="Ann", given=load_settings(data="somewhere"))
    ledger.people.add("bob@example.com", "viewer", who="Ann")
    for table in (schema.tables.tables[name] for name in NEVER_CHANGE):
        with ledger.database.read() as connection:
            before = connection.execute(select(table)).all()
        assert before, table.name
        for change in (*(update(table).values({column: column}) for column in table.c), table.delete()):
            with (
                pytest.raises(DatabaseError, match="never change"),
                ledger.database.engine.begin() as connection,
            ):
                connection.execute(change)
        with ledger.database.read() as connection:
            assert connection.execute(select(table)).all() == before
