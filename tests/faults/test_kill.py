"""Workers killed with -9 in the middle, against a service that fails too: nothing twice, nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from fixtures_ledger import counts, running
from fixtures_sandbox import HELD, SandboxPeer

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


class Workers:
    """Processes of `python -m dashboard worker` on one ledger and one service."""

    def __init__(self, ledger_url: str, peer: SandboxPeer, folder: Path) -> None:
        self._folder = folder
        self._environment = {
            **os.environ,
            "DASHBOARD_DATA": str(folder),
            "DASHBOARD_DATABASE_URL": ledger_url,
            "DASHBOARD_MESSAGES_PER_SECOND": "0",
            "SMS_BASE_URL": peer.base_url,
            "SMS_API_KEY": peer.api_key,
        }
        self.alive: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dashboard", "worker", "--until-done"]
        worker = subprocess.Popen(command, cwd=self._folder, env=self._environment, stdout=subprocess.DEVNULL)
        self.alive.append(worker)
        return worker

    def kill(self, worker: subprocess.Popen[bytes], number: int = signal.SIGKILL) -> None:
        self.alive.remove(worker)
        worker.send_signal(number)
        worker.wait(60)

    def finish(self, *, seconds: float = 120) -> None:
        """Wait until each has ended by itself, well."""
        for worker in self.alive:
            assert worker.wait(seconds) == 0
        self.alive = []


@pytest.fixture
def peer(fresh_sandbox: SandboxPeer) -> SandboxPeer:
    fresh_sandbox.settings(**HELD)
    return fresh_sandbox


@pytest.fixture
def workers(ledger_url: str, peer: SandboxPeer, tmp_path: Path) -> Iterator[Workers]:
    started = Workers(ledger_url, peer, tmp_path)
    yield started
    for worker in list(started.alive):
        started.kill(worker)


@pytest.fixture
def ledger(ledger_url: str) -> Iterator[Ledger]:
    opened = Ledger.open(ledger_url)
    yield opened
    opened.close()


def compare(ledger: Ledger, campaign: str, peer: SandboxPeer) -> dict[str, int]:
    """Our ledger beside the service's: what must never differ. Returns messages by state."""
    taken = Counter(message["uuid"] for message in peer.messages())
    messages = ledger.messages(campaign).set_index("uuid")
    state = messages["state"]
    assert not {uuid for uuid, times in taken.items() if times > 1}, "sent twice"
    assert not set(taken) - set(messages.index), "not of this campaign"
    assert set(state.index[state == "accepted"]) <= set(taken), "called accepted, and lost"
    assert set(taken) <= set(state.index[state.isin(["accepted", "unknown", "sending"])]), "taken unnoticed"
    return counts(ledger, campaign)


def wait_for(reached: Callable[[], bool], *, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


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
            compare(ledger, campaign, peer)
        workers.start()
    workers.finish()
    found = compare(ledger, campaign, peer)
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
    assert set(compare(ledger, campaign, peer)) == {"accepted", "ready"}
    workers.start()
    workers.finish()
    assert compare(ledger, campaign, peer) == {"accepted": 1000}


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
    found = compare(ledger, campaign, peer)
    assert found["ready"] > 0
    assert ledger.campaign(campaign).state == "paused"


@pytest.mark.soak  # does not always end in time, and we do not know why yet (docs/guarantees.md)
@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
def test_while_one_is_stopped_another_cannot_take_its_batches(
    ledger: Ledger, peer: SandboxPeer, workers: Workers
) -> None:
    """SIGSTOP is not death: the slot stays locked, so nothing becomes unknown and nothing is sent twice.

    On SQLite a process may be stopped while it holds the only write lock; then everybody waits for it.
    """
    peer.faults(latency_s=0.2)
    campaign = running(ledger, 1000, batch_size=BATCH)
    stopped = workers.start()
    wait_for(lambda: ledger.campaign(campaign).accepted > 0)
    stopped.send_signal(signal.SIGSTOP)
    other = workers.start()
    wait_for(lambda: ledger.campaign(campaign).ready <= BATCH)  # one may be locked in its transaction
    assert ledger.campaign(campaign).sending > 0
    assert ledger.campaign(campaign).unknown == 0
    stopped.send_signal(signal.SIGCONT)
    workers.finish()
    assert other.returncode == 0
    assert compare(ledger, campaign, peer) == {"accepted": 1000}
