"""Whether this process can do its work: each thing that it depends on, by name and in a word.

Anybody may ask, so a word is all they get. What may stand still is asked as asking.py does.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from dashboard.app.runtime import Runtime
from dashboard.app.server.asking import Question
from dashboard.ledger import Ledger
from dashboard.ledger.database.connections import BUSY_TIMEOUT_S
from dashboard.ledger.database.pulse import Pulse, pulse
from dashboard.ledger.outbox.gate import read_gate
from dashboard.sending import Engine

OK = "ok"
WAITING = "waiting"
"""Of the service: it asked us to wait or was away. The pages work, so this does not make us unready."""

LEAST_FREE_BYTES = 50_000_000
STALLED_S = 120.0
"""A sender looks twice a second, but waits for as long as a minute while a large campaign is written."""


class Health:
    """What this process depends on; to be used on one event loop."""

    def __init__(self, wired: Runtime, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wired = wired
        self._monotonic = monotonic
        self._ledger = Question("ledger", lambda: pulse(wired.ledger.database))
        self._service = Question("gate", lambda: _is_open(wired.ledger))
        self._folder = Question("folder", lambda: _folder(wired.given.data))
        self._busy_since: float | None = None

    async def checks(self) -> dict[str, str]:
        """A word for each, within two seconds: `ok`, or what is wrong with it."""
        found, is_open, folder = await asyncio.gather(
            self._ledger.answer(), self._service.answer(), self._folder.answer()
        )
        checks = {
            "ledger": self._of_ledger(found),
            "folder": folder or "no answer",
            "sending": _sending(self._wired.engine),
            "service": {None: "unknown", True: OK, False: WAITING}[is_open],
        }
        if self._wired.desk is not None:
            checks["sign-in"] = OK if self._wired.desk.is_current else "no answer"
        return checks

    def _of_ledger(self, found: Pulse | None) -> str:
        """Busy counts as well for as long as our own writers would wait: somebody is at work."""
        if found != "busy":
            self._busy_since = None
            return found or "no answer"
        now = self._monotonic()
        self._busy_since = self._busy_since or now
        return OK if now - self._busy_since < BUSY_TIMEOUT_S else "busy"


def is_ready(checks: dict[str, str]) -> bool:
    """Whether pages and sending work; what the service does is not ours to mend."""
    return all(word == OK for name, word in checks.items() if name != "service")


def _is_open(ledger: Ledger) -> bool:
    with ledger.database.read() as connection:
        return read_gate(connection).closed_until <= ledger.outbox.now()


def _folder(folder: Path) -> str:
    if not os.access(folder, os.W_OK | os.X_OK):
        return "not writable"
    return OK if shutil.disk_usage(folder).free >= LEAST_FREE_BYTES else "full"


def _sending(engine: Engine) -> str:
    if not engine.is_running:
        return "stopped"
    return OK if engine.seconds_since_tick < STALLED_S else "stalled"
