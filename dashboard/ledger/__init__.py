"""SQL: what happened to every message. `__init__.pyi` lists the names, which load on first use."""

from __future__ import annotations

from pathlib import Path

from dashboard.lazily import declared_in, on_first_use

_PLACES = declared_in(Path(__file__).with_suffix(".pyi"), __name__)

__all__ = sorted(_PLACES)  # noqa: PLE0605 - known once the stub is read

__getattr__ = on_first_use(__name__, _PLACES)
