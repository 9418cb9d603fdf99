"""README, docs and docstrings become one site: no warning, every link leads on, every name is in it."""

from __future__ import annotations

import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE_S
from sphinx.util.inventory import InventoryFile

import dashboard
from dashboard import figures

pytestmark = pytest.mark.deep
ROOT = Path(__file__).parents[1]
REMEDY = "list them in docs/reference"
COMMAND = re.compile(r"^\S+python (-m sphinx .*) build/docs$", re.MULTILINE)


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The Python names that the site describes, built with README's own command."""
    command = COMMAND.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert command, "say in README how the site is built"
    site = tmp_path_factory.mktemp("site")
    words = [sys.executable, *shlex.split(command[1]), "-q", str(site)]
    built = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert built.returncode == 0, built.stderr
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    return {name for kind in inventory.data if kind.startswith("py:") for name in inventory.data[kind]}


def test_every_public_name_and_every_method_is_in_the_reference(described: set[str]) -> None:
    assert [name for name in dashboard.__all__ if f"dashboard.{name}" not in described] == [], REMEDY
    assert [name for name in figures.__all__ if f"dashboard.figures.{name}" not in described] == []
    classes = [name for name in dashboard.__all__ if isinstance(getattr(dashboard, name), type)]
    methods = [f"{name}.{method}" for name in classes for method in own_methods(getattr(dashboard, name))]
    assert "Ledger.messages" in methods
    assert [method for method in methods if f"dashboard.{method}" not in described] == []


def own_methods(kind: type) -> list[str]:
    """Those of our own classes; what they inherit from a library is described there."""
    ours = [one for one in kind.__mro__ if one.__module__.startswith("dashboard.")]
    return [
        name
        for one in ours
        for name, value in vars(one).items()
        if name[0] != "_" and (inspect.isroutine(value) or isinstance(value, property))
    ]
