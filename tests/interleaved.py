"""Two steps at once on PostgreSQL, in every order that the statements of the first leave the second."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import count
from threading import get_ident

from patience import PATIENCE_S
from sqlalchemy import Connection, event, text

from dashboard.ledger import Ledger

_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def waiting(ledger: Ledger) -> int:
    """How many sessions wait for a lock."""
    with ledger.database.read() as connection:
        return int(connection.execute(_WAITING).scalar_one())


def at_every_point(
    ledger: Ledger, prepared: Callable[[int], tuple[Callable[[], object], Callable[[], object]]]
) -> Iterator[int]:
    """Begin the second step after each statement of the first in turn, and let it run until it ends or waits.

    Args:
        ledger: On PostgreSQL.
        prepared: Gives the two steps for a number, each time about something of its own.

    Yields:
        After how many statements the second began, once both have ended.
    """
    with ThreadPoolExecutor() as threads, ledger.database.engine.connect() as watching:
        for point in count(1):
            first, second = prepared(point)
            begun = _begun_at(ledger, point, first, lambda: _left(watching, threads.submit(second)))  # noqa: B023
            if begun is None:
                return
            begun.result()
            yield point


def _begun_at(
    ledger: Ledger, point: int, act: Callable[[], object], begin: Callable[[], Future[object]]
) -> Future[object] | None:
    """Do this, and begin the other after so many statements; None if there are not as many."""
    statements, here, begun = count(1), get_ident(), list[Future[object]]()

    def look(*_arguments: object) -> None:
        if get_ident() == here and not begun and next(statements) == point:
            begun.append(begin())

    event.listen(ledger.database.engine, "after_cursor_execute", look)
    try:
        act()
    finally:
        event.remove(ledger.database.engine, "after_cursor_execute", look)
    return begun[0] if begun else None


def _left(watching: Connection, other: Future[object]) -> Future[object]:
    """The other step, once it ended or waits for a lock."""

    for _ in range(PATIENCE_S * 100):
        if wait([other], timeout=0.01).done:
            return other
        watching.rollback()
        if watching.execute(_WAITING).scalar_one():
            return other
    raise AssertionError("it neither ended nor waited")
