"""What tests of faults share: a service that can fail, a ledger that keeps real time, workers.

They are deep, as each kills or stops real processes, but for the few that say `first`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures_sandbox import HELD, SandboxPeer
from tiers import deep_but_for_first
from workers import Workers

from dashboard.ledger import Ledger


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    deep_but_for_first(items, Path(__file__).parent)


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
