"""docs/sandbox.md names every path, setting and fault there is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from dashboard.sandbox import control
from dashboard.sandbox.carriers.faults import Fault, FaultPlan, Kind
from dashboard.sandbox.simulation import Simulation

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [route.path for route in control.routes])
def test_every_path(path: str) -> None:
    assert path in PAGE


@pytest.mark.parametrize("name", Simulation.model_fields)
def test_every_setting(name: str) -> None:
    assert f"| `{name}` |" in PAGE


@pytest.mark.parametrize("name", [*Fault.model_fields, *FaultPlan.model_fields, *get_args(Kind)])
def test_every_fault(name: str) -> None:
    assert f'"{name}"' in PAGE or f"`{name}`" in PAGE
