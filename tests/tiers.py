"""The two tiers of the suite: what `pytest` runs, and what `pytest -m deep` runs.

A test is of the first tier unless it is marked `deep` where it stands: itself, one of its parameters, or its
whole folder, in a conftest that calls `deep_but_for_first`. Properties are in both: with a few draws, always
the same ones, in the first; with many and new seeds in the other.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from _pytest.mark.expression import Expression
from hypothesis import settings

# Machines that many share pause; a slow example says nothing about the code.
settings.register_profile("first", deadline=None, derandomize=True, database=None, max_examples=20)
settings.register_profile("deep", deadline=None, max_examples=100)


def is_deep(config: pytest.Config) -> bool:
    """Whether the marks asked for can be those of a deep test, whatever other marks it has."""
    return _can_be_deep(config.option.markexpr or "deep")


@cache
def _can_be_deep(marks_asked_for: str) -> bool:
    asked = Expression.compile(marks_asked_for)
    others = [*asked.idents() - {"deep"}]
    marked = ({"deep", *some} for many in range(len(others) + 1) for some in combinations(others, many))
    return any(asked.evaluate(lambda name, marks=marks, **_: name in marks) for marks in marked)


def draw_as_the_tier_does(config: pytest.Config) -> None:
    """Before a test is imported: `@settings` starts from the profile that is loaded."""
    settings.load_profile("deep" if is_deep(config) else "first")


def draws(deep: int, first: int = 0) -> int:
    """So many draws of a property whose draws are dearer or cheaper than most; else a fifth, or as said."""
    if settings.get_current_profile_name() == "deep":
        return deep
    return first or min(max(deep // 5, 3), 30)


def only_deep(*values: Any) -> list[ParameterSet]:
    """Parameters beyond the one or the few that the first tier asks about."""
    return [pytest.param(value, marks=pytest.mark.deep) for value in values]


def together(*values: Any) -> list[Any]:
    """All values as one parameter, for what one sheet can hold; in the deep tier each alone."""
    return [[*values], *only_deep(*([value] for value in values))]


def deep_but_for_first(items: list[pytest.Item], folder: Path) -> None:
    """Mark a folder's tests `deep`, apart from those that say that they are `first` or `soak`."""
    paths = {path for path in {item.path for item in items} if path.is_relative_to(folder)}
    for item in items:
        if item.path in paths and not {"first", "soak"} & {mark.name for mark in item.iter_markers()}:
            item.add_marker("deep")
