"""What an identity token says, read strictly. Pure.

OpenID Connect Core 1.0, sections 2 and 5.1: `exp` is a JSON number, `email_verified` a JSON boolean and `iss`
the issuer, letter by letter. Anything else opens nothing, also where a provider means well: "true" as text is
written by a program that does not follow the standard, and who checked the address is then anyone's guess.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dashboard.settings import plain_address

Claims = Mapping[str, Any]


def is_signed_in(claims: Claims) -> bool:
    """Whether Streamlit took the claims from a token at all."""
    return claims.get("is_logged_in") is True


def is_current(claims: Claims, *, now: float) -> bool:
    """Whether the token says until when it holds, and holds at `now` (Unix time)."""
    until = claims.get("exp")
    if isinstance(until, bool) or not isinstance(until, int | float):
        return False
    return until > now and until != math.inf  # nan is never more


def is_from(claims: Claims, issuer: str) -> bool:
    """Whether this issuer made the token; a slash at the end is no matter.

    The address for discovery is made without it. A cookie outlives the setting: the token in it may be of the
    provider of last month.
    """
    made_by = claims.get("iss")
    return isinstance(made_by, str) and made_by.removesuffix("/") == issuer.removesuffix("/")


def is_verified(claims: Claims) -> bool:
    """Whether the provider has checked that the address is theirs."""
    return claims.get("email_verified") is True


def address_in(claims: Claims) -> str | None:
    """The e-mail address as DASHBOARD_PEOPLE spells it; None without one."""
    address = claims.get("email")
    return plain_address(address) if isinstance(address, str) else None
