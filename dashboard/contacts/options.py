"""Arguments that may have a few values only: any other is refused, and never taken for one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from dashboard.errors import OptionError
from dashboard.words import _


def check_option(name: str, value: object, allowed: Collection[object]) -> None:
    """Refuse a value that is not one of those allowed.

    Raises:
        OptionError: It is not; the sentence lists those that are.

    Example:
        >>> check_option("keep", "first", ("first", "last"))
    """
    if not any(type(value) is type(one) and value == one for one in allowed):
        raise OptionError(_("{name} must be {values}.").format(name=name, values=_listed(allowed)))


def check_options(name: str, values: Iterable[object], allowed: Collection[object]) -> None:
    """Refuse a collection that is empty, a single text, or holds anything but the values allowed.

    Raises:
        OptionError: It is; the sentence lists the values.
    """
    given = [] if isinstance(values, str) or not isinstance(values, Iterable) else list(values)
    if not given or any(one not in allowed for one in given):
        raise OptionError(
            _("{name} must be a collection of at least one of these: {values}.").format(
                name=name, values=", ".join(map(str, allowed))
            )
        )


def _listed(allowed: Collection[object]) -> str:
    return " / ".join(map(repr, allowed))
