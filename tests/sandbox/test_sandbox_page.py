"""docs/sandbox.md names every path, setting and fault there is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from dashboard.sandbox import control
from dashboard.sandbox.carriers.faults import Fault, FaultPlan, Kind
from dashboard.sandbox.simulation import Simulation

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text(encoding="utf-8")


def test_every_path_setting_and_fault_is_on_the_page() -> None:
    faults = [*Fault.model_fields, *FaultPlan.model_fields, *get_args(Kind)]
    assert [route.path for route in control.routes if route.path not in PAGE] == []
    assert [name for name in Simulation.model_fields if f"| `{name}` |" not in PAGE] == []
    assert [name for name in faults if f'"{name}"' not in PAGE and f"`{name}`" not in PAGE] == []
