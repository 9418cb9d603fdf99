"""Line types, in the contract's words (section 4.2)."""

from __future__ import annotations

__all__ = ["TEXTABLE"]

TEXTABLE = frozenset({"MOBILE", "FIXED_LINE_OR_MOBILE"})
"""The line types that take text messages."""
