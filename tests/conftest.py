"""Fixtures of several rooms, each room's in a module of its own."""

from __future__ import annotations

import sys

import pytest
from hypothesis import settings

# Machines that many share pause; a slow example says nothing about the code.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

pytest_plugins = ["fixtures_ledger", "fixtures_sandbox"]

PROGRAM = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def program() -> None:
    """Every test finds the program that runs it in `__main__`, where Streamlit puts the last page it ran.

    A process that is spawned runs its parent's `__main__` again: after a test of a page it ran that page,
    failed, and the test that waited for it heard nothing.
    """
    sys.modules["__main__"] = PROGRAM
