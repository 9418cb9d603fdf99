"""Several processes on one ledger: one slot is one process, and nobody sends what another may have sent."""

from __future__ import annotations

import signal
from contextlib import ExitStack

import pytest
from fixtures_ledger import running
from fixtures_sandbox import SandboxPeer
from patience import wait_until
from workers import Workers, compare

from dashboard.ledger import Ledger
from dashboard.ledger.outbox.slots import SLOTS, nobody_sends
from dashboard.sending import Engine


@pytest.mark.parametrize("ledger_url", ["sqlite"], indirect=True)
def test_of_two_processes_for_one_slot_one_sends_and_the_other_says_why_not(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    peer.faults(latency_s=0.2)
    campaign = running(ledger, 1000, batch_size=10)
    with ExitStack() as held:
        held.enter_context(nobody_sends(ledger.database, range(1, SLOTS)))
        both = [workers.start(), workers.start()]
        wait_until(lambda: any(one.poll() is not None for one in both))
        (refused,) = (one for one in both if one.poll() is not None)
        assert refused.returncode == 2
        workers.forget(refused)
        workers.finish()
    assert compare(ledger, peer, campaign) == {"accepted": 1000}


def test_what_a_dead_one_left_another_takes_over(ledger: Ledger, peer: SandboxPeer, workers: Workers) -> None:
    peer.faults(latency_s=0.5)
    dies, lives = workers.start("--json"), workers.start("--json")
    wait_until(lambda: len(ledger.outbox.slots_in_use()) == 2)
    campaign = running(ledger, 1600, batch_size=10)
    wait_until(lambda: ledger.attempts(campaign)["owner"].nunique() == 2)
    workers.kill(dies)
    wait_until(lambda: ledger.campaign(campaign).state == "done")
    workers.kill(lives, signal.SIGTERM)
    assert set(compare(ledger, peer, campaign)) == {"accepted", "unknown"}
    assert ledger.outbox.slots_in_use() == []


@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
def test_a_worker_taken_for_dead_sends_nothing_twice(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    """Safety does not rest on that judgement: its claims are unknown until its answers come all the same."""
    peer.faults(latency_s=0.1)
    campaign = running(ledger, 800, batch_size=10)
    workers.start()
    wait_until(lambda: ledger.campaign(campaign).accepted > 0)
    with peer.service() as service, Engine(ledger, service) as engine:
        for _ in range(3):
            before = ledger.campaign(campaign).accepted
            ledger.outbox.retire([0])
            wait_until(lambda: ledger.campaign(campaign).accepted > before)  # noqa: B023 - waited for at once
        engine.wait_until_done()
    workers.finish()
    states = compare(ledger, peer, campaign)
    kept_back = states.pop("unknown", 0)  # what was claimed ahead of its place does not leave any more
    assert kept_back <= 3 * 10
    assert states == {"accepted": len(peer.messages())} == {"accepted": 800 - kept_back}
    assert "lost" in set(ledger.attempts(campaign)["event"])
