"""Running `python -m dashboard` as a person or cron would: its own process, its own folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dashboard.settings import Settings, variable

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "data"


def environment(folder: Path, **values: str) -> dict[str, str]:
    """The environment without any setting of ours, and with these."""
    ours = {variable(field) for field in Settings.model_fields}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "DASHBOARD_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT), **values}


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
        timeout=120,
        check=False,
    )
