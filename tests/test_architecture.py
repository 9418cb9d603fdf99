"""What loading a room may cost. The walls between the rooms are import-linter's, in pyproject.toml."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"streamlit", "sqlalchemy", "httpx", "starlette", "dbos"}


def loaded_by(module: str) -> set[str]:
    code = f"import sys, {module}; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("room", ["contacts", "campaigns", "reports"])
def test_pure_rooms_load_neither_the_web_nor_sql_nor_http(room: str) -> None:
    assert not loaded_by(f"dashboard.{room}") & HEAVY


def test_the_package_itself_loads_nothing_heavy() -> None:
    assert not loaded_by("dashboard") & (HEAVY | {"pandas"})
