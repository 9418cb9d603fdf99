"""Names that a package exports and loads on first use, so that importing it costs next to nothing.

A name must not be that of one of the package's own modules: once loaded, the module would take the name's
place. Such rooms load at once.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from dashboard.installed import what_is_missing


def on_first_use(package: str, file: str) -> tuple[list[str], Callable[[str], Any]]:
    """A package's `__all__` and `__getattr__`: the names that its stub, `__init__.pyi`, imports.

    Type checkers read the same stub, so the names are listed once (the idea is that of lazy_loader, by which
    SciPy's and scikit-image's names load).

    Example:
        >>> __all__, __getattr__ = on_first_use(__name__, __file__)
    """
    imports = ast.parse(Path(file).with_suffix(".pyi").read_bytes()).body
    modules = {
        one.name: str(line.module)
        for line in imports
        if isinstance(line, ast.ImportFrom)
        for one in line.names
    }

    def attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with what_is_missing():
            module = import_module(modules[name])
            return (
                getattr(module, name) if hasattr(module, name) else import_module(f"{modules[name]}.{name}")
            )

    return sorted(modules), attribute
