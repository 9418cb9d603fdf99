"""Running `python -m dashboard` as a person or cron would: with a folder and an environment of its own."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from datetime import datetime
from pathlib import Path
from unittest import mock

from click.testing import CliRunner

from dashboard.commands.cli import cli
from dashboard.ledger import Ledger
from dashboard.settings import Settings, variable

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data"


def environment(folder: Path, **values: str) -> dict[str, str]:
    """The environment without any setting of ours, and with these."""
    ours = {variable(field) for field in Settings.model_fields}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "DASHBOARD_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT), **values}


def open_ledger(folder: Path, now: Callable[[], datetime] | None = None) -> Ledger:
    """The ledger that commands find in a folder."""
    (folder / "data").mkdir(exist_ok=True)
    return Ledger.open(f"sqlite:///{folder / 'data' / 'ledger.sqlite'}", **({"now": now} if now else {}))


def run(
    folder: Path, *words: str | Path, says: str | None = None, **values: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in this process; what serves pages must refuse before it does."""
    given = [str(word) for word in words]
    with chdir(folder), surroundings(environment(folder, **values)), log_of_its_own(), ExitStack() as held:
        if not given:
            held.enter_context(mock.patch("dashboard.app.server.asgi.serve", side_effect=AssertionError))
        runner = CliRunner(values.get("PYTHONIOENCODING", "utf-8"))
        done = runner.invoke(cli, given, says, prog_name="python -m dashboard", catch_exceptions=False)
    return subprocess.CompletedProcess(given, done.exit_code, done.stdout, done.stderr)


@contextmanager
def surroundings(values: dict[str, str]) -> Iterator[None]:
    """These and no other environment variables."""
    try:
        with mock.patch.dict(os.environ, values, clear=True):
            time.tzset()
            yield
    finally:
        time.tzset()


@contextmanager
def log_of_its_own() -> Iterator[None]:
    """What a command makes of this process's log is undone."""
    root, ours = logging.getLogger(), logging.getLogger("dashboard")
    handlers, levels = [*root.handlers], (root.level, ours.level)
    hooks = ((warnings, "showwarning"), (sys, "excepthook"), (threading, "excepthook"))
    with ExitStack() as kept:
        for module, name in hooks:
            kept.enter_context(mock.patch.object(module, name, getattr(module, name)))
        try:
            yield
        finally:
            root.handlers[:] = handlers
            root.setLevel(levels[0])
            ours.setLevel(levels[1])


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but those that come and go while a ledger is open."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    passing = (".sqlite-wal", ".sqlite-shm", ".lock")
    return {str(path): path.read_bytes() for path in files if not path.name.endswith(passing)}
