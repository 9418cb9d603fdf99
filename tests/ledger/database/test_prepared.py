"""Statements and rows that go past SQLAlchemy do what they would through it, on both databases."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from each import each
from fixtures_ledger import running, taken
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from tiers import only_deep

from dashboard.errors import LedgerRefusedError
from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.prepared import Prepared
from dashboard.ledger.database.schema import tables
from dashboard.ledger.database.writing import add_to, insert_columns
from dashboard.ledger.tallies.tables import course

ALL = {name: table for name, table in tables.tables.items() if table.columns.keys()}


@pytest.fixture
def lived(ledger: Ledger) -> Ledger:
    """Something in most tables, with times, prices, booleans and what is missing."""
    campaign = running(ledger, 6, batch_size=2)
    for _batch in range(2):
        taken(ledger, campaign, sent_at="2026-11-20T09:00:00Z", carrier="x")
    return ledger


@each("name", ALL)
def test_rows_are_what_sqlalchemy_reads(lived: Ledger, name: str) -> None:
    query = select(ALL[name])
    with lived.database.read() as connection:
        usual = [dict(row) for row in connection.execute(query).mappings()]
        found = [row._asdict() for row in Prepared(query)(connection)]
    assert sorted(found, key=str) == sorted(usual, key=str)


def test_values_are_bound_and_changes_returned(lived: Ledger) -> None:
    batch = schema.batch
    raise_ = (
        update(batch)
        .where(batch.c.id == bindparam("id_"))
        .values(attempt=batch.c.attempt + 5, settled_at=bindparam("at_"))
        .returning(batch.c.attempt, batch.c.settled_at)
    )
    with lived.database.write() as connection:
        before = connection.execute(select(batch).where(batch.c.id == 1)).one()
        (row,) = Prepared(raise_)(connection, id_=1, at_=before.claimed_at, unused=1)
        assert row == (before.attempt + 5, before.claimed_at)
        assert Prepared(raise_).first(connection, id_=-1, at_=None) is None
        with pytest.raises(KeyError):
            Prepared(raise_)(connection, id_=1)


def test_what_is_refused_is_said_as_ever_and_without_values(ledger: Ledger) -> None:
    add = Prepared(insert(schema.fact), ("name", "value"))
    with pytest.raises(LedgerRefusedError) as caught, ledger.database.write() as connection:  # noqa: PT012 - twice
        add(connection, name="+447400123456", value="1")
        add(connection, name="+447400123456", value="1")
    cause = caught.value.__cause__
    assert isinstance(cause, IntegrityError)
    assert isinstance(cause.orig, sqlite3.IntegrityError | psycopg.IntegrityError)
    assert "447400" not in f"{caught.value} {cause} {cause.orig} {cause.__cause__}"
    with ledger.database.read() as connection:
        assert "+447400123456" not in connection.execute(select(schema.fact.c.name)).scalars().all()


def test_reading_sees_a_single_moment(ledger: Ledger) -> None:
    """Also when the first statement goes past SQLAlchemy, which otherwise begins the transaction."""
    names = Prepared(select(schema.fact.c.name))
    with ledger.database.read() as reading:
        before = names(reading)
        with ledger.database.write() as connection:
            connection.execute(insert(schema.fact).values(name="later", value=""))
        assert names(reading) == before
    with ledger.database.read() as reading:
        assert len(names(reading)) == len(before) + 1


AT = datetime(2026, 11, 20, 9, tzinfo=UTC)


def events(count: int, **changed: Any) -> dict[str, list[Any]]:
    return {
        "message_id": list(range(count)),
        "stage": [number % 4 for number in range(count)],
        "at": [AT + timedelta(microseconds=number) for number in range(count)],
        "said": [(-1) ** number * (2**63 - 1 - number) for number in range(count)],
        "status": [f"é\"'\\\n{number}" for number in range(count)],
        "failure_reason": [""] * count,
        "source": ["answer"] * count,
        "recorded_at": [AT] * count,
        **changed,
    }


@pytest.mark.parametrize("count", [1, 1_025, *only_deep(2, 1_023, 1_024, 5_000)])
def test_all_rows_arrive_as_they_were(ledger: Ledger, count: int) -> None:
    given = events(count)
    with ledger.database.write() as connection:
        insert_columns(connection, schema.event, given)
    with ledger.database.read() as connection:
        found = connection.execute(select(schema.event).order_by(schema.event.c.message_id)).all()
    assert found == list(zip(*(given[name] for name in given), strict=True))


def test_numbers_are_added_up_and_rows_of_which_nothing_is_left_go(ledger: Ledger) -> None:
    many = 1_500
    keys = {"campaign_id": ["a"] * many, "stage": [1] * many, "at": [0] * many, "batch_id": [*range(many)]}
    with ledger.database.write() as connection:
        for number, left in ((2, [2] * many), (-1, [1] * many), (-1, []), (3, [3] * many)):
            add_to(connection, course, {**keys, "messages": [number] * many})
            assert connection.execute(select(course.c.messages)).scalars().all() == left
