"""A sandbox's folder: its database, log and lock, and the port and key that it keeps across restarts."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

import orjson
from filelock import FileLock, Timeout

BUSY = 75
"""Exit code of a sandbox whose folder another process holds."""


class SandboxError(Exception):
    """The sandbox cannot run; the message says what to do."""


class SandboxBusyError(SandboxError):
    """Another process is running this folder's sandbox."""


@dataclass(frozen=True)
class Identity:
    """Where a sandbox listens and what key opens it. `instance` tells it from others on the same port."""

    port: int
    api_key: str
    instance: str

    def __repr__(self) -> str:
        return f"Identity(port={self.port}, instance={self.instance!r})"

    @property
    def base_url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self.port}"


class SandboxFolder:
    """The folder and what is in it; readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.database = self.path / "sandbox.sqlite"
        self.log = self.path / "sandbox.log"
        self._identity = self.path / "sandbox.json"
        self._lock = self.path / "sandbox.lock"

    def make(self) -> None:
        """Make the folder if it is absent."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder; the system releases it when the process ends, however it ends.

        Raises:
            SandboxBusyError: Another process holds it.
        """
        try:
            with FileLock(self._lock, timeout=0):
                yield
        except Timeout:
            raise SandboxBusyError("Another process runs this folder's sandbox. Use that one.") from None

    def identity(self) -> Identity | None:
        """The identity kept here; None if there is none or it cannot be read."""
        try:
            return Identity(**orjson.loads(self._identity.read_bytes()))
        except (OSError, orjson.JSONDecodeError, TypeError):
            return None

    def keep(self, identity: Identity) -> None:
        """Store an identity, in one step, readable only by the owner."""
        draft = self._identity.with_suffix(".new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(orjson.dumps(asdict(identity)))
        draft.replace(self._identity)


def new_identity(port: int, api_key: str | None) -> Identity:
    """An identity for a new sandbox, with a key of its own unless one is given."""
    return Identity(port, api_key or f"sandbox-{secrets.token_urlsafe(24)}", str(uuid4()))
