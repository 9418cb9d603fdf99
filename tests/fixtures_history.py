"""A reader's folder, with half a year of campaigns behind it; registered in conftest.py."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.command_line import environment

ROOT = Path(__file__).parents[1]
REPORTS = "uuid,status,created_at\n6c2f3a52-9d0e-4a3e-8a3c-2b1f0f3f4f10,delivered,2026-11-20T09:00:00Z\n"


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with half a year of campaigns, made once."""
    folder = tmp_path_factory.mktemp("history")
    subprocess.run([sys.executable, ROOT / "data" / "history.py", folder], check=True)
    return folder / "ledger.sqlite"


@pytest.fixture
def project(tmp_path: Path, history: Path) -> Path:
    """A reader's folder: the sample data, a ledger with a past, and reports from the service."""
    shutil.copytree(ROOT / "data", tmp_path / "data", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / ".dashboard").mkdir()
    shutil.copy(history, tmp_path / ".dashboard")
    (tmp_path / "reports.csv").write_text(REPORTS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def in_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same as the current folder, with nothing set."""
    own = environment(project)
    for name in {*os.environ} - {*own}:
        monkeypatch.delenv(name)
    monkeypatch.delenv("DASHBOARD_DATA", raising=False)
    monkeypatch.chdir(project)
    return project
