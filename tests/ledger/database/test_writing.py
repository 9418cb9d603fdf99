"""Rows inserted column by column: as many as given, in however many statements, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select
from tiers import only_deep

from dashboard.ledger import Ledger
from dashboard.ledger.database import schema
from dashboard.ledger.database.writing import add_to, insert_columns
from dashboard.ledger.tallies.tables import course

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
