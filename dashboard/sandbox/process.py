"""A folder's sandbox as another process: found running, or started."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from dashboard.sandbox.folder import BUSY, Identity, SandboxError, SandboxFolder

START_S = 30.0
END_S = 10.0
PROBE_S = 1.0
POLL_S = 0.05
LARGEST_LOG = 1_000_000
LONGEST_REASON = 300
UNDER_WAY = ("pending", "sent")
"""The statuses of messages that are not over yet; scheduled ones are pending."""

_WINDOWS_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(
    subprocess, "CREATE_NO_WINDOW", 0
)


class Sandbox:
    """The running sandbox of a folder; one started here ends with this process.

    Example:
        >>> with Sandbox.start(".dashboard/sandbox") as sandbox:
        ...     service = SmsService(sandbox.base_url, sandbox.api_key)
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = SandboxFolder(Path(folder))
        self._child: subprocess.Popen[bytes] | None = None
        self._guard = threading.Lock()
        self._identity = self._running()

    @classmethod
    def start(cls, folder: str | Path) -> Self:
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

    def change(self, **settings: Any) -> dict[str, Any]:
        """Change settings of the simulation, such as `delivered_share`; returns all of them.

        Raises:
            SandboxError: There is no such setting, or it cannot have this value.

        Example:
            >>> sandbox.change(delivered_share=0.9, delivery_delay_s=[0, 1])
        """
        return dict(orjson.loads(self._ask("POST", "/sandbox/settings", orjson.dumps(settings))))

    def reports(self) -> bytes:
        """Where every message stands, as JSON lines for `read_reports`."""
        return self._ask("GET", "/sandbox/messages")

    def forget(self, before: datetime) -> int:
        """Empty the texts and numbers of messages that are over and were sent before then; returns how many.

        Raises:
            SandboxError: It does not answer.
        """
        said = self._ask("DELETE", f"/sandbox/messages?before={int(before.timestamp())}")
        return int(orjson.loads(said)["forgotten"])

    def wait_until_final(self, timeout_s: float = 60.0) -> None:
        """Return when every message has been delivered or has failed.

        Raises:
            SandboxError: That takes longer than the timeout.
        """
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            numbers = orjson.loads(self._ask("GET", "/sandbox/summary"))["by_status"]
            if not any(numbers.get(status) for status in UNDER_WAY):
                return
            time.sleep(POLL_S)
        raise SandboxError("Some messages are still on their way. Wait longer, or look at the delays set.")

    def _ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        """Use a door of the sandbox beyond the contract."""
        connection = HTTPConnection("127.0.0.1", self._identity.port, timeout=START_S)
        try:
            connection.request(method, path, body, {"Authorization": f"Bearer {self.api_key}"})
            response = connection.getresponse()
            said = response.read()
        except (OSError, HTTPException) as error:
            raise SandboxError("The sandbox does not answer. Start it again.") from error
        finally:
            connection.close()
        if response.status >= HTTPStatus.BAD_REQUEST:
            raise SandboxError(f"The sandbox refused this: {said[:LONGEST_REASON].decode(errors='replace')}")
        return said

    def close(self) -> None:
        """End it if it was started here."""
        with self._guard:
            self._let_go()

    def _running(self) -> Identity:
        """The identity of the sandbox that answers, after starting it if none does."""
        before = self._child
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            identity = self._folder.identity()
            if identity and _answers(identity):
                return identity
            if self._child is not None and self._child.poll() is not None:
                if self._child is not before:  # which may have ended a moment ago
                    self._give_way(self._child.returncode)
                self._let_go()
            if self._child is None:
                self._child = self._spawn()
            time.sleep(POLL_S)
        raise self._failure()

    def _give_way(self, code: int) -> None:
        """The folder's lock decides between two starters; the one whose child ends as BUSY looks again."""
        if code != BUSY:
            raise self._failure()

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
        try:
            self._folder.make()
            log = self._folder.log.open("ab")
        except OSError as error:
            raise SandboxError(
                f"The sandbox cannot write in {self._folder.path} ({error.strerror}). Make that folder and "
                "the files in it this user's, or choose another one."
            ) from None
        with log:
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
