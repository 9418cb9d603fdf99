"""Workers killed with -9 in the middle, against a service that fails too: nothing twice, nothing lost."""

from __future__ import annotations

import signal
import time
from collections import Counter
from random import Random

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from workers import Workers, compare, wait_for

from dashboard.ledger import Ledger

MESSAGES = 3000
BATCH = 20
KILLS = 3
FAULTS = (
    {"kind": "throttled", "probability": 0.03, "retry_after_s": 0.3},
    {"kind": "error_before", "probability": 0.01},
    {"kind": "error_after", "probability": 0.01},
    {"kind": "dropped_before", "probability": 0.01},
    {"kind": "dropped_after", "probability": 0.01},
)


@pytest.mark.parametrize("together", [1, 2], ids=["one worker", "two workers"])
def test_workers_killed_in_the_middle_send_nothing_twice_and_lose_nothing(
    ledger: Ledger, peer: SandboxPeer, workers: Workers, together: int
) -> None:
    random = Random(together)  # noqa: S311 - repeatable on purpose
    peer.faults(*FAULTS, latency_s=0.2, seed=together)
    campaign = running(ledger, MESSAGES * together, batch_size=BATCH)
    for _ in range(together):
        workers.start()
    for _ in range(KILLS):
        before = ledger.campaign(campaign).accepted
        wait_for(lambda: ledger.campaign(campaign).accepted > before)  # noqa: B023 - waited for at once
        time.sleep(random.random() * 0.4)
        workers.kill(workers.alive[0])
        if not workers.alive:  # or the other one goes on between two looks
            compare(ledger, peer, campaign)
        workers.start()
    workers.finish()
    found = compare(ledger, peer, campaign)
    assert set(found) == {"accepted", "unknown"}
    assert ledger.campaign(campaign).state == "done"
    events = Counter(ledger.attempts(campaign)["event"])
    assert events["lost"] > 0, "the kills hit nothing"
    assert found["unknown"] == BATCH * len(ledger.unknown(campaign))


def test_a_terminated_worker_leaves_nothing_unknown_and_another_goes_on(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    peer.faults(latency_s=0.3)
    campaign = running(ledger, 1000, batch_size=BATCH)
    worker = workers.start()
    wait_for(lambda: ledger.campaign(campaign).accepted > 0)
    workers.kill(worker, signal.SIGTERM)
    assert set(compare(ledger, peer, campaign)) == {"accepted", "ready"}
    workers.start()
    workers.finish()
    assert compare(ledger, peer, campaign) == {"accepted": 1000}


def test_while_paused_a_killed_worker_comes_back_and_stays_paused(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    peer.faults(latency_s=0.1)
    campaign = running(ledger, 1000, batch_size=BATCH)
    worker = workers.start()
    wait_for(lambda: ledger.campaign(campaign).accepted > 0)
    ledger.pause(campaign, "Paused by Ann.")
    workers.kill(worker)
    workers.start()
    workers.finish()
    found = compare(ledger, peer, campaign)
    assert found["ready"] > 0
    assert ledger.campaign(campaign).state == "paused"
