"""Names that a package exports and loads on first use, so that importing it costs next to nothing.

A name must not be that of one of the package's own modules: once loaded, the module would take the name's
place. Such rooms load at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_first_use(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__`.

    Args:
        package: Its name.
        modules: The names it exports, each with the module of the package that defines it.

    Example:
        >>> __getattr__ = on_first_use(__name__, {"Ledger": "ledger"})
    """

    def attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return attribute
