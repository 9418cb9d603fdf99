"""Threads on PostgreSQL that go on one at a time, from statement to statement, in an order drawn from a seed.

A thread stops before each statement and each commit, with whatever it has locked. Who goes on is drawn once
all others have stopped or ended, or wait for a lock as the server itself says. So nothing depends on how fast
anything is.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from threading import Condition, Thread, local
from typing import Any

import psycopg
from patience import PATIENCE_S
from sqlalchemy import URL, Engine, event

from dashboard.ledger.database import connections

LOOK_S = 0.005
"""After how long it is asked whether a statement waits."""

_AT_CONNECT = (connections.SESSION, connections._LONGEST)
"""SQLAlchemy leaves a session open that is cut before the ledger has prepared it."""

_OURS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
_CUT = "SELECT pg_terminate_backend(%s, 60000)"
_CUT_ALL = f"SELECT pg_terminate_backend(pid) {_OURS}"
_WAITING = "SELECT DISTINCT pid FROM pg_locks WHERE NOT granted"
_WAITED_FOR = (
    f"SELECT count(*) {_OURS} AND state LIKE 'idle%' "  # noqa: S608 - words of ours
    "AND pid IN (SELECT unnest(pg_blocking_pids(pid)) FROM pg_locks WHERE NOT granted)"
)
_OPEN = f"SELECT count(*) {_OURS} AND state LIKE 'idle in %'"
_KEYS = (
    "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database "
    "WHERE locktype = 'advisory' AND datname = current_database()"
)


@dataclass(eq=False)
class _Worker:
    name: str
    act: Callable[[], None]
    goes_on: bool = True
    ended: bool = False
    session: int | None = None
    failed: BaseException | None = None


class Turns:
    """One schedule.

    Attributes:
        order: Who went on, and which sessions were cut.
        refused: How often PostgreSQL refused a statement, by SQLSTATE.
        waits: How often somebody else's turn began while a statement waited for a lock.
    """

    def __init__(self, seed: int, *, cuts: float, restart: Callable[[], None] | None = None) -> None:
        """Draw it.

        Args:
            seed: The same one draws the same schedule.
            cuts: The chance that a session is cut before a turn.
            restart: Restarts the server, once.
        """
        self._draw = Random(f"turns {seed}")  # noqa: S311 - a replayable draw
        self._cuts, self._restart = cuts, restart
        self._changed, self._here = Condition(), local()
        self._workers: list[_Worker] = []
        self._waiting: set[int] = set()
        self._given_up = False
        self.order: list[str] = []
        self.refused: Counter[str] = Counter()
        self.waits = 0

    def add(self, name: str, act: Callable[[], None]) -> None:
        """Have a thread do this."""
        self._workers.append(_Worker(name, act))

    def cursor(self) -> type[psycopg.Cursor[Any]]:
        """What the ledger's engine has to be made with: every statement passes it."""
        turns = self

        class Cursor(connections._Cursor):
            def execute(self, query: Any, *given: Any, **options: Any) -> Any:
                if query not in _AT_CONNECT:
                    turns.stop(self.connection.info.backend_pid)
                try:
                    return super().execute(query, *given, **options)
                except psycopg.Error as error:
                    turns.refused[error.sqlstate or ""] += 1
                    raise

        return Cursor

    def stop(self, session: int | None = None) -> None:
        """In a worker's thread, wait for its turn."""
        worker: _Worker | None = getattr(self._here, "worker", None)
        if worker is not None:
            with self._changed:
                worker.session, worker.goes_on = session or worker.session, False
                self._changed.notify_all()
                self._changed.wait_for(lambda: worker.goes_on or self._given_up)

    def play(self, engine: Engine) -> None:
        """Let all do what they have to do, and see that nothing is left locked.

        Raises:
            AssertionError: Somebody waited in a circle or for ever, or left something locked.
        """
        event.listen(engine, "commit", lambda _: self.stop())
        threads = [Thread(target=self._work, args=(one,), daemon=True) for one in self._workers]
        for thread in threads:
            thread.start()
        server = _connected(engine.url)
        restart_after = self._draw.randrange(50, 250) if self._restart else None
        try:
            while stopped := self._stopped(server):
                if len(self.order) == restart_after and self._restart:
                    self.order.append("restart")
                    self._restart()
                    server.close()
                    server = _connected(engine.url)
                elif self._draw.random() < self._cuts:
                    self._cut(server)
                else:
                    self._let(self._draw.choice(stopped))
            left = [server.execute(query).fetchall()[0][0] for query in (_OPEN, _KEYS)]
        finally:
            self._give_up(threads, server)
            server.close()
        for failed in filter(None, (worker.failed for worker in self._workers)):
            raise failed
        assert not self.refused["40P01"], "they waited for each other in a circle"
        assert left == [0, 0], "a transaction is open, or an advisory lock held"

    def _give_up(self, threads: list[Thread], server: psycopg.Connection[Any]) -> None:
        with self._changed:
            self._given_up = True
            self._changed.notify_all()
        for thread in threads:
            while thread.is_alive():
                server.execute(_CUT_ALL)
                thread.join(LOOK_S)

    def _work(self, worker: _Worker) -> None:
        self._here.worker = worker
        self.stop()
        try:
            worker.act()
        except BaseException as error:  # raised by `play`
            worker.failed = error
        with self._changed:
            worker.ended, worker.goes_on = True, False
            self._changed.notify_all()

    def _stopped(self, server: psycopg.Connection[Any]) -> list[_Worker]:
        """Who can go on, once all others have ended or wait for a lock."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with self._changed:
                self._changed.wait_for(self._all_wait, LOOK_S)
                going = self._going()
            self._waiting = {pid for (pid,) in server.execute(_WAITING)} if going else set()
            if self._all_wait():
                stopped = [one for one in self._workers if not one.goes_on and not one.ended]
                self.waits += len(going)
                if stopped or not going:
                    return stopped
                ((idle,),) = server.execute(_WAITED_FOR)
                assert not idle, f"{self._names(going)} wait for a lock that nobody gives back"
                # Now they wait for each other, which PostgreSQL notices and ends
        raise AssertionError(f"{self._names(self._going())} do not come back")

    def _all_wait(self) -> bool:
        """Whether whoever goes on waits for a lock, as far as the server was asked."""
        return all(worker.session in self._waiting for worker in self._going())

    def _going(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.goes_on]

    def _names(self, workers: list[_Worker]) -> str:
        return ", ".join(worker.name for worker in workers)

    def _let(self, worker: _Worker) -> None:
        with self._changed:
            self.order.append(worker.name)
            worker.goes_on = True
            self._changed.notify_all()

    def _cut(self, server: psycopg.Connection[Any]) -> None:
        worker = self._draw.choice(self._workers)
        self.order.append(f"cut {worker.name}")
        if worker.session is not None:
            server.execute(_CUT, [worker.session])


def _connected(url: URL) -> psycopg.Connection[Any]:
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True)
