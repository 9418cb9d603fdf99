"""One notebook is run with every change; all of them before an issue is called resolved."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiers import deep_but_for_first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    deep_but_for_first(items, Path(__file__).parent)
