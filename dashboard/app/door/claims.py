"""What an identity token says, read strictly. Pure.

OpenID Connect Core 1.0, sections 2 and 5.1: `exp` is a JSON number, `email_verified` a JSON boolean and `iss`
the issuer, letter by letter. Anything else grants no access, however well the provider means: "true" as text
comes from a program that does not follow the standard, and then nobody knows whether the address was checked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dashboard.settings import plain_address

Claims = Mapping[str, Any]
SUBJECT_CHARACTERS = 255
"""Section 2: no longer than this, and ASCII."""


def is_current(claims: Claims, *, now: float) -> bool:
    """Whether the token has an expiry time and is still valid at `now` (Unix time)."""
    until = claims.get("exp")
    if isinstance(until, bool) or not isinstance(until, int | float):
        return False
    return until > now and until != math.inf  # NaN is never greater


def is_from(claims: Claims, issuer: str) -> bool:
    """Whether this issuer made the token; a trailing slash does not matter.

    The discovery address is built without it. A cookie outlives the setting: its token may come from last
    month's provider.
    """
    made_by = claims.get("iss")
    return isinstance(made_by, str) and made_by.removesuffix("/") == issuer.removesuffix("/")


def is_verified(claims: Claims, *, trusted: bool = False) -> bool:
    """Whether the provider has checked that the address belongs to the person.

    Args:
        claims: Of the token.
        trusted: Whether the operator vouches for a provider that never says so; what it says still counts.
    """
    if trusted and "email_verified" not in claims:
        return True
    return claims.get("email_verified") is True


def address_in(claims: Claims) -> str | None:
    """The e-mail address as DASHBOARD_PEOPLE spells it; None if there is none."""
    address = claims.get("email")
    return plain_address(address) if isinstance(address, str) else None


def subject_in(claims: Claims) -> str | None:
    """The issuer's own name for the account, which it never gives to another; None if there is none."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject.strip():
        return None
    return subject if subject.isascii() and len(subject) <= SUBJECT_CHARACTERS else None
