"""One test for many lines: thousands of tests of a line each cost more than what they ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, wraps
from inspect import signature
from typing import Any

import pytest


def each(names: str, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, as one test that runs through all lines and reports each wrong one.

    Lines that cost something come from a generator: they are made when the test runs, not at its import.
    """
    wanted = [name.strip() for name in names.split(",")]

    @cache
    def lines() -> list[Any]:
        found = [case if len(wanted) > 1 else (case,) for case in cases]
        assert found, "no line, nothing asked"
        return found

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def whole(**fixtures: Any) -> None:
            wrong = [said for line in lines() if (said := failure(test, fixtures, wanted, line))]
            assert not wrong, f"{len(wrong)} of {len(lines())} lines are wrong:\n\n" + "\n\n".join(wrong)

        said = signature(test)
        rest = [parameter for name, parameter in said.parameters.items() if name not in wanted]
        whole.__signature__ = said.replace(parameters=rest)  # type: ignore[attr-defined]  # what pytest reads
        return whole

    return decorate


def failure(
    test: Callable[..., None], fixtures: dict[str, Any], names: list[str], line: Iterable[Any]
) -> str | None:
    """What is wrong with a line, or nothing."""
    given = dict(zip(names, line, strict=True))
    try:
        test(**fixtures, **given)
    except (Exception, pytest.fail.Exception) as error:
        return f"{given}\n{type(error).__name__}: {error}"
    return None
