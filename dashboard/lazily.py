"""Names that a package exports and loads on first use, so that importing it costs next to nothing.

A name must not be that of one of the package's own modules: once loaded, the module would take the name's
place. Such rooms load at once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from dashboard.installed import what_is_missing


def on_first_use(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A package's `__getattr__`.

    Args:
        package: Its name.
        modules: The names it exports, each with the module of the package that defines it, or that it is in
            as a module itself; ".phones" is the package's neighbour.

    Example:
        >>> __getattr__ = on_first_use(__name__, {"Ledger": "ledger"})
    """

    def attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        place = f".{modules[name]}"
        with what_is_missing():
            module = import_module(place, package)
            return (
                getattr(module, name) if hasattr(module, name) else import_module(f"{place}.{name}", package)
            )

    return attribute


def declared_in(stub: Path, package: str) -> Mapping[str, str]:
    """The names that a package's stub (`.pyi`) imports from its own modules, as `on_first_use` takes them.

    Type checkers read the same stub, so the names are listed once (the idea is that of lazy_loader, by which
    SciPy's and scikit-image's names load).
    """
    imports = [line for line in ast.parse(stub.read_bytes()).body if isinstance(line, ast.ImportFrom)]
    return {one.name: str(line.module).removeprefix(f"{package}.") for line in imports for one in line.names}
