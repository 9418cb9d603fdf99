"""SQL: what happened to every message. `__init__.pyi` lists the names, which load on first use."""

from dashboard.lazily import on_first_use

__all__, __getattr__ = on_first_use(__name__, __file__)
