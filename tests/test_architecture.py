"""The walls between the rooms, and what loading a room may cost."""

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


def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
