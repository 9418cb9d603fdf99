"""Strangers' files read without a process of their own, which takes a fifth of a second to begin."""

from __future__ import annotations

import io
import json
import subprocess
from types import SimpleNamespace

import pytest

from dashboard.contacts.read.isolated import bounded, child


def run(command: list[str], *, input: bytes, **_options: object) -> subprocess.CompletedProcess[bytes]:  # noqa: A002
    """What `subprocess.run` gives for the reader's process, whose bounds the tests' own does not take."""
    read, said = io.BytesIO(), io.StringIO()
    given = {"stdin": SimpleNamespace(buffer=io.BytesIO(input)), "stdout": SimpleNamespace(buffer=read)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child, "limit_resources", lambda *_bounds: None)
        patch.setattr(child, "sys", SimpleNamespace(**given, stderr=said, modules={}))
        code = child.main(json.loads(command[-1]))
    return subprocess.CompletedProcess(command, code, read.getvalue(), said.getvalue().encode())


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what a reader says of a file; read/test_limits.py reads each kind in the process that it gets."""
    here = SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired)
    monkeypatch.setattr(bounded, "subprocess", here)
