"""Fixtures of several rooms, each room's in a module of its own."""

from __future__ import annotations

from hypothesis import settings

# Machines that many share pause; a slow example says nothing about the code.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

pytest_plugins = ["fixtures_ledger", "fixtures_sandbox"]
