"""Fixtures that bring up the sandbox, a real service over HTTP; registered in conftest.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from patience import PATIENCE_S

from dashboard.sandbox import Sandbox
from dashboard.sending import engine
from dashboard.service import OutgoingMessage, SmsService

QUICK = {"send_delay_s": [0, 0], "delivery_delay_s": [0, 0]}
HELD = {"send_delay_s": [3600, 3600]}


class SandboxPeer:
    """A running sandbox and its controls beyond the contract."""

    def __init__(self, process: Sandbox) -> None:
        self.process = process
        self.http = httpx.Client(
            base_url=process.base_url,
            headers={"Authorization": f"Bearer {process.api_key}"},
            trust_env=False,
            timeout=PATIENCE_S,
        )
        self._defaults = self.http.get("/sandbox/settings").json()

    @property
    def base_url(self) -> str:
        return self.process.base_url

    @property
    def api_key(self) -> str:
        return self.process.api_key

    def service(self, **options: Any) -> SmsService:
        return SmsService(self.base_url, self.api_key, **options)

    def heal(self) -> None:
        """No faults, the settings it started with, no webhook."""
        for path in ("/sandbox/faults", "/sandbox/webhook"):
            self.http.delete(path).raise_for_status()
        self.settings(**self._defaults)

    def settings(self, **values: Any) -> dict[str, Any]:
        return self._post("/sandbox/settings", values)

    def faults(self, *faults: dict[str, Any], **plan: Any) -> dict[str, Any]:
        """As `faults({"kind": "throttled", "next": 2}, latency_s=0.1)`."""
        return self._post("/sandbox/faults", {"faults": list(faults), **plan})

    def webhook(self, url: str, secret: str) -> dict[str, Any]:
        return self._post("/sandbox/webhook", {"url": url, "secret": secret})

    def messages(self, campaign: str | None = None) -> list[dict[str, Any]]:
        """Every acceptance, doubled ones included."""
        query = {} if campaign is None else {"campaign": campaign}
        return [json.loads(line) for line in self._get("/sandbox/messages", query).text.splitlines()]

    def summary(self, campaign: str | None = None) -> dict[str, Any]:
        query = {} if campaign is None else {"campaign": campaign}
        found: dict[str, Any] = self._get("/sandbox/summary", query).json()
        return found

    def post_bulk(self, payload: object, **options: Any) -> httpx.Response:
        """A bulk request as raw as the test wants it."""
        return self.http.post("/api/sms/bulk", json=payload, **options)

    def _get(self, path: str, query: dict[str, str]) -> httpx.Response:
        return self.http.get(path, params=query).raise_for_status()

    def _post(self, path: str, value: dict[str, Any]) -> dict[str, Any]:
        answer = self.http.post(path, json=value).raise_for_status()
        found: dict[str, Any] = answer.json()
        return found


@pytest.fixture(scope="session")
def sandbox_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxPeer]:
    with Sandbox.start(tmp_path_factory.mktemp("sandbox")) as process:
        peer = SandboxPeer(process)
        yield peer
        peer.http.close()


@pytest.fixture
def sandbox(sandbox_process: SandboxPeer) -> SandboxPeer:
    """The sandbox that all tests share, healed; it keeps the messages of earlier tests."""
    sandbox_process.heal()
    return sandbox_process


@pytest.fixture
def emptied_sandbox(sandbox: SandboxPeer, monkeypatch: pytest.MonkeyPatch) -> SandboxPeer:
    """The shared one as if it were empty: it shows the messages of this test only."""
    every, known = sandbox.messages, len(sandbox.messages())
    monkeypatch.setattr(
        sandbox,
        "messages",
        lambda name=None: [one for one in every()[known:] if name in {None, one.get("campaign")}],
    )
    return sandbox


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an engine of this process notices within half a second, it notices within a tenth."""
    for name in ("TICK_S", "WATCH_S"):
        monkeypatch.setattr(engine, name, 0.1)


@pytest.fixture
def fresh_sandbox(tmp_path: Path) -> Iterator[SandboxPeer]:
    """A sandbox of one's own, empty; half a second dearer."""
    with Sandbox.start(tmp_path / "sandbox") as process:
        peer = SandboxPeer(process)
        yield peer
        peer.http.close()


@pytest.fixture
def service(sandbox: SandboxPeer) -> Iterator[SmsService]:
    """Our client, on the shared sandbox."""
    with sandbox.service() as client:
        yield client


def outgoing(number: int = 0, **fields: Any) -> OutgoingMessage:
    """A message to a number that Ofcom keeps for fiction, with a uuid of its own."""
    wanted = {"to": f"+447700900{number:03d}", "body": "Hello", "uuid": str(uuid4()), **fields}
    return OutgoingMessage(**wanted)
