"""The sandbox of a dashboard from outside: its own books to compare with, and its service to spoil."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from dashboard_server import ask

QUICK = {"send_delay_s": [0, 0.1], "delivery_delay_s": [0, 0.2], "delivered_share": 1}
SLOW = {"send_delay_s": [600, 600]}
"""Nothing is reported about a message while a test looks."""
TAKES_SOME = {
    "faults": [
        {"kind": "slow", "next": 8, "delay_s": 1},
        {"kind": "throttled", "probability": 1, "retry_after_s": 1},
    ]
}
"""A few requests are taken, then none, so that a campaign is on its way for as long as a page needs."""


class SandboxBooks:
    """The books of the sandbox that the dashboard in a folder started."""

    def __init__(self, folder: Path) -> None:
        self._identity = folder / "data" / "sandbox" / "sandbox.json"

    def messages(self, campaign: str) -> list[dict[str, Any]]:
        """Every message that the service took of a campaign; that it took none twice is checked here."""
        lines = self._ask("GET", "/sandbox/messages?" + urlencode({"campaign": campaign})).splitlines()
        taken = [json.loads(line) for line in lines]
        uuids = [message["uuid"] for message in taken]
        assert len(uuids) == len(set(uuids)), "the service took a message twice"
        return taken

    @contextmanager
    def spoiled(self, **plan: object) -> Iterator[None]:
        """Have the service do what a plan says (`FaultPlan` of the sandbox's faults.py), then heal it."""
        self._ask("POST", "/sandbox/faults", plan)
        try:
            yield
        finally:
            self._ask("DELETE", "/sandbox/faults")

    def simulate(self, settings: dict[str, object]) -> None:
        """Change how soon messages are sent and delivered from now on (`dashboard.sandbox.simulation`)."""
        self._ask("POST", "/sandbox/settings", settings)

    def _ask(self, method: str, path: str, content: dict[str, object] | None = None) -> bytes:
        identity = json.loads(self._identity.read_text())
        status, answer = ask(
            method,
            f"http://127.0.0.1:{identity['port']}{path}",
            b"" if content is None else json.dumps(content).encode(),
            {"Authorization": f"Bearer {identity['api_key']}"},
        )
        assert status == 200, f"the sandbox answers {status} to {method} {path}"
        return answer
