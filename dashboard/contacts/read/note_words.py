"""Small pieces of the sentences in `Sheet.notes`."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["some_of"]

_MOST_NAMED = 5


def some_of(numbers: Sequence[int] | Sequence[str]) -> str:
    """The first numbers of a list, and a mark if there are more.

    Example:
        >>> some_of([2, 5]), some_of(range(1, 9))
        ('2, 5', '1, 2, 3, 4, 5, …')
    """
    return ", ".join(str(number) for number in numbers[:_MOST_NAMED]) + (
        ", …" if len(numbers) > _MOST_NAMED else ""
    )
