"""Where Numba has no wheels, plain Python gives the same verdicts: the room's tests once more without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.deep
ROOT = Path(__file__).parents[3]


def test_the_rooms_tests_pass_without_compiling() -> None:
    where = ["tests/contacts/phones", "tests/contacts/stream/test_contacts_stream.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-k", "not compiled_once", *where],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
