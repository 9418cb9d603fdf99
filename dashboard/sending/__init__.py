"""Moves batches from the ledger to the service, never twice."""

from __future__ import annotations

from dashboard.sending.engine import Engine
from dashboard.sending.outcomes import Rules

__all__ = ["Engine", "Rules"]
