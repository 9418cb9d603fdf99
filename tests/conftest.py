"""Fixtures of several rooms, each room's in a module of its own."""

from __future__ import annotations

pytest_plugins = ["fixtures_ledger", "fixtures_sandbox"]
