"""Workers that stand still (SIGSTOP) and go on: not dead, not in the way, and never twice."""

from __future__ import annotations

import signal
import time
from datetime import UTC, datetime, timedelta

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from patience import PATIENCE_S, wait_until
from workers import Workers, compare, is_stopped

from dashboard.ledger import Ledger

ON_POSTGRESQL = pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
"""On SQLite a process may be stopped while it holds the only write lock; then everybody waits for it."""


LIFE_S = 5.0
"""Of a claim, shortened from a minute; no busy machine takes so long from a claim to its request."""


def standing_still(ledger: Ledger) -> int:
    """Sessions that stand still within a transaction with locks on campaigns; this one does not."""
    query = (
        "SELECT count(*) FROM pg_stat_activity JOIN pg_locks USING (pid) "
        "WHERE state = 'idle in transaction' AND relation = 'campaign'::regclass"
    )
    with ledger.database.read() as connection:
        return int(connection.exec_driver_sql(query).scalar_one())


@ON_POSTGRESQL
@pytest.mark.parametrize("point", ["answer read", "within a claim", "within a settlement"])
def test_while_one_is_stopped_another_sends_the_rest_and_cannot_take_its_batches(
    ledger: Ledger, peer: SandboxPeer, workers: Workers, point: str
) -> None:
    """SIGSTOP is not death: the slot stays locked, so nothing becomes unknown and nothing is sent twice.

    From a session that stands still in a transaction PostgreSQL takes the locks, by ending it; when the
    program goes on it finds its transaction gone, and writes it again.
    """
    peer.faults(latency_s=0.1)
    campaign = running(ledger, 600, batch_size=20)
    stopped = workers.start_until(point, 12, signal.SIGSTOP)
    wait_until(lambda: is_stopped(stopped))
    workers.start()
    wait_until(lambda: ledger.campaign(campaign).ready <= 20)  # one may be claimed and not committed
    found = ledger.campaign(campaign)
    assert found.state == "running"
    assert found.sending > 0
    assert found.unknown == 0
    if point.startswith("within"):
        wait_until(lambda: not standing_still(ledger))
    stopped.send_signal(signal.SIGCONT)
    workers.finish()
    assert compare(ledger, peer, campaign) == {"accepted": 600}


@ON_POSTGRESQL
def test_one_that_lost_its_slot_while_it_stood_still_sends_nothing_that_a_person_decided_about(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    """Stopped between claim and request; its slot's session ends, as when the database moves; a person
    decides to send again, another sends; then it goes on.
    """
    campaign = running(ledger, 200, batch_size=20)
    stopped = workers.start_until("claim committed", 1, signal.SIGSTOP, claim_life_s=LIFE_S)
    wait_until(lambda: is_stopped(stopped))
    at = time.monotonic()
    other = workers.start("--json")
    wait_until(lambda: ledger.campaign(campaign).ready == 0)
    with ledger.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 0"
        )
    wait_until(lambda: ledger.campaign(campaign).unknown > 0)
    later = Ledger.open(
        ledger.database.url.render_as_string(hide_password=False),
        now=lambda: datetime.now(UTC) + timedelta(minutes=6),
    )
    assert later.decide_all(campaign, "ready", "Ann", "the service has no trace of them") > 0
    later.close()
    wait_until(lambda: ledger.campaign(campaign).accepted == 200)
    time.sleep(max(0.0, LIFE_S - (time.monotonic() - at)))
    stopped.send_signal(signal.SIGCONT)
    assert stopped.wait(PATIENCE_S) in {0, 1}
    workers.forget(stopped)
    workers.kill(other, signal.SIGTERM)
    assert compare(ledger, peer, campaign) == {"accepted": 200}
