"""The database goes away in the middle: sending waits, nothing is sent twice, nothing is lost."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fixtures_ledger import StartPostgresql, running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from sqlalchemy import text
from workers import Workers, compare

from dashboard.ledger import Campaign, Ledger
from dashboard.ledger.database import connections as ledger_engine
from dashboard.ledger.database.advisory import Advisory
from dashboard.ledger.outbox.slots import slot
from dashboard.sending import Engine
from dashboard.sending.engine import TICK_S

ON_SQLITE = pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)


@ON_POSTGRESQL
def test_a_lock_that_outlives_its_session_does_not_stop_sending(ledger: Ledger, peer: SandboxPeer) -> None:
    """The server tells a session that it ends before it lets go of what the session had locked."""
    lingering = slot(0, ledger.database)
    end = text("SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE classid = :what")
    with peer.service() as service, Engine(ledger, service) as engine:
        while not lingering.acquire():  # the engine may be quicker
            with ledger.database.engine.connect() as connection:
                connection.execute(end, {"what": Advisory.SLOT.value})
        time.sleep(2 * TICK_S)
        lingering.release()
        campaign = running(ledger, 20, batch_size=10)
        engine.wait_until_done()
    assert compare(ledger, peer, campaign) == {"accepted": 20}


@pytest.fixture
def own_postgresql(start_postgresql: StartPostgresql) -> Iterator[tuple[str, Any]]:
    """A PostgreSQL for one test alone, to stop and start."""
    with start_postgresql() as found:
        yield found


def interrupted(_: Sequence[Campaign]) -> None:
    raise InterruptedError


def test_postgresql_is_stopped_and_crashed(own_postgresql: tuple[str, Any], peer: SandboxPeer) -> None:
    url, server = own_postgresql
    peer.faults(latency_s=0.05)
    with closing(Ledger.open(url)) as ledger:
        campaign = running(ledger, 2000, batch_size=10)
        with peer.service() as service, Engine(ledger, service) as engine:
            for stop in (server.stop, lambda: os.kill(server.get_pid(), signal.SIGQUIT)):
                before = len(peer.messages())
                wait_until(lambda: len(peer.messages()) > before + 100)  # noqa: B023 - waited for at once
                stop()
                time.sleep(1)
                with pytest.raises(InterruptedError):  # as when somebody stops a command meanwhile
                    engine.wait_until_done(on_progress=interrupted)
                server.ensure_postgres_running()
            engine.wait_until_done()
        assert compare(ledger, peer, campaign) == {"accepted": 2000}


def test_another_program_locks_sqlite_for_longer_than_we_wait_for_it(
    sqlite_url: str, peer: SandboxPeer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_engine, "BUSY_TIMEOUT_S", 0.2)
    peer.faults(latency_s=0.05)
    with closing(Ledger.open(sqlite_url)) as ledger:
        campaign = running(ledger, 1000, batch_size=10)
        with (
            peer.service() as service,
            Engine(ledger, service) as engine,
            closing(sqlite3.connect(str(ledger.database.url.database), timeout=10)) as other,
        ):
            for _ in range(3):
                before = len(peer.messages())
                wait_until(lambda: len(peer.messages()) > before)  # noqa: B023 - waited for at once
                other.execute("BEGIN IMMEDIATE")
                time.sleep(1)
                other.rollback()
            engine.wait_until_done()
        assert compare(ledger, peer, campaign) == {"accepted": 1000}


def test_a_disk_that_is_gone_while_answers_are_on_their_way(tmp_path: Path, peer: SandboxPeer) -> None:
    """As a disk that is unmounted leaves an empty folder."""
    peer.faults(latency_s=0.5)
    disk, away = tmp_path / "disk", tmp_path / "away"
    with Ledger.open(disk / "ledger.sqlite") as ledger:
        campaign = running(ledger, 400, batch_size=10)
        with peer.service() as service, Engine(ledger, service) as engine:
            wait_until(lambda: ledger.campaign(campaign).accepted >= 80)
            disk.rename(away)
            disk.mkdir()
            time.sleep(2)  # the answers come, and have nowhere to go
            assert not any(disk.iterdir())
            disk.rmdir()
            away.rename(disk)
            engine.wait_until_done()
        assert compare(ledger, peer, campaign) == {"accepted": 400}


@ON_SQLITE
def test_a_disk_that_is_full_for_a_while(ledger: Ledger, peer: SandboxPeer, workers: Workers) -> None:
    """A worker that may not make its files any larger, until it may."""
    peer.faults(latency_s=0.1)
    campaign = running(ledger, 2000, batch_size=10)
    worker = workers.start()
    wait_until(lambda: ledger.campaign(campaign).accepted > 100)
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
    wait_until(stands_still(ledger, campaign))
    assert worker.poll() is None
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    workers.finish()
    assert compare(ledger, peer, campaign) == {"accepted": 2000}


def stands_still(ledger: Ledger, campaign: str) -> Callable[[], bool]:
    """Whether nothing was accepted for a second."""
    seen, since = -1, time.monotonic()

    def look() -> bool:
        nonlocal seen, since
        accepted = ledger.campaign(campaign).accepted
        if accepted != seen:
            seen, since = accepted, time.monotonic()
        return time.monotonic() - since > 1

    return look
