"""The messaging service over HTTP; contract.md is the law on every field. `__init__.pyi` lists the names."""

from dashboard.lazily import on_first_use

__all__, __getattr__ = on_first_use(__name__, __file__)
