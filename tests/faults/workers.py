"""Real worker processes to kill, and the comparison of our ledger with the service's."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fixtures_ledger import counts
from fixtures_sandbox import SandboxPeer
from forked import Forked
from patience import PATIENCE_S
from program_at import program_at, program_that_notices_soon

from dashboard.ledger import Ledger

ROOT = Path(__file__).parents[2]


class Workers:
    """Processes of `python -m dashboard worker --until-done` on one ledger and one service."""

    def __init__(self, ledger_url: str, peer: SandboxPeer, folder: Path) -> None:
        self._folder = folder
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DASHBOARD_DATA": str(folder),
            "DASHBOARD_DATABASE_URL": ledger_url,
            "DASHBOARD_MESSAGES_PER_SECOND": "0",
            "SMS_BASE_URL": peer.base_url,
            "SMS_API_KEY": peer.api_key,
        }
        self.alive: list[Forked] = []

    def start(self, *options: str) -> Forked:
        return self._run(program_that_notices_soon, "worker", *(options or ["--until-done"]))

    def start_until(
        self, point: str, number: int = 1, signal_: signal.Signals = signal.SIGKILL, **changes: float
    ) -> Forked:
        """One that gets a signal at a point of its program, with constants changed; see program_at.py."""
        return self.run_until(point, number, signal_, "worker", "--until-done", **changes)

    def run_until(
        self, point: str, number: int, signal_: signal.Signals, *command: str, **changes: float
    ) -> Forked:
        return self._run(program_at, point, signal_.name, str(number), json.dumps(changes), *command)

    def _run(self, call: Callable[[list[str]], None], *words: str) -> Forked:
        worker = Forked(call, list(words), folder=self._folder, environment=self.environment)
        self.alive.append(worker)
        return worker

    def forget(self, worker: Forked) -> None:
        """One that has ended."""
        assert worker.poll() is not None
        self.alive.remove(worker)

    def kill(self, worker: Forked, number: int = signal.SIGKILL) -> None:
        worker.send_signal(number)
        worker.wait(PATIENCE_S)
        self.alive.remove(worker)

    def wait_killed(self, worker: Forked) -> None:
        """Wait until its point killed it."""
        assert worker.wait(PATIENCE_S) == -signal.SIGKILL
        self.alive.remove(worker)

    def finish(self) -> None:
        """Wait until each has ended by itself, well."""
        for worker in self.alive:
            assert worker.wait(PATIENCE_S) == 0
        self.alive = []


def is_stopped(worker: Forked) -> bool:
    """Whether it stands still, after SIGSTOP."""
    state = Path(f"/proc/{worker.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    return state == "T"


def compare(ledger: Ledger, peer: SandboxPeer, *campaigns: str) -> dict[str, int]:
    """Our ledger beside the service's: what must never differ. Returns messages by state."""
    taken = Counter(message["uuid"] for message in peer.messages())
    assert not {uuid for uuid, times in taken.items() if times > 1}, "sent twice"
    found: Counter[str] = Counter()
    ours: set[str] = set()
    for campaign in campaigns:
        state = ledger.messages(campaign).set_index("uuid")["state"]
        ours |= set(state.index)
        mine = set(taken) & set(state.index)
        assert set(state.index[state == "accepted"]) <= mine, "called accepted, and lost"
        assert mine <= set(state.index[state.isin(["accepted", "unknown", "sending"])]), "taken unnoticed"
        found.update(counts(ledger, campaign))
    assert set(taken) <= ours, "not of these campaigns"
    return dict(found)
