"""Workers killed with -9 at random, against a service that fails too: nothing twice, nothing lost."""

from __future__ import annotations

import signal
import time
from collections import Counter
from random import Random

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from workers import Workers, compare

from dashboard.ledger import Ledger

BATCH = 20
FAULTS = (
    {"kind": "throttled", "probability": 0.02, "retry_after_s": 0.3},
    {"kind": "throttled", "probability": 0.01, "retry_after_s": 1, "retry_after_form": "date"},
    {"kind": "error_before", "probability": 0.005},
    {"kind": "error_after", "probability": 0.005},
    {"kind": "error_before", "status": 503, "probability": 0.005, "retry_after_s": 0.2},
    {"kind": "dropped_before", "probability": 0.005},
    {"kind": "dropped_after", "probability": 0.005},
    {"kind": "slow", "probability": 0.01, "delay_s": 1.0},
)


@pytest.mark.parametrize(
    ("ledger_url", "together", "kills"),
    [
        pytest.param("sqlite", 1, 12, id="sqlite, one worker"),
        pytest.param("postgresql", 3, 12, id="postgresql, three workers"),
        pytest.param("sqlite", 1, 100, id="sqlite, long", marks=pytest.mark.soak),
        pytest.param("postgresql", 3, 100, id="postgresql, long", marks=pytest.mark.soak),
    ],
    indirect=["ledger_url"],
)
@pytest.mark.timeout(1800)
def test_workers_killed_at_random_send_nothing_twice_and_lose_nothing(
    ledger: Ledger, peer: SandboxPeer, workers: Workers, together: int, kills: int
) -> None:
    random = Random(together)  # noqa: S311 - repeatable on purpose
    peer.faults(*FAULTS, latency_s=0.2, seed=together)
    campaigns = []
    for _ in range(together):
        workers.start("--json")
    for _ in range(kills):  # each time another one, or workers that are fast have nothing left to send
        campaigns.append(running(ledger, BATCH * 40, batch_size=BATCH))
        wait_until(lambda: ledger.campaign(campaigns[-1]).accepted > 0)
        time.sleep(random.random() * 0.5)
        workers.kill(random.choice(workers.alive))
        workers.start("--json")
    peer.faults()
    for worker in list(workers.alive):
        workers.kill(worker, signal.SIGTERM)
    workers.start()
    workers.finish()
    found = compare(ledger, peer, *campaigns)
    assert set(found) == {"accepted", "unknown"}
    assert {ledger.campaign(campaign).state for campaign in campaigns} == {"done"}
    events = Counter(event for campaign in campaigns for event in ledger.attempts(campaign)["event"])
    assert events["lost"] > 0, "the kills hit nothing"
    assert found["unknown"] <= BATCH * sum(len(ledger.unknown(campaign)) for campaign in campaigns)


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_of_ten_campaigns_at_once_none_waits_for_another_though_workers_are_killed(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    peer.faults(latency_s=0.1)
    campaigns = [running(ledger, 300, batch_size=10) for _ in range(10)]
    for _ in range(2):
        before = sum(ledger.campaign(campaign).accepted for campaign in campaigns)
        worker = workers.start()
        wait_until(lambda: sum(ledger.campaign(one).accepted for one in campaigns) > before + 200)  # noqa: B023
        workers.kill(worker)
    workers.start()
    workers.finish()
    assert set(compare(ledger, peer, *campaigns)) == {"accepted", "unknown"}
    assert {ledger.campaign(campaign).state for campaign in campaigns} == {"done"}
    claimed = [ledger.batches(campaign)["claimed_at"] for campaign in campaigns]
    first_over = min(times.max() for times in claimed)
    assert min((times <= first_over).sum() for times in claimed) >= 15, "half of each when the first is over"


@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
def test_a_terminated_worker_leaves_nothing_unknown(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    peer.faults(latency_s=0.3)
    campaign = running(ledger, 2000, batch_size=BATCH)
    worker = workers.start()
    wait_until(lambda: ledger.campaign(campaign).accepted > 0)
    workers.kill(worker, signal.SIGTERM)
    assert set(compare(ledger, peer, campaign)) == {"accepted", "ready"}
    workers.start()
    workers.finish()
    assert compare(ledger, peer, campaign) == {"accepted": 2000}
