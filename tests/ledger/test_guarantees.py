"""docs/guarantees.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "guarantees.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"`(test_\w+\.py)(?:::(test_\w+))?`", PAGE)
    assert len(named) > 20
    for file, test in named:
        (found,) = TESTS.rglob(file)
        assert f"def {test}(" in found.read_text(encoding="utf-8") or not test, f"{file}::{test}"
