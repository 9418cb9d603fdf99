"""Running `python -m dashboard` as a person or cron would: its own process, its own folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from patience import PATIENCE_S

from dashboard.settings import Settings, variable

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data"


def environment(folder: Path, **values: str) -> dict[str, str]:
    """The environment without any setting of ours, and with these."""
    ours = {variable(field) for field in Settings.model_fields}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "DASHBOARD_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT), **values}


class Shell:
    """Runs command after command, each in a process of its own that has everything imported already."""

    _PROGRAM = """
import json, os, sys, tempfile
import dashboard.app.server.asgi, dashboard.reports
import dashboard.commands.steps.checking, dashboard.commands.steps.preparing
from dashboard.commands.cli import cli

for line in sys.stdin:
    files = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, file in enumerate(files, start=1):
            os.dup2(file.fileno(), number)
        sys.stdin, code = open(0), 1
        try:
            cli(json.loads(line), prog_name="python -m dashboard")
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    [file.seek(0) for file in files]
    print(json.dumps([code, *(file.read().decode(errors="replace") for file in files)]), flush=True)
"""

    def __init__(self, folder: Path, **values: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", self._PROGRAM],
            cwd=folder,
            env=environment(folder, **values),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __call__(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        assert self._process.stdin
        assert self._process.stdout
        given = [str(word) for word in words]
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        return subprocess.CompletedProcess(given, *json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process; it may hold a ledger open no longer."""
        self._process.communicate(timeout=PATIENCE_S)


def run(folder: Path, *words: str | Path, **values: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "dashboard", *map(str, words)],
        cwd=folder,
        env=environment(folder, **values),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        check=False,
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but those that come and go while a ledger is open."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    passing = (".sqlite-wal", ".sqlite-shm", ".lock")
    return {str(path): path.read_bytes() for path in files if not path.name.endswith(passing)}
