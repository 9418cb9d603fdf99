"""Fixtures of several rooms, each room's in a module of its own; how tests share the cores."""

from __future__ import annotations

import gc
import os
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test
from tiers import draw_as_the_tier_does, is_deep

pytest_plugins = ["fixtures_ledger", "fixtures_sandbox", "fixtures_history", "fixtures_wheel"]

PROGRAM = sys.modules["__main__"]

LONG = (
    *("test_wheel.py", "test_without_pages.py", "faults", "browser", "truth", "simulation", "notebooks"),
    *("test_secrets_in_errors.py", "reports", "commands", "sending"),
    *("test_docstrings.py", "test_docs_snippets.py", "test_docs_build.py", "test_many_batches.py"),
)
"""Where tests take longest, the longest first, so that files run side by side end at about one time."""


def pytest_configure(config: pytest.Config) -> None:
    draw_as_the_tier_does(config)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: many tests wait for processes of their own."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the long ones; each file's tests stay together and in their order."""
    items.sort(key=lambda item: length(item.path))
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if is_deep(config) and is_hypothesis_test(getattr(item, "obj", None)):  # it is marked only later
            item.add_marker("deep")


def pytest_collection_finish() -> None:
    """Look once at what stays as it is: modules that are imported, and packages that are installed.

    The collector went through all modules again and again, and Streamlit through the metadata of every
    package for each run of a page: a tenth of the time of tests of pages each.
    """
    gc.collect()
    gc.freeze()
    if "streamlit.testing.v1" in sys.modules:
        from streamlit.components.v2 import manifest_scanner  # noqa: PLC0415 - other tests load no Streamlit

        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


@cache
def length(path: Path) -> int:
    places = path.relative_to(Path(__file__).parent).parts
    return next((number for number, name in enumerate(LONG) if name in places), len(LONG))


@pytest.hookimpl(tryfirst=True)  # before anything starts a server for the test
def pytest_runtest_setup() -> None:
    """Every test finds the program that runs it in `__main__`, where Streamlit puts the last page it ran.

    A process that is spawned, or forked for us, runs its parent's `__main__` again: after a test of a page it
    ran that page, failed, and the test that waited for it heard nothing.
    """
    sys.modules["__main__"] = PROGRAM
