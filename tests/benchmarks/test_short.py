"""The benchmarks run, at a small size: what they measure is for docs/benchmarks.md, not for a test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE_S

pytestmark = pytest.mark.deep
FOLDER = Path(__file__).parent
SHORT = {
    "phones.py": ("--rows", "100000"),
    "stream.py": ("--rows", "50000"),
    "bench_messages.py": ("--rows", "100000"),
    "bench_wizard.py": (),
    "bench_imports.py": (),
}


@pytest.fixture(scope="module")
def installed() -> None:
    """What they measure against."""
    words = ["-m", "pip", "install", "-q", "-r", str(FOLDER / "requirements.txt")]
    subprocess.run([sys.executable, *words], check=True, timeout=PATIENCE_S)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", SHORT)
def test_a_benchmark_runs(name: str) -> None:
    words = [sys.executable, str(FOLDER / name), *SHORT[name]]
    one_round = {**os.environ, "BENCHMARK_ROUNDS": "1"}
    done = subprocess.run(
        words, cwd=FOLDER.parents[1], env=one_round, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
