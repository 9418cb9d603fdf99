"""Nothing is set outside, and no `.env` is about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.upper().startswith(("DASHBOARD_", "SMS_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
