"""Processes that run the program with everything imported already: forked from one that did it once.

A process of ours spends a second and more on imports; three hundred of them in a run of the tests made five
minutes of nothing else. These are real processes still, with a folder and an environment of their own.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import TimeoutExpired

from dashboard.commands.cli import cli

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "dashboard.app.server.asgi",
        "dashboard.commands.cli",
        "dashboard.commands.steps.checking",
        "dashboard.commands.steps.preparing",
        "dashboard.reports",
        "dashboard.sending.engine",
    ]
)


class Forked:
    """A process of the program, to be handled like a `subprocess.Popen`."""

    def __init__(
        self,
        call: Callable[[list[str]], object],
        words: list[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        out: Path | None = None,
        err: Path | None = None,
    ) -> None:
        """Run `call` on words; what it prints goes to files, or its output nowhere and its errors to ours."""
        files = (str(out or os.devnull), str(err) if err else None)
        self._process = FORKS.Process(target=_begin, args=(call, words, folder, dict(environment), files))
        self._process.start()
        assert self._process.pid
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout_s: float) -> int:
        self._process.join(timeout_s)
        if self._process.exitcode is None:
            raise TimeoutExpired(self._process.name, timeout_s)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def program(words: list[str]) -> None:
    """`python -m dashboard` with these words."""
    cli(words, prog_name="python -m dashboard")


def _begin(
    call: Callable[[list[str]], object],
    words: list[str],
    folder: Path,
    environment: dict[str, str],
    files: tuple[str, str | None],
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream, path in zip((sys.stdout, sys.stderr), files, strict=True):
        if path:
            stream.flush()
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream.fileno())
    call(words)
