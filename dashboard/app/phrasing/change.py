"""How a figure changed from one period to the next, in words. Pure."""

from __future__ import annotations

from decimal import Decimal

from dashboard.words import _, decimal, share


def relative(now: float | Decimal | None, before: float | Decimal | None) -> str | int | None:
    """The change in percent, such as `-3.1%`; 0 if there is none, None if there is nothing to compare."""
    if now is None or not before:
        return None
    change = float(Decimal(str(now)) / Decimal(str(before)) - 1)
    return 0 if abs(change) < 0.0005 else share(change)  # noqa: PLR2004 - half of the last digit shown


def in_points(now: float | None, before: float | None) -> str | int | None:
    """The change of a share in percentage points, such as `-0.6 points`; 0 if there is none."""
    if now is None or before is None:
        return None
    change = (now - before) * 100
    return 0 if abs(change) < 0.05 else _("{change} points").format(change=decimal(change))  # noqa: PLR2004
