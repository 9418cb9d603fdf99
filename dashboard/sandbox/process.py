"""A folder's sandbox as another process: found running, or started."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson

from dashboard.sandbox.folder import BUSY, Identity, SandboxError, SandboxFolder

START_S = 30.0
END_S = 10.0
PROBE_S = 1.0
POLL_S = 0.05
LARGEST_LOG = 1_000_000

_WINDOWS_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "CREATE_NO_WINDOW", 0
)


class Sandbox:
    """The running sandbox of a folder; one started here ends with this process.

    Example:
        >>> with Sandbox.start(Path(".dashboard/sandbox")) as sandbox:
        ...     service = SmsService(sandbox.base_url, sandbox.api_key)
    """

    def __init__(self, folder: Path) -> None:
        self._folder = SandboxFolder(folder)
        self._child: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()
        self._identity = self._running()

    @classmethod
    def start(cls, folder: Path) -> Self:
        """Attach to the folder's sandbox, or start it; any number of processes may do so at once.

        Raises:
            SandboxError: It does not come up; the message names its log.
        """
        return cls(folder)

    def __repr__(self) -> str:
        return f"Sandbox({self.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def base_url(self) -> str:
        """Its base address; the same after a restart unless another program took the port."""
        return self._identity.base_url

    @property
    def api_key(self) -> str:
        """Its key; the same after a restart."""
        return self._identity.api_key

    def ensure(self) -> None:
        """Start it again if it has ended, even if it was another process's.

        Raises:
            SandboxError: It does not come up.
        """
        with self._guard:
            self._identity = self._running()

    def close(self) -> None:
        """End it if it was started here."""
        with self._guard:
            self._let_go()

    def _running(self) -> Identity:
        """The identity of the sandbox that answers, after starting it if none does."""
        if self._child is not None and self._child.poll() is not None:
            self._let_go()
        self._folder.make()
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            identity = self._folder.identity()
            if identity and _answers(identity):
                return identity
            if self._child is not None and self._child.poll() is not None:
                self._give_way(self._child.returncode)
            if self._child is None:
                self._child = self._spawn()
            time.sleep(POLL_S)
        raise self._failure()

    def _give_way(self, code: int) -> None:
        """The folder's lock decides between two starters; the one whose child ends as BUSY looks again."""
        if code != BUSY:
            raise self._failure()
        self._let_go()

    def _failure(self) -> SandboxError:
        self._let_go()
        return SandboxError(f"The sandbox does not start. Its log says why: {self._folder.log.name}.")

    def _let_go(self) -> None:
        """End the child if there is one: when its standard input ends, so does the child."""
        child, self._child = self._child, None
        if child is None:
            return
        if child.stdin:
            child.stdin.close()
        try:
            child.wait(END_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dashboard.sandbox", str(self._folder.path), "--until-stdin-ends"]
        with self._folder.log.open("ab") as log:
            if log.tell() > LARGEST_LOG:
                log.truncate(0)
            return subprocess.Popen(  # noqa: S603 - our own module
                command,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                # Ctrl+C in a terminal reaches every process of its group; the sandbox ends after its starter.
                start_new_session=True,
                creationflags=_WINDOWS_FLAGS,
            )


def _answers(identity: Identity) -> bool:
    """Whether this very sandbox answers there, and not another program using its port."""
    connection = HTTPConnection("127.0.0.1", identity.port, timeout=PROBE_S)
    try:
        connection.request("GET", "/sandbox/health")
        health = orjson.loads(connection.getresponse().read(1000))
    except (OSError, HTTPException, orjson.JSONDecodeError):
        return False
    finally:
        connection.close()
    return isinstance(health, dict) and health.get("instance") == identity.instance
