"""Running `python -m dashboard` as a person or cron would: with a folder and an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from unittest import mock

from click.testing import CliRunner
from forked import Forked, program
from patience import PATIENCE_S

from dashboard.commands.cli import cli
from dashboard.settings import Settings, variable

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data"


def environment(folder: Path, **values: str) -> dict[str, str]:
    """The environment without any setting of ours, and with these."""
    ours = {variable(field) for field in Settings.model_fields}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "DASHBOARD_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT), **values}


def run(folder: Path, *words: str | Path, **values: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end: in this process, or in one of its own if it starts servers or workers."""
    given = [str(word) for word in words]
    if not given or given[0] in {"worker", "sandbox"}:
        return run_forked(folder, *given, **values)
    with chdir(folder), surroundings(environment(folder, **values)):
        runner = CliRunner(values.get("PYTHONIOENCODING", "utf-8"))
        done = runner.invoke(cli, given, prog_name="python -m dashboard", catch_exceptions=False)
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


def run_forked(folder: Path, *words: str | Path, **values: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a process that has everything imported already."""
    given = [str(word) for word in words]
    with tempfile.TemporaryDirectory() as heard:
        out, err = Path(heard, "out"), Path(heard, "err")
        process = Forked(
            program, given, folder=folder, environment=environment(folder, **values), out=out, err=err
        )
        code = process.wait(PATIENCE_S)
        return subprocess.CompletedProcess(
            given, code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
        )


def run_anew(folder: Path, *words: str | Path, **values: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end as a shell does: in a process that begins with nothing."""
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
